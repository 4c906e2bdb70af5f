import { createHash, randomBytes } from 'node:crypto'
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

export const CODE_MS = 10 * 60_000
const SESSION_MS = 12 * 3_600_000
const MOST = 64

/** Codes and tokens live as long as the server; only their hashes are held. */
export function createPageSessions(now: () => number = Date.now): PageSessions {
  const codes = new Map<string, number>()
  const sessions = new Map<string, number>()
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
      return { token, expiresAt: add(sessions, token, SESSION_MS) }
    },
    callerOf(token) {
      const id = hashOf(token)
      return (sessions.get(id) ?? 0) > now() ? { id, name: PAGE, scopes: SCOPES } : undefined
    },
  }
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')
