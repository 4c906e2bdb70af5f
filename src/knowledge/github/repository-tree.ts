import { z } from 'zod'
import { ToolError } from '../../kernel/error.ts'
import { comparePaths } from '../search/path-order.ts'
import type { Hub } from './hub.ts'
import { parentOf } from './repository-path.ts'
import type { CallParts } from './send.ts'
import type { RepositoryEntry, TreeListing } from './types.ts'
import { getFrom } from './api.ts'
import { jsonOf } from './json-of.ts'

const listing = z.object({
  truncated: z.boolean().optional(),
  tree: z.array(
    z.object({ path: z.string(), mode: z.string(), type: z.string(), sha: z.string(), size: z.number().optional() }),
  ),
})

const MOST_BYTES = 64 * 1024 * 1024

/** Returns the immutable tree of a commit or directory, recursively or not. */
async function listTree(hub: Hub, sha: string, recursive: boolean, call: CallParts): Promise<TreeListing> {
  const key = `${sha}${recursive ? '/**' : ''}`
  const cachedTree = hub.trees.get(key)
  if (cachedTree) return cachedTree
  const { bytes, truncated } = await getFrom(
    hub,
    {
      path: `/repos/${hub.connection.repository}/git/trees/${sha}${recursive ? '?recursive=1' : ''}`,
      what: `tree ${sha} of ${hub.connection.repository}`,
      maxBytes: MOST_BYTES,
    },
    call,
  )
  const answer = truncated ? undefined : listing.safeParse(jsonOf(bytes))
  if (!answer?.success)
    throw new ToolError('io', `GitHub gave a list of ${hub.connection.repository} that cannot be read`, {
      hint: 'Check that the address of the connection is that of a GitHub API',
    })
  const entries = answer.data.tree.flatMap(entryOf).toSorted((one, other) => comparePaths(one.path, other.path))
  const tree = { entries, truncated: answer.data.truncated ?? false }
  hub.trees.set(key, tree, entries.length * 250 + 100)
  return tree
}

/** Submodules are other repositories. */
function entryOf({ path, mode, type, sha, size = 0 }: z.output<typeof listing>['tree'][number]): RepositoryEntry[] {
  if (type === 'tree') return [{ path, kind: 'directory', size: 0, sha }]
  return type === 'blob' ? [{ path, kind: mode === '120000' ? 'link' : 'file', size, sha }] : []
}

/** The names of a repository at one commit. */
export interface RepositoryTree {
  all(): Promise<readonly RepositoryEntry[]>
  /** Returns the entries of a directory, or undefined if there is none. */
  inside(directory: string): Promise<readonly RepositoryEntry[] | undefined>
  entry(path: string): Promise<RepositoryEntry | undefined>
}

/** Returns the tree of a commit: listed at once, or, if it is too large, walked directory by directory on demand. */
export async function treeOf(hub: Hub, commit: string, call: CallParts): Promise<RepositoryTree> {
  const whole = await listTree(hub, commit, true, call)
  return whole.truncated ? walkedTree(hub, commit, call) : listedTree(whole.entries)
}

const treeByEntries = new WeakMap<readonly RepositoryEntry[], RepositoryTree>()

/** A completely listed tree. */
export function listedTree(entries: readonly RepositoryEntry[]): RepositoryTree {
  const cachedTree = treeByEntries.get(entries)
  if (cachedTree) return cachedTree
  const byPath = new Map(entries.map(entry => [entry.path, entry]))
  const byParent = Map.groupBy(entries, ({ path }) => parentOf(path))
  const tree: RepositoryTree = {
    all: async () => entries,
    async inside(directory) {
      // A directory with only submodules has no listed entries.
      const isThere = directory === '' || byPath.get(directory)?.kind === 'directory'
      return byParent.get(directory) ?? (isThere ? [] : undefined)
    },
    entry: async path => byPath.get(path),
  }
  treeByEntries.set(entries, tree)
  return tree
}

function walkedTree(hub: Hub, commit: string, call: CallParts): RepositoryTree {
  const tree: RepositoryTree = {
    async all() {
      const entries = await below(commit, '')
      return entries.toSorted((one, other) => comparePaths(one.path, other.path))
    },
    async inside(directory) {
      if (directory === '') return entriesOf(commit, '')
      const entry = await tree.entry(directory)
      return entry?.kind === 'directory' ? entriesOf(entry.sha, directory) : undefined
    },
    async entry(path) {
      const around = await tree.inside(parentOf(path))
      return around?.find(entry => entry.path === path)
    },
  }
  return tree

  async function entriesOf(sha: string, directory: string): Promise<readonly RepositoryEntry[]> {
    const { entries, truncated } = await listTree(hub, sha, false, call)
    // A partial directory would look complete.
    if (truncated) throw new ToolError('too_large', `GitHub does not list all of '${directory || '.'}': it is too big`)
    return within(directory, entries)
  }

  /** Lists each directory recursively first; splits only those that are too large, one request after another. */
  async function below(sha: string, directory: string): Promise<readonly RepositoryEntry[]> {
    const allEntries: RepositoryEntry[] = []
    for (const entry of await entriesOf(sha, directory)) {
      allEntries.push(entry)
      if (entry.kind !== 'directory') continue
      const { entries, truncated } = await listTree(hub, entry.sha, true, call)
      const inside = truncated ? await below(entry.sha, entry.path) : within(entry.path, entries)
      for (const each of inside) allEntries.push(each)
    }
    return allEntries
  }
}

const within = (directory: string, entries: readonly RepositoryEntry[]): readonly RepositoryEntry[] =>
  directory === '' ? entries : entries.map(entry => ({ ...entry, path: `${directory}/${entry.path}` }))
