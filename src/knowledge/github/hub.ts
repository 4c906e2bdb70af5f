import { hash } from 'node:crypto'
import { ToolError } from '../../kernel/error.ts'
import { readTarget } from '../../kernel/target.ts'
import type { FileTable } from '../index/table/file-table.ts'
import { createByteCache, type ByteCache } from './byte-cache.ts'
import { GITHUB } from '../../kernel/target.ts'
import type { Connection, TreeListing } from './types.ts'

/** A connection and its state between calls: limits, token, cached content. */
export interface Hub {
  readonly connection: Connection
  readonly origin: string
  /** GitHub refuses requests before this time. */
  limitedUntil: number
  /** The token of an installation while it is valid. */
  installation: Promise<{ readonly token: string; readonly expiresAt: number }> | undefined
  /** Answers with ETags, for conditional requests. */
  readonly answers: ByteCache<{ readonly etag: string; readonly bytes: Buffer }>
  readonly trees: ByteCache<TreeListing>
  readonly blobs: ByteCache<Buffer>
  /** Indexes, by commit. */
  readonly tables: ByteCache<FileTable>
  /** Returns the URL of an API path. */
  url(path: string): string
}

const MB = 1024 * 1024
/** Bytes of cached file contents. */
export const MOST_KEPT = 64 * MB

/** Checks a connection and opens it. Sends nothing. */
export function createHub(connection: Connection): Hub {
  const { repository, ref, baseUrl = GITHUB } = connection
  if (!/^[\w-][\w.-]{0,99}\/(?!\.\.?$)[\w.-]{1,100}$/.test(repository))
    throw refuse(`'${repository.slice(0, 100)}' is no repository`, "Write it as 'owner/name'")
  if (ref !== undefined && !isRef(ref)) throw refuse(`'${ref.slice(0, 100)}' is not a branch, tag or commit`)
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

/** Returns the hub of a connection, shared by callers with the same connection and secrets. */
export function hubOf(connection: Connection): Hub {
  const { repository, ref, baseUrl, token, app } = connection
  const key = hash('sha256', JSON.stringify([repository, ref, baseUrl, token, app]))
  const hub = hubs.get(key) ?? createHub(connection)
  hubs.delete(key)
  hubs.set(key, hub)
  for (const oldest of hubs.keys()) {
    if (hubs.size <= MOST_HUBS) break
    hubs.delete(oldest)
  }
  return hub
}

/** Accepts git's ref names, without characters that a URL would interpret. */
const isRef = (ref: string): boolean =>
  ref.length <= 250 && /^[^\s~^:?*[\\\p{C}]+$/u.test(ref) && !/(^|\/)\.|\.\.|\/\/|@\{|^\/|\/$|^-/.test(ref)

const refuse = (what: string, hint = 'Correct the connection'): ToolError =>
  new ToolError('invalid_input', `The GitHub connection is refused: ${what}`, { hint })
