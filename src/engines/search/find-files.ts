import { join } from '../workspace/path.ts'
import { firstByPath } from './first-by-path.ts'
import type { HeldDirectory } from './held-directory.ts'
import { listFiles } from './list-files.ts'
import { isBelow, type SearchWorld } from './search-world.ts'
import type { FindOptions, FoundFiles } from './types.ts'
import type { Wanted } from './wanted-files.ts'

export interface Finding extends FindOptions {
  /** Canonical directory to search from. */
  readonly directory: string
  readonly timeoutMs: number
}

/** Finds files by their paths below a directory, leaving out what git ignores; `held` is undefined where only staging has it. */
export async function findFiles(
  held: HeldDirectory | undefined,
  finding: Finding,
  { mayRead, staged, wanted }: Omit<SearchWorld, 'wanted'> & { readonly wanted: Wanted },
): Promise<FoundFiles> {
  const { directory, maxResults, maxDepth, skip = 0, timeoutMs, signal, hidden } = finding
  const first = firstByPath<{ path: string }>(skip + maxResults, () => 1)
  let [total, filesHidden] = [0, 0]
  const take = (path: string): void => {
    if (!mayRead(path)) return void filesHidden++
    total++
    first.add({ path })
  }
  const onFile = (path: string): void => {
    const whole = join(directory, path)
    if (wanted.matches(path) && !staged?.hides(whole)) take(whole)
  }
  for (const path of staged?.files ?? []) {
    const below = directory === '.' ? path : path.slice(directory.length + 1)
    if (isBelow(path, finding) && below.split('/').length <= maxDepth && wanted.matches(below)) take(path)
  }
  const args = [`--max-depth=${maxDepth}`, ...wanted.args]
  const { timedOut } = held
    ? await listFiles({ cwd: held.path, args, timeoutMs, signal, hidden, onFile })
    : { timedOut: false }
  const files = first.sorted().map(({ path }) => path)
  return { files: files.slice(skip, skip + maxResults), total, filesHidden, timedOut, freshness: { source: 'scan' } }
}
