import { createHash, randomBytes } from 'node:crypto'
import { lstatSync, statSync } from 'node:fs'
import { z } from 'zod'
import { ToolError } from '../../kernel/error.ts'
import { quoteArgv } from '../../kernel/shell-quote.ts'
import { openLock } from './lock.ts'
import { readOwnFile, writePrivateFile } from './private-file.ts'
import type { ServerPlace } from './server-place.ts'

/** What a token may do: look, make calls, or answer questions and change what is allowed. */
export const SCOPES = ['read', 'call', 'approve'] as const

export type Scope = (typeof SCOPES)[number]

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** The name of the person's own token. */
export const OWNER = 'owner'

/** The name of the tokens that the page gets. */
export const PAGE = 'page'

const Entry = z.strictObject({
  name: z.string().regex(NAME),
  scopes: z.array(z.enum(SCOPES)).min(1).readonly(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.iso.datetime(),
})
const File = z.strictObject({ version: z.literal(1), tokens: z.array(Entry) })

type StoredToken = Readonly<z.infer<typeof Entry>>

/** Who sends a request, and what the token of the request allows. */
export interface Caller {
  /** Different for two tokens that had the same name one after the other. */
  readonly id: string
  readonly name: string
  readonly scopes: readonly Scope[]
}

/** The tokens of one workspace's server. Of clients' tokens only hashes are stored. */
export interface Tokens {
  list(): readonly Pick<StoredToken, 'name' | 'scopes' | 'at'>[]
  /** Returns the new token; it cannot be read again. */
  add(name: string, scopes: readonly Scope[], at: string): string
  /** Returns false if no token has this name. */
  revoke(name: string): boolean
  /** Returns who has this token. Every change of the files holds for the next request. */
  callerOf(token: string): Caller | undefined
}

/** Opens the tokens of a place, and creates the person's own token if missing. */
export function openTokens(place: ServerPlace): Tokens {
  underLock(place, () => ensureOwnToken(place))
  let [callers, lastStamp] = [new Map<string, Caller>(), '']
  const current = (): ReadonlyMap<string, Caller> => {
    const now = `${stampOf(place.token)} ${stampOf(place.tokens)}`
    if (now !== lastStamp) {
      callers = readCallers(place)
      lastStamp = now
    }
    return callers
  }
  return {
    list: () => readTokens(place).map(({ name, scopes, at }) => ({ name, scopes, at })),
    add(name, scopes, at) {
      if (!NAME.test(name) || name === OWNER || name === PAGE)
        throw new ToolError('invalid_input', `'${name}' cannot be the name of a token`, {
          hint: `Use up to 64 letters, digits, dots, dashes and underscores, and neither '${OWNER}' nor '${PAGE}'`,
        })
      const token = newToken()
      underLock(place, () => {
        const tokens = readTokens(place)
        if (tokens.some(one => one.name === name))
          throw new ToolError('exists', `There is a token '${name}' already`, {
            hint: `Choose another name, or revoke ${name} first`,
          })
        writeTokens(place, [
          ...tokens,
          { name, scopes: SCOPES.filter(one => scopes.includes(one)), hash: hashOf(token), at },
        ])
      })
      return token
    },
    revoke: name =>
      underLock(place, () => {
        const tokens = readTokens(place)
        const rest = tokens.filter(one => one.name !== name)
        if (rest.length < tokens.length) writeTokens(place, rest)
        return rest.length < tokens.length
      }),
    callerOf: token => current().get(hashOf(token)),
  }
}

/** A table of hashes takes the same time for every wrong token: nothing of a token can be measured. */
function readCallers(place: ServerPlace): Map<string, Caller> {
  const callers = readTokens(place).map(({ hash, name, scopes }) => [hash, { id: hash, name, scopes }] as const)
  const ownToken = statSync(place.token, { throwIfNoEntry: false }) && readOwnToken(place)
  if (ownToken === undefined) return new Map(callers)
  return new Map([...callers, [hashOf(ownToken), { id: hashOf(ownToken), name: OWNER, scopes: SCOPES }]])
}

/** Returns the person's own token. Throws if others may read the file. */
function readOwnToken({ token: file }: Pick<ServerPlace, 'token'>): string {
  const { mode } = lstatSync(file)
  if (process.getuid !== undefined && (mode & 0o077) !== 0)
    throw new ToolError('denied', `Other users may read the token in ${file} (mode ${(mode & 0o777).toString(8)})`, {
      hint: `Remove it (${quoteArgv(['rm', file])}); the next start makes a new one`,
    })
  return readOwnFile(file).toString('utf8').trim()
}

function ensureOwnToken(place: ServerPlace): void {
  if (lstatSync(place.token, { throwIfNoEntry: false })) readOwnToken(place)
  else writePrivateFile(place.token, `${newToken()}\n`)
}

const TOKEN_BYTES = 32

const newToken = (): string => `tw_${randomBytes(TOKEN_BYTES).toString('base64url')}`

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** A damaged list is an error, never an empty one. */
function readTokens({ tokens: file }: ServerPlace): readonly StoredToken[] {
  if (!statSync(file, { throwIfNoEntry: false })) return []
  try {
    return File.parse(JSON.parse(readOwnFile(file).toString('utf8'))).tokens
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause) : String(cause)
    throw new ToolError('io', `The tokens in ${file} cannot be used: ${reason}`, {
      hint: 'Remove the file, then make the tokens of your clients again',
      cause,
    })
  }
}

const writeTokens = ({ tokens: file }: ServerPlace, tokens: readonly StoredToken[]): void =>
  writePrivateFile(file, `${JSON.stringify({ version: 1, tokens }, null, 2)}\n`)

function underLock<T>({ directory }: ServerPlace, work: () => T): T {
  const lock = openLock(`${directory}/tokens.lock`)
  try {
    return lock.run(work)
  } finally {
    lock.close()
  }
}

function stampOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stat ? `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}` : ''
}
