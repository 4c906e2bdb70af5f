import { hash } from 'node:crypto'
import { ToolError } from '../../kernel/error.ts'
import { readTarget } from '../../kernel/target.ts'
import type { FileTable } from '../index/table/file-table.ts'
import { createByteCache, type ByteCache } from './byte-cache.ts'
import { GITHUB } from '../../kernel/target.ts'
import type { Connection, TreeListing } from './types.ts'

/** A connection and what is remembered of it between calls: its limits, its token, what it has read. */
export interface Hub {
  readonly connection: Connection
  readonly origin: string
  /** Before this time GitHub wants no request. */
  limitedUntil: number
  /** The token of an installation while it is good. */
  installation: Promise<{ readonly token: string; readonly expiresAt: number }> | undefined
  /** Answers that may be asked for again under the condition that they changed. */
  readonly answers: ByteCache<{ readonly etag: string; readonly bytes: Buffer }>
  readonly trees: ByteCache<TreeListing>
  readonly blobs: ByteCache<Buffer>
  /** Indexes, by commit. */
  readonly tables: ByteCache<FileTable>
  /** The address of something in the API. */
  url(path: string): string
}

const MB = 1024 * 1024
/** Of the contents of files. */
export const MOST_KEPT = 64 * MB

/** Checks a connection and opens it; nothing is sent yet. */
export function createHub(connection: Connection): Hub {
  const { repository, ref, baseUrl = GITHUB } = connection
  if (!/^[\w-][\w.-]{0,99}\/(?!\.\.?$)[\w.-]{1,100}$/.test(repository))
    throw refuse(`'${repository.slice(0, 100)}' is no repository`, "Write it as 'owner/name'")
  if (ref !== undefined && !isRef(ref)) throw refuse(`'${ref.slice(0, 100)}' is no branch, tag or commit`)
  const base = readTarget(baseUrl)
  const isHere = base.host === 'localhost' || base.host === '::1' || (base.isAddress && base.host.startsWith('127.'))
  if (base.protocol !== 'https:' && !isHere) throw refuse('its address does not begin with https://')
  if (connection.token !== undefined && connection.app)
    throw refuse('it has both a token and an App', 'Give one of them')
  const prefix = base.href.replace(/[?#].*$/, '').replace(/\/+$/, '')
  return {
    connection,
    origin: base.origin,
    limitedUntil: 0,
    installation: undefined,
    answers: createByteCache(4 * MB),
    trees: createByteCache(64 * MB),
    blobs: createByteCache(MOST_KEPT),
    tables: createByteCache(64 * MB),
    url: path => `${prefix}${path}`,
  }
}

const hubs = new Map<string, Hub>()
const MOST_HUBS = 16

/** The hub of a connection, the same one for everybody who holds the same connection and secrets. */
export function hubOf(connection: Connection): Hub {
  const { repository, ref, baseUrl, token, app } = connection
  const key = hash('sha256', JSON.stringify([repository, ref, baseUrl, token, app]))
  const known = hubs.get(key) ?? createHub(connection)
  hubs.delete(key)
  hubs.set(key, known)
  for (const oldest of hubs.keys()) {
    if (hubs.size <= MOST_HUBS) break
    hubs.delete(oldest)
  }
  return known
}

/** As git has it, and nothing that a URL would read differently. */
const isRef = (ref: string): boolean =>
  ref.length <= 250 && /^[^\s~^:?*[\\\p{C}]+$/u.test(ref) && !/(^|\/)\.|\.\.|\/\/|@\{|^\/|\/$|^-/.test(ref)

const refuse = (what: string, hint = 'Correct the connection'): ToolError =>
  new ToolError('invalid_input', `The GitHub connection is refused: ${what}`, { hint })
