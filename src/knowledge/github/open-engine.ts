import { ToolError } from '../../kernel/error.ts'
import type { CallScope } from '../../machine/workspace/call-scope.ts'
import { createNetGrant } from '../../machine/web/net-grant.ts'
import type { Network } from '../../machine/web/network.ts'
import { webRefusal } from '../../machine/web/web-error.ts'
import { decodeText } from './decode-text.ts'
import type { Connected } from './connect.ts'
import type { Hub } from './hub.ts'
import { repositoryPath } from './repository-path.ts'
import type { RepositoryEngine, RepositorySource } from './types.ts'

interface RepositoryParts extends Pick<CallScope, 'claims' | 'egress' | 'hides'> {
  /** Undefined if there is no connection. */
  readonly connection: Pick<Connected, 'hub'> | undefined
  readonly network: Network | 'system' | 'none'
  learn(name: string, value: string): Promise<void>
  compileGlob(pattern: string): { matches(path: string): boolean }
}

/** Waiting and searching end a little before the tool's timeout, to report progress. */
const CALL_MS = 50_000

/** Opens a connection's repository for one call. Reaches only the origin that the call claimed. */
export function openRepositoryEngine(parts: RepositoryParts): RepositoryEngine {
  const isGranted = createNetGrant(parts.claims)
  const deadline = Date.now() + CALL_MS
  return {
    async directories(given, { depth, limit }, signal) {
      const { source } = await open(signal)
      const directories: { path: string; depth: number }[] = []
      let level = [repositoryPath(given)]
      for (let down = 1; down <= depth && level.length > 0 && directories.length <= limit; down++) {
        const next: string[] = []
        for (const path of level) {
          if (directories.length > limit) break
          for (const entry of await source.directory(path)) {
            if (entry.kind !== 'directory') continue
            next.push(entry.path)
            directories.push({ path: entry.path, depth: down })
          }
        }
        level = next
      }
      return { directories: directories.slice(0, limit), truncated: directories.length > limit }
    },
    async list(given, { glob, limit }, signal) {
      const matches = glob === undefined ? () => true : parts.compileGlob(glob).matches
      const { source } = await open(signal)
      const files = (await source.directory(repositoryPath(given))).flatMap(entry => {
        const name = nameOf(entry.path)
        return entry.kind !== 'directory' && matches(name) ? [{ path: entry.path, name, size: entry.size }] : []
      })
      return { files: files.slice(0, limit), truncated: files.length > limit }
    },
    async read(given, { truncateAt }, signal) {
      const path = repositoryPath(given)
      const { source } = await open(signal)
      const { bytes, size } = await source.read(path, truncateAt + LONGEST_CHARACTER)
      const content = decodeText(bytes, truncateAt)
      if (content === undefined)
        throw new ToolError('binary', `'${path}' is binary, not text`, { details: { path, size } })
      return { path, content, size }
    },
    async search({ query, glob, limit }, signal) {
      const matches = glob === undefined ? undefined : parts.compileGlob(glob).matches
      const byName = !glob?.includes('/')
      const wants = (path: string) => matches?.(byName ? nameOf(path) : path) ?? true
      const { searchRepository } = await import('./search-repository.ts')
      const { source } = await open(signal)
      return searchRepository(source, { query, wants, limit, deadline })
    },
    async grep(options) {
      const { grepRepository } = await import('./grep-repository.ts')
      const { source } = await open(options.signal ?? NEVER)
      return grepRepository(source, options, { compileGlob: parts.compileGlob, deadline })
    },
    async query(query, options, signal) {
      const { queryRepository } = await import('./index-repository.ts')
      const { source, hub } = await open(signal)
      return queryRepository(source, query, options, { tables: hub.tables, deadline })
    },
  }

  async function open(signal: AbortSignal): Promise<{ readonly source: RepositorySource; readonly hub: Hub }> {
    const { connection, network, egress, learn } = parts
    const hides = parts.hides?.byRules ?? parts.hides
    if (!connection) throw new ToolError('unavailable', 'No active GitHub connection found')
    if (network === 'none')
      throw new ToolError('unavailable', 'There is no network here', {
        hint: 'Deterministic mode reaches no host; run the call without it',
      })
    const hub = await connection.hub()
    if (!isGranted(hub.origin)) throw webRefusal(`${hub.origin} was not claimed`)
    const through = network === 'system' ? (await import('../../machine/web/network.ts')).systemNetwork : network
    const { openRepository } = await import('./open-repository.ts')
    const call = { network: through, egress, signal, deadline, learn }
    // Rules that deny a path in the workspace also deny it in its repository.
    return { source: await openRepository(hub, call, path => hides?.matches(path) ?? false), hub }
  }
}

const LONGEST_CHARACTER = 4
/** For a caller that never cancels. */
const NEVER = new AbortController().signal

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
