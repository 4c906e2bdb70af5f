import { join } from '../workspace/path.ts'
import type { HeldDirectory } from './held-directory.ts'
import { listFiles } from './list-files.ts'
import { comparePaths } from './path-order.ts'
import type { StagedOverlay } from './staged-overlay.ts'
import type { Wanted } from './wanted-files.ts'

export interface FindOptions {
  /** Canonical directory to search from. */
  readonly directory: string
  /** Which paths below the directory are wanted. */
  readonly wanted: Wanted
  readonly maxResults: number
  readonly maxDepth: number
  readonly timeoutMs: number
  readonly mayRead: (path: string) => boolean
  readonly staged: StagedOverlay | undefined
  readonly signal?: AbortSignal | undefined
}

export interface FoundFiles {
  /** Relative to the workspace, in the order of a walk. */
  readonly files: readonly string[]
  /** All that there are, also those past the limit. */
  readonly total: number
  readonly timedOut: boolean
}

/** Finds files by their paths below a directory, leaving out what git ignores; `held` is undefined where only staging has it. */
export async function findFiles(held: HeldDirectory | undefined, options: FindOptions): Promise<FoundFiles> {
  const { directory, wanted, maxResults, staged, mayRead } = options
  const files: string[] = []
  let total = 0
  const take = (path: string): void => {
    const whole = join(directory, path)
    if (!wanted.matches(path) || staged?.hides(whole) || !mayRead(whole)) return
    total++
    if (files.length < maxResults) files.push(whole)
  }
  const added = stagedBelow(options)
  if (!held) return { files: added.slice(0, maxResults), total: added.length, timedOut: false }
  const { timedOut } = await listFiles({
    cwd: held.path,
    args: [`--max-depth=${options.maxDepth}`, ...wanted.args],
    timeoutMs: options.timeoutMs,
    signal: options.signal,
    onFile: take,
  })
  if (added.length === 0) return { files, total, timedOut }
  const all = [...files, ...added].toSorted(comparePaths)
  return { files: all.slice(0, maxResults), total: total + added.length, timedOut }
}

function stagedBelow({ directory, wanted, staged, mayRead, maxDepth }: FindOptions): readonly string[] {
  const prefix = directory === '.' ? '' : `${directory}/`
  return (staged?.files ?? []).filter(path => {
    if (!path.startsWith(prefix) || !mayRead(path)) return false
    const below = path.slice(prefix.length)
    return below.split('/').length <= maxDepth && wanted.matches(below)
  })
}
