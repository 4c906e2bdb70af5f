import { isSecretFile, EXAMPLE_FILES, SECRET_FILES } from '../../kernel/secret-files.ts'
import type { UserPlaces } from '../tree/ignore/user-places.ts'
import { join } from '../../machine/workspace/path.ts'
import type { HeldDirectory } from './held-directory.ts'
import { isHiddenBy } from './is-hidden.ts'
import { listFiles } from './list-files.ts'
import { mergeMatches } from './merge-matches.ts'
import { scan, tellsFiles, type Scanned } from './scan.ts'
import { hidesBelow, isBelow, type SearchView } from './search-view.ts'
import type { StagedOverlay } from './staged-overlay.ts'
import type { Grepped, GrepOptions } from './types.ts'

/** Arguments that exclude files with secrets, so that ripgrep neither reads nor counts them. */
const WITHOUT_SECRETS: readonly string[] = SECRET_FILES.flatMap(besidesExamples).map(glob => `--iglob=!**/${glob}`)

/** ripgrep cannot re-include a file that a glob excluded, so globs must be written around the examples. */
function besidesExamples(glob: string): readonly string[] {
  const beginning = glob.endsWith('*') ? glob.slice(0, -1) : undefined
  const examples = EXAMPLE_FILES.filter(name => beginning !== undefined && name.startsWith(beginning))
  if (beginning === undefined || examples.length === 0) return [glob]
  return anyButThese(
    beginning,
    examples.map(name => name.slice(beginning.length)),
  )
}

/** Returns globs for all names with this beginning that end in none of these ways. */
function anyButThese(beginning: string, endings: readonly string[]): readonly string[] {
  const next = [...new Set(endings.map(ending => ending.slice(0, 1)))].filter(letter => letter !== '')
  return [
    ...(endings.includes('') ? [] : [beginning]),
    next.length > 0 ? `${beginning}[!${next.join('')}]*` : `${beginning}?*`,
    ...next.flatMap(letter =>
      anyButThese(
        beginning + letter,
        endings.filter(ending => ending.startsWith(letter)).map(ending => ending.slice(1)),
      ),
    ),
  ]
}

/** Finds lines in the text files of a workspace, as staged. Returns partial results if time runs out. */
export async function grep(
  start: HeldDirectory | undefined,
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
  const isSecret = (path: string) => isClosed(path) && !isHidden?.(path)
  const knowsMore =
    isHidden !== undefined ||
    secretFiles === 'some' ||
    staged !== undefined ||
    wanted?.isExact === false ||
    options.countsText === true ||
    !tellsFiles(options)
  const without = foreign?.args(directory) ?? []
  const args = [...(wanted?.args ?? []), ...without, ...(secretFiles === 'closed' ? WITHOUT_SECRETS : [])]
  const stagedAsked = stagedHere.filter(path => isAsked(path) && mayRead(path))
  const stagedCount = options.countsText ? stagedAsked.filter(path => staged?.isText(path)).length : stagedAsked.length
  const listsAll = isHidden !== undefined || secretFiles !== 'open'
  const counting = { args, without, staged, user, isAsked, isHidden, isSecret }
  const [disk, knownCounts, stagedScan] = await Promise.all([
    start &&
      scan(options, {
        cwd: start.path,
        root: start.root,
        args,
        sees: path => onDisk(path) && mayRead(path),
        mayKnow: mayRead,
        place: path => join(directory, path),
        user,
      }),
    start && (knowsMore || listsAll)
      ? count(start, options, { ...counting, listsAll, countsFiles: knowsMore })
      : undefined,
    staged && searchTexts(options, stagedCount, () => staged.materialize(stagedAsked)),
  ])
  const isUnsure = !knowsMore && disk?.isCountUnsure
  const again = start && isUnsure && (await count(start, options, { ...counting, listsAll: false, countsFiles: true }))
  const fileCounts = knowsMore ? knownCounts : again
  const diskScan = disk && { ...disk, filesSearched: fileCounts ? fileCounts.files : disk.filesSearched }
  return {
    ...mergeMatches(
      [diskScan, stagedScan].filter(part => part !== undefined),
      options,
    ),
    filesHidden: (knownCounts?.hidden ?? 0) + stagedHere.filter(path => isHidden?.(path)).length,
    secretsLeftOut: (knownCounts?.secrets ?? 0) + stagedHere.filter(isSecret).length,
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
  /** Reports whether a file is left out only because it holds secrets. */
  readonly isSecret: (path: string) => boolean
  /** Lists all files below the directory, to count those that are left out. */
  readonly listsAll: boolean
  readonly countsFiles: boolean
}

/**
 * Counts the searched files the caller may know of, and all files below the directory that rules hide or that hold
 * secrets. The other counts ignore globs, because a narrowed count would reveal names.
 */
async function count(
  { path: cwd, root }: HeldDirectory,
  { directory, timeoutMs, signal, hidden, countsText }: GrepOptions & { readonly directory: string },
  { args, without, staged, user, isAsked, isHidden, isSecret, listsAll, countsFiles }: Counting,
): Promise<{ files: number; hidden: number; secrets: number }> {
  const counts = { files: 0, hidden: 0, secrets: 0 }
  const listing = { cwd, within: { root, directory }, timeoutMs, signal, user }
  const onDisk = (take: (path: string) => void) => (below: string) => {
    const path = join(directory, below)
    if (!staged?.hides(path)) take(path)
  }
  const isApart = countsFiles && (countsText === true || !listsAll)
  const countFile = (path: string): void => {
    if (isAsked(path) && !isHidden?.(path)) counts.files++
  }
  const countAny = (path: string): void => {
    if (isHidden?.(path)) counts.hidden++
    else if (isSecret(path)) counts.secrets++
    else if (!isApart) countFile(path)
  }
  await Promise.all([
    listsAll && listFiles({ ...listing, args: without, onFile: onDisk(countAny) }),
    isApart && listFiles({ ...listing, args, hidden, textOnly: countsText, onFile: onDisk(countFile) }),
  ])
  return counts
}
