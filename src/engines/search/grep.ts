import { ToolError } from '../../kernel/error.ts'
import { expandedSize } from './expanded-size.ts'
import type { HeldDirectory } from './held-directory.ts'
import { listFiles } from './list-files.ts'
import { comparePaths } from './path-order.ts'
import { readMatches, type GrepMatch } from './read-matches.ts'
import { runRipgrep } from './ripgrep.ts'
import type { StagedOverlay } from './staged-overlay.ts'
import type { Wanted } from './wanted-files.ts'

export type { GrepMatch }

export interface GrepOptions {
  readonly pattern: string
  readonly regex?: boolean
  /** Only files that this glob names. */
  readonly glob?: string | undefined
  readonly maxResults: number
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export interface GrepWorld {
  readonly wanted: Wanted | undefined
  readonly mayRead: (path: string) => boolean
  /** Rules hide some files, so that what ripgrep counts is not what the caller may know. */
  readonly hidesSome: boolean
  readonly staged: StagedOverlay | undefined
}

export interface Grepped {
  readonly matches: readonly GrepMatch[]
  /** All that there are, also those past the limit. */
  readonly total: number
  readonly filesSearched: number
  readonly timedOut: boolean
}

const LONGEST_PATTERN = 2_000
/** An expression of this size costs less than half a second for each 100 KB of a hostile line. */
const LARGEST_SIZE = 1_500
/** What `readMatches` reads; a line longer than a thousand bytes is shown by its beginning. */
const OUTPUT = [
  '--null',
  '--no-heading',
  '--with-filename',
  '--line-number',
  '--stats',
  '--crlf',
  '--max-columns=1000',
  '--max-columns-preview',
]

/** Finds lines in the text files of a workspace as staged; where time runs out, what was found so far. */
export async function grep(held: HeldDirectory, options: GrepOptions, world: GrepWorld): Promise<Grepped> {
  checkPattern(options)
  const { wanted, mayRead, staged } = world
  const seesName = (path: string) => (wanted?.matches(path) ?? true) && mayRead(path)
  const onDisk = (path: string) => !staged?.hides(path) && seesName(path)
  const args = wanted?.args ?? []
  const knowsMore = world.hidesSome || staged !== undefined || wanted?.isExact === false
  const [disk, counted, added] = await Promise.all([
    search(held.path, options, args, onDisk),
    knowsMore ? count(held.path, options, args, onDisk) : undefined,
    staged && searchStaged(staged, options, staged.files.filter(seesName)),
  ])
  const filesSearched = (counted ?? disk.filesSearched) + (added?.filesSearched ?? 0)
  const { total, timedOut } = disk
  if (!added || added.total === 0) return { matches: disk.matches, total, filesSearched, timedOut }
  // Stable: the lines of one file stay in their order.
  const all = [...disk.matches, ...added.matches].toSorted((one, other) => comparePaths(one.path, other.path))
  return {
    matches: all.slice(0, options.maxResults),
    total: total + added.total,
    filesSearched,
    timedOut: timedOut || added.timedOut,
  }
}

function checkPattern({ pattern, regex }: GrepOptions): void {
  if (pattern.length > LONGEST_PATTERN)
    throw new ToolError(
      'invalid_input',
      `The pattern has ${pattern.length} characters; at most ${LONGEST_PATTERN} are taken`,
      { hint: 'Search for a shorter piece of it' },
    )
  if (/[\0\n]/.test(pattern))
    throw new ToolError(
      'invalid_input',
      `The pattern holds a ${pattern.includes('\0') ? 'NUL character' : 'line break'}; it is matched within one line`,
      { hint: 'Search for one line of it' },
    )
  const size = regex ? expandedSize(pattern) : 0
  if (size > Math.max(LARGEST_SIZE, pattern.length))
    throw invalidRegex(`its repetitions come to ${size} steps, at most ${LARGEST_SIZE} are taken`)
}

async function search(
  cwd: string,
  { pattern, regex = false, maxResults, timeoutMs, signal }: GrepOptions,
  more: readonly string[],
  sees: (path: string) => boolean,
): Promise<Grepped> {
  let matches: GrepMatch[] = []
  let total = 0
  let file = { path: '', isSeen: false, count: 0 }
  const reader = readMatches({
    match(match) {
      if (match.path !== file.path) file = { path: match.path, isSeen: sees(match.path), count: 0 }
      if (!file.isSeen) return
      file.count++
      total++
      if (matches.length < maxResults) matches.push(match)
    },
    binary(path) {
      total -= file.count
      matches = matches.filter(match => match.path !== path)
    },
  })
  const { timedOut, complaint } = await runRipgrep({
    cwd,
    args: [
      ...OUTPUT,
      // A pattern that blows up when it is compiled is refused within a fraction of a second.
      '--regex-size-limit=10M',
      ...(regex ? [] : ['--fixed-strings']),
      ...more,
      `--regexp=${pattern}`,
      '.',
    ],
    timeoutMs,
    ...(signal && { signal }),
    onOutput: reader.read,
  })
  if (complaint !== undefined) throw refused(complaint)
  return { matches, total, filesSearched: reader.filesSearched(), timedOut }
}

/** How many of the files that are searched the caller may know of. */
async function count(
  cwd: string,
  { timeoutMs, signal }: GrepOptions,
  args: readonly string[],
  sees: (path: string) => boolean,
): Promise<number> {
  let files = 0
  await listFiles({ cwd, args, timeoutMs, signal, onFile: path => void (sees(path) && files++) })
  return files
}

async function searchStaged(staged: StagedOverlay, options: GrepOptions, paths: readonly string[]): Promise<Grepped> {
  const directory = staged.materialize(paths)
  try {
    return await search(directory.path, options, ['--no-ignore'], () => true)
  } finally {
    directory.remove()
  }
}

function refused(complaint: string): ToolError {
  const lines = complaint.split('\n').filter(line => line.trim() !== '')
  const error = lines.findLast(line => line.startsWith('error: '))?.slice('error: '.length)
  const reason = error ?? (lines[0] ?? complaint).replace(/^rg: /, '').replace(/\.$/, '')
  return invalidRegex(reason)
}

const invalidRegex = (reason: string): ToolError =>
  new ToolError('invalid_input', `Invalid regex pattern: ${reason}`, {
    hint: 'Mend the pattern, or search for it as plain text',
    details: { regex: reason },
  })
