import { bytesBelow, workspacesIn } from './workspaces.ts'

interface StateSize {
  readonly bytes: number
  readonly workspaces: readonly WorkspaceSize[]
}

interface WorkspaceSize {
  readonly key: string
  readonly root: string
  readonly bytes: number
  readonly journal: number
  readonly payloads: number
  readonly transactions: number
  readonly commits: number
  /** Size of the caches. */
  readonly caches: number
}

/** Returns the size of the state directory, in total and by workspace, largest first. */
export function stateSize(home: string): StateSize {
  const workspaces = workspacesIn(home).map(
    ({ key, root, path, journal, payloads, transactions, commits, caches }) => ({
      key,
      root,
      bytes: bytesBelow(path),
      journal: bytesBelow(journal),
      payloads: bytesBelow(payloads),
      transactions: bytesBelow(transactions),
      commits: bytesBelow(commits),
      caches: caches.reduce((sum, cache) => sum + bytesBelow(cache), 0),
    }),
  )
  return { bytes: bytesBelow(home), workspaces: workspaces.toSorted((a, b) => b.bytes - a.bytes) }
}
