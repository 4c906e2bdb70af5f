import { join } from 'node:path'
import type { Environment } from '../../state/directory.ts'
import { openGraphHost, type GraphHost } from './host/graph-host.ts'
import type { TreeFile } from './host/messages.ts'

type BlobFile = TreeFile & { readonly blob: string }

/** What is kept of graphs for all calls of one workspace. */
export interface Graphs {
  readonly env: Environment
  host(): GraphHost
  /** The graph of what was asked about before. */
  readonly known: ReadonlyMap<string, string>
  remember(known: string, key: string): void
  /** The files of a commit, which never change. */
  filesAt(commit: string, list: () => readonly BlobFile[]): readonly BlobFile[]
  close(): Promise<void>
}

const MOST_KNOWN = 200
const MOST_COMMITS = 8

/** Nothing is started or written before the first question. */
export function openGraphs(state: string, env: Environment): Graphs {
  let host: GraphHost | undefined
  const known = new Map<string, string>()
  const commits = new Map<string, readonly BlobFile[]>()
  return {
    env,
    known,
    host: () => (host ??= openGraphHost(join(state, 'code'), env)),
    remember(what, key) {
      known.delete(what)
      known.set(what, key)
      dropOldest(known, MOST_KNOWN)
    },
    filesAt(commit, list) {
      const files = commits.get(commit) ?? list()
      commits.delete(commit)
      commits.set(commit, files)
      dropOldest(commits, MOST_COMMITS)
      return files
    },
    async close() {
      await host?.close()
      host = undefined
    },
  }
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}
