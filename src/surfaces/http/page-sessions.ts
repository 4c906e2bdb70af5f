import { createHash, randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { z } from 'zod'
import { readOwnFile, writePrivateFile } from '../../machine/state/private-file.ts'
import { PAGE, SCOPES, type Caller } from '../../machine/state/tokens.ts'

/** How a person's browser comes to a token, which no link and no log holds. */
export interface PageSessions {
  /** Returns the secret part of a link that works once. */
  newCode(): string
  /** Exchanges a code for a token of the page; undefined if it was used or is too old. */
  open(code: string): OpenedPage | undefined
  callerOf(token: string): Caller | undefined
}

interface OpenedPage {
  readonly token: string
  readonly expiresAt: number
}

interface PageSessionsOptions {
  readonly now?: () => number
  /** Where the hashes of tokens outlive the server; nowhere unless given. */
  readonly file?: string | undefined
}

export const CODE_MS = 10 * 60_000
const SESSION_MS = 12 * 3_600_000
const MOST = 64

/** Codes live as long as the server, tokens also after a restart; only their hashes are held. */
export function createPageSessions({ now = Date.now, file }: PageSessionsOptions = {}): PageSessions {
  const codes = new Map<string, number>()
  const sessions = new Map(file === undefined ? [] : readSessions(file))
  const add = (to: Map<string, number>, secret: string, lastsMs: number): number => {
    for (const [hash, until] of to) if (until <= now() || to.size >= MOST) to.delete(hash)
    const until = now() + lastsMs
    to.set(hashOf(secret), until)
    return until
  }
  return {
    newCode() {
      const code = randomBytes(24).toString('base64url')
      add(codes, code, CODE_MS)
      return code
    },
    open(code) {
      const until = codes.get(hashOf(code)) ?? 0
      codes.delete(hashOf(code))
      if (until <= now()) return undefined
      const token = `tp_${randomBytes(32).toString('base64url')}`
      const expiresAt = add(sessions, token, SESSION_MS)
      if (file !== undefined) writePrivateFile(file, `${JSON.stringify(Object.fromEntries(sessions))}\n`)
      return { token, expiresAt }
    },
    callerOf(token) {
      const id = hashOf(token)
      return (sessions.get(id) ?? 0) > now() ? { id, name: PAGE, scopes: SCOPES } : undefined
    },
  }
}

const Sessions = z.record(z.string().regex(/^[0-9a-f]{64}$/), z.number())

/** A damaged file holds no session: the person opens another link. */
function readSessions(file: string): readonly (readonly [string, number])[] {
  if (!statSync(file, { throwIfNoEntry: false })) return []
  try {
    return Object.entries(Sessions.parse(JSON.parse(readOwnFile(file).toString('utf8'))))
  } catch {
    return []
  }
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')
