import { join } from 'node:path'
import type { Environment } from '../../../machine/state/directory.ts'
import type { RunningServer } from '../servers/types.ts'
import type { Question } from './database/ask-database.ts'
import { openGraphHost, type GraphHost, type Limit } from './host/graph-host.ts'
import type { BlobFile, GraphRows, Tree } from './host/messages.ts'

/** A graph: what it is of, or itself, and what it was found to be of. */
export type Which = { readonly known: string } | { readonly key: string; readonly isOf?: string }

/** The graphs of one workspace, for all calls. */
export interface Graphs {
  readonly env: Environment
  /** Where they are kept, with what is known of single files. */
  readonly directory: string
  /** Makes the graph of a tree, unless it is there already, and gives its key. */
  prepare(tree: Tree, limit: Limit): Promise<string>
  /** Undefined if that graph is not there. Throws with the words of the database. */
  ask(which: Which, question: Question, limit: Limit): Promise<GraphRows | undefined>
  /** The files of a commit, which never change. */
  filesAt(commit: string, list: () => readonly BlobFile[]): readonly BlobFile[]
  running(): readonly RunningServer[]
  close(): Promise<void>
}

const MOST_KNOWN = 200
const MOST_COMMITS = 8

/** Nothing is started or written before the first question. */
export function openGraphs(state: string, env: Environment): Graphs {
  let opened: GraphHost | undefined
  const known = new Map<string, string>()
  const commits = new Map<string, readonly BlobFile[]>()
  const directory = join(state, 'code')
  const host = (): GraphHost => (opened ??= openGraphHost(directory, env))
  return {
    env,
    directory,
    prepare: (tree, limit) => host().prepare(tree, limit),
    async ask(which, question, limit) {
      const key = 'key' in which ? which.key : known.get(which.known)
      if (key === undefined) return undefined
      if ('key' in which && which.isOf !== undefined) remember(which.isOf, key)
      return host().ask(key, question, limit)
    },
    filesAt(commit, list) {
      const files = commits.get(commit) ?? list()
      commits.delete(commit)
      commits.set(commit, files)
      dropOldest(commits, MOST_COMMITS)
      return files
    },
    running: () => opened?.running() ?? [],
    async close() {
      await opened?.close()
      opened = undefined
    },
  }

  function remember(what: string, key: string): void {
    known.delete(what)
    known.set(what, key)
    dropOldest(known, MOST_KNOWN)
  }
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}
