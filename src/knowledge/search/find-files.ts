import { join } from '../../machine/workspace/path.ts'
import { entryInPlace } from './entries-in-place.ts'
import { firstByPath } from './first-by-path.ts'
import type { HeldDirectory } from './held-directory.ts'
import { isHiddenBy } from './is-hidden.ts'
import { listFiles } from './list-files.ts'
import { hidesBelow, isBelow, type SearchView } from './search-view.ts'
import type { FindOptions, FoundFiles } from './types.ts'
import { unreadableList, type UnreadableFile } from './unreadable-files.ts'
import type { Wanted } from './wanted-files.ts'

interface Finding extends FindOptions {
  /** Canonical directory to search from. */
  readonly directory: string
  readonly timeoutMs: number
}

/**
 * Finds files by their paths below a directory, without those that git ignores. `start` is undefined if the directory
 * exists only in staging.
 */
export async function findFiles(
  start: HeldDirectory | undefined,
  finding: Finding,
  world: Omit<SearchView, 'wanted'> & { readonly wanted: Wanted },
): Promise<FoundFiles> {
  const { directory, maxResults, maxDepth, skip = 0, timeoutMs, signal, hidden } = finding
  const { mayRead, staged, wanted, foreign, user } = world
  const first = firstByPath<{ path: string }>(skip + maxResults, () => 1)
  const countsAll = hidesBelow(world, directory)
  const isHidden = countsAll ? isHiddenBy(world) : () => false
  let [total, filesHidden] = [0, 0]
  const take = (path: string, below: string): void => {
    if (isHidden(path)) return void filesHidden++
    const isAsked = isBelow(path, finding) && below.split('/').length <= maxDepth && wanted.matches(below)
    if (!isAsked || !mayRead(path)) return
    total++
    first.add({ path })
  }
  const onFile = (below: string): void => {
    const path = join(directory, below)
    if (!staged?.hides(path)) take(path, below)
  }
  const unreadableFiles = unreadableList()
  const onUnreadable = ({ path: below, why }: UnreadableFile): void => {
    const path = join(directory, below)
    const isAsked = below.split('/').length < maxDepth && !(hidden === false && /(^|\/)\./.test(below))
    if (isAsked && !isHidden(path) && mayRead(path) && start && entryInPlace(start.root, path))
      unreadableFiles.add({ path, why })
  }
  for (const path of staged?.files ?? [])
    if (isBelow(path, { directory }) && !foreign?.matches(path))
      take(path, directory === '.' ? path : path.slice(directory.length + 1))
  // A count narrowed by a glob would reveal names of hidden files, so list all files if some may be hidden.
  const without = foreign?.args(directory) ?? []
  const listing = countsAll
    ? { args: without }
    : { args: [`--max-depth=${maxDepth}`, ...wanted.args, ...without], hidden }
  const { timedOut } = start
    ? await listFiles({
        cwd: start.path,
        within: { root: start.root, directory },
        ...listing,
        timeoutMs,
        signal,
        user,
        onFile,
        onUnreadable,
      })
    : { timedOut: false }
  const files = first.sorted().map(({ path }) => path)
  return {
    files: files.slice(skip, skip + maxResults),
    total,
    filesHidden,
    ...unreadableFiles.get(),
    timedOut,
    freshness: { source: 'scan' },
  }
}
