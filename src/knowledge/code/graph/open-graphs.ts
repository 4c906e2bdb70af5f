import { join } from 'node:path'
import type { Environment } from '../../../machine/state/directory.ts'
import type { ServerMemory } from '../servers/server-memory.ts'
import type { RunningServer } from '../servers/types.ts'
import type { AskOptions } from '../../../kernel/ask-options.ts'
import type { Question } from './database/ask-database.ts'
import { openGraphHost, type GraphHost } from './host/graph-host.ts'
import type { BlobFile, GraphRows, Tree } from './host/messages.ts'

/** A graph by the identity of its tree, or by its key and optionally that identity. */
export type Which = { readonly known: string } | { readonly key: string; readonly isOf?: string }

/** A question to one graph; its time is that of the call. */
interface GraphQuestion extends Omit<Question, 'timeoutMs'> {
  readonly which: Which
}

/** The graphs of one workspace, for all calls. */
export interface Graphs {
  readonly env: Environment
  /** Directory of the graphs and of the cache of file facts. */
  readonly directory: string
  /** Builds the graph of a tree, unless it exists, and returns its key. */
  prepare(tree: Tree, options: AskOptions): Promise<string>
  /** Returns undefined if that graph does not exist. Throws with the database's own message. */
  ask(question: GraphQuestion, options: AskOptions): Promise<GraphRows | undefined>
  /** The files of a commit, which never change. */
  filesAt(commit: string, list: () => readonly BlobFile[]): readonly BlobFile[]
  running(): readonly RunningServer[]
  close(): Promise<void>
}

const MOST_KNOWN = 200
const MOST_COMMITS = 8

/** Starts and writes nothing before the first question. The graph process counts towards this memory bound. */
export function openGraphs(state: string, env: Environment, memory: ServerMemory): Graphs {
  let currentHost: GraphHost | undefined
  const keyByTree = new Map<string, string>()
  const commits = new Map<string, readonly BlobFile[]>()
  const directory = join(state, 'code')
  const host = (): GraphHost => (currentHost ??= openGraphHost(directory, env, memory))
  return {
    env,
    directory,
    prepare: (tree, { timeoutMs, signal }) => host().prepare(tree, { timeoutMs, signal }),
    async ask({ which, ...question }, { timeoutMs, signal }) {
      const key = 'key' in which ? which.key : keyByTree.get(which.known)
      if (key === undefined) return undefined
      if ('key' in which && which.isOf !== undefined) remember(which.isOf, key)
      return host().ask(key, { ...question, timeoutMs }, { timeoutMs, signal })
    },
    filesAt(commit, list) {
      const files = commits.get(commit) ?? list()
      commits.delete(commit)
      commits.set(commit, files)
      dropOldest(commits, MOST_COMMITS)
      return files
    },
    running: () => currentHost?.running() ?? [],
    async close() {
      await currentHost?.close()
      currentHost = undefined
    },
  }

  function remember(what: string, key: string): void {
    keyByTree.delete(what)
    keyByTree.set(what, key)
    dropOldest(keyByTree, MOST_KNOWN)
  }
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}
