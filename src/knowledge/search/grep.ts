import { isSecretFile } from '../../kernel/secret-files.ts'
import type { UserPlaces } from '../tree/ignore/user-places.ts'
import { join } from '../../machine/workspace/path.ts'
import type { HeldDirectory } from './held-directory.ts'
import { isHiddenBy } from './is-hidden.ts'
import { listFiles } from './list-files.ts'
import { mergeMatches } from './merge-matches.ts'
import { scan, tellsFiles, type Scanned } from './scan.ts'
import { hidesBelow, isBelow, type SearchView } from './search-view.ts'
import { WITHOUT_SECRETS } from './secret-args.ts'
import type { StagedOverlay } from './staged-overlay.ts'
import type { Grepped, GrepOptions } from './types.ts'

/** Finds lines in the text files of a workspace, as staged. Returns partial results if time runs out. */
export async function grep(
  held: HeldDirectory | undefined,
  options: GrepOptions & { readonly directory: string },
  world: SearchView,
): Promise<Grepped> {
  const { wanted, mayRead, secretFiles, staged, foreign, user } = world
  const { directory } = options
  const isWanted = (path: string) => wanted?.matches(path) ?? true
  const onDisk = (path: string) => isWanted(path) && !staged?.hides(path)
  const stagedHere = (staged?.files ?? []).filter(path => isBelow(path, { directory }) && !foreign?.matches(path))
  const isClosed = (path: string) => secretFiles !== 'open' && isSecretFile(path) && !mayRead(path)
  const isAsked = (path: string) => isBelow(path, options) && isWanted(path) && !isClosed(path)
  const isHidden = hidesBelow(world, directory) ? isHiddenBy(world) : undefined
  const knowsMore =
    isHidden !== undefined ||
    secretFiles === 'some' ||
    staged !== undefined ||
    wanted?.isExact === false ||
    !tellsFiles(options)
  const without = foreign?.args(directory) ?? []
  const args = [...(wanted?.args ?? []), ...without, ...(secretFiles === 'closed' ? WITHOUT_SECRETS : [])]
  const stagedAsked = stagedHere.filter(path => isAsked(path) && mayRead(path))
  const counting = { args, without, staged, user, isAsked, isHidden }
  const [disk, known, added] = await Promise.all([
    held &&
      scan(options, {
        cwd: held.path,
        root: held.root,
        args,
        sees: path => onDisk(path) && mayRead(path),
        mayKnow: mayRead,
        place: path => join(directory, path),
        user,
      }),
    held && knowsMore ? count(held, options, counting) : undefined,
    staged && searchTexts(options, stagedAsked.length, () => staged.materialize(stagedAsked)),
  ])
  const listed = known ?? (held && disk?.isCountUnsure && (await count(held, options, counting)))
  const counted = disk && { ...disk, filesSearched: listed?.files ?? disk.filesSearched }
  return {
    ...mergeMatches(
      [counted, added].filter(part => part !== undefined),
      options,
    ),
    filesHidden: (listed?.hidden ?? 0) + stagedHere.filter(path => isHidden?.(path)).length,
    freshness: { source: 'scan' },
  }
}

/** Searches files in a private directory created for them: all of them, whatever their names. */
export async function searchTexts(
  options: GrepOptions,
  filesSearched: number,
  materialize: () => { readonly path: string; remove(): void },
): Promise<Scanned> {
  const directory = materialize()
  try {
    const scanning = { cwd: directory.path, args: ['--no-ignore'], sees: () => true, place: (path: string) => path }
    return { ...(await scan({ ...options, hidden: true }, scanning)), filesSearched }
  } finally {
    directory.remove()
  }
}

interface Counting {
  /** Arguments that narrow the listing to the wanted files. */
  readonly args: readonly string[]
  /** The subset that excludes files foreign to the workspace. */
  readonly without: readonly string[]
  readonly staged: StagedOverlay | undefined
  readonly user: UserPlaces | undefined
  readonly isAsked: (path: string) => boolean
  /** Undefined if no rule hides a file below the directory. */
  readonly isHidden: ((path: string) => boolean) | undefined
}

/**
 * Counts the searched files the caller may know of, and all files below the directory that rules hide. The second count
 * ignores globs, because a narrowed count would reveal names.
 */
async function count(
  { path: cwd, root }: HeldDirectory,
  { directory, timeoutMs, signal, hidden }: GrepOptions & { readonly directory: string },
  { args, without, staged, user, isAsked, isHidden }: Counting,
): Promise<{ files: number; hidden: number }> {
  const counted = { files: 0, hidden: 0 }
  const onFile = (below: string): void => {
    const path = join(directory, below)
    if (staged?.hides(path)) return
    if (isHidden?.(path)) counted.hidden++
    else if (isAsked(path)) counted.files++
  }
  await listFiles({
    cwd,
    within: { root, directory },
    ...(isHidden ? { args: without } : { args, hidden }),
    timeoutMs,
    signal,
    user,
    onFile,
  })
  return counted
}
