import { ToolError } from '../../kernel/error.ts'
import { comparePaths } from '../search/path-order.ts'
import type { Hub } from './hub.ts'
import { listTree } from './list-tree.ts'
import { parentOf } from './repository-path.ts'
import type { CallParts } from './send.ts'
import type { RepositoryEntry } from './types.ts'

/** The names of a repository at one commit. */
export interface RepositoryTree {
  all(): Promise<readonly RepositoryEntry[]>
  /** What lies directly in a directory; undefined if there is no such directory. */
  inside(directory: string): Promise<readonly RepositoryEntry[] | undefined>
  entry(path: string): Promise<RepositoryEntry | undefined>
}

/** The tree of a commit: listed at once, or, where it is too big for that, walked directory by directory as needed. */
export async function treeOf(hub: Hub, commit: string, call: CallParts): Promise<RepositoryTree> {
  const whole = await listTree(hub, commit, true, call)
  return whole.truncated ? walkedTree(hub, commit, call) : listedTree(whole.entries)
}

const indexed = new WeakMap<readonly RepositoryEntry[], RepositoryTree>()

/** A tree of which everything is known. */
export function listedTree(entries: readonly RepositoryEntry[]): RepositoryTree {
  const known = indexed.get(entries)
  if (known) return known
  const byPath = new Map(entries.map(entry => [entry.path, entry]))
  const byParent = Map.groupBy(entries, ({ path }) => parentOf(path))
  const tree: RepositoryTree = {
    all: async () => entries,
    async inside(directory) {
      // One of submodules alone has nothing in it that is listed.
      const isThere = directory === '' || byPath.get(directory)?.kind === 'directory'
      return byParent.get(directory) ?? (isThere ? [] : undefined)
    },
    entry: async path => byPath.get(path),
  }
  indexed.set(entries, tree)
  return tree
}

function walkedTree(hub: Hub, commit: string, call: CallParts): RepositoryTree {
  const tree: RepositoryTree = {
    async all() {
      const found = await below(commit, '')
      return found.toSorted((one, other) => comparePaths(one.path, other.path))
    },
    async inside(directory) {
      if (directory === '') return own(commit, '')
      const entry = await tree.entry(directory)
      return entry?.kind === 'directory' ? own(entry.sha, directory) : undefined
    },
    async entry(path) {
      const around = await tree.inside(parentOf(path))
      return around?.find(entry => entry.path === path)
    },
  }
  return tree

  async function own(sha: string, directory: string): Promise<readonly RepositoryEntry[]> {
    const { entries, truncated } = await listTree(hub, sha, false, call)
    // Half a directory would look like a whole one.
    if (truncated) throw new ToolError('too_large', `GitHub does not list all of '${directory || '.'}': it is too big`)
    return within(directory, entries)
  }

  /** Each directory is tried whole first; only what is too big is taken apart, one request after another. */
  async function below(sha: string, directory: string): Promise<readonly RepositoryEntry[]> {
    const found: RepositoryEntry[] = []
    for (const entry of await own(sha, directory)) {
      found.push(entry)
      if (entry.kind !== 'directory') continue
      const { entries, truncated } = await listTree(hub, entry.sha, true, call)
      const inside = truncated ? await below(entry.sha, entry.path) : within(entry.path, entries)
      for (const each of inside) found.push(each)
    }
    return found
  }
}

const within = (directory: string, entries: readonly RepositoryEntry[]): readonly RepositoryEntry[] =>
  directory === '' ? entries : entries.map(entry => ({ ...entry, path: `${directory}/${entry.path}` }))
