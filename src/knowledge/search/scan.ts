import type { UserPlaces } from '../tree/ignore/user-places.ts'
import { refusedPattern } from './check-patterns.ts'
import { collectMatches, type Collected } from './collect-matches.ts'
import { entryInPlace } from './entries-in-place.ts'
import { linkHeld } from './link-held.ts'
import { mergeMatches } from './merge-matches.ts'
import { LINES_OUTPUT, readLines } from './read-lines.ts'
import { MESSAGES_OUTPUT, readMessages, readSingleMatches } from './read-messages.ts'
import { runRipgrep } from './ripgrep.ts'
import type { GrepOptions, Unreadable } from './types.ts'
import { unreadableList } from './unreadable-files.ts'
import { watchNames } from './unchanged-names.ts'
import { nameFromBytes } from '../../machine/workspace/name.ts'
import type { Root } from '../../machine/workspace/root.ts'
import type { MatchSink, OutputReader } from './match-sink.ts'

interface Scanning {
  /** The directory to search. */
  readonly cwd: string
  /** The workspace of the directory, in which others may exchange names. Undefined for a private directory. */
  readonly root?: Root
  /** Arguments for ripgrep besides those from the options. */
  readonly args: readonly string[]
  readonly sees: (path: string) => boolean
  /** Reports whether a path may be revealed, regardless of globs; default `sees`. */
  readonly mayKnow?: (path: string) => boolean
  readonly place: (path: string) => string
  readonly user?: UserPlaces | undefined
  /** Memory limit for ripgrep before it runs again in path order. */
  readonly maxBytes?: number
}

export interface Scanned extends Omit<Collected, 'spellings'> {
  readonly timedOut: boolean
  readonly unreadable?: Unreadable
  /** Names changed meanwhile, so that the number of searched files may count files from elsewhere. */
  readonly isCountUnsure?: true
}

/** ripgrep needs a fraction of this; the rest is buffered output of one file. */
const LARGEST_HELD = 128 * 1024 * 1024

/**
 * Searches a directory. ripgrep opens files by their paths, on which another program may exchange a name for a link. If
 * any name on the way to a match may have changed, opens these files one by one and searches them as they are held.
 */
export async function scan(options: GrepOptions, scanning: Scanning): Promise<Scanned> {
  const { root, cwd, place } = scanning
  const until = performance.now() + options.timeoutMs
  const areUnchanged = root && watchNames(cwd)
  const { spellings, ...firstScan } = await scanAll(options, scanning)
  if (!root || spellings.length === 0 || areUnchanged?.(spellings)) return firstScan
  const timeoutMs = Math.max(until - performance.now(), options.timeoutMs / LEAST_SHARE)
  const heldScan = await scanHeld(root, spellings.map(place), { ...options, timeoutMs })
  const { unreadable } = firstScan
  return {
    ...heldScan,
    filesSearched: firstScan.filesSearched,
    timedOut: firstScan.timedOut || heldScan.timedOut,
    ...(unreadable && { unreadable }),
    isCountUnsure: true,
  }
}

/** The second search gets at least this share of the time. */
const LEAST_SHARE = 10

/** Searches these files, each opened through the held walk. */
async function scanHeld(root: Root, paths: readonly string[], options: GrepOptions): Promise<Scanned> {
  const parts: Scanned[] = []
  for (let at = 0; at < paths.length; at += MOST_OPEN) {
    const links = linkHeld(root, paths.slice(at, at + MOST_OPEN))
    try {
      const args = ['--no-ignore', '--follow']
      const scanning = { cwd: links.path, args, sees: () => true, place: links.pathOf }
      const { spellings: _, ...part } = await scanAll({ ...options, hidden: true }, scanning)
      parts.push(part)
    } finally {
      links.release()
    }
  }
  const { skip = 0, maxResults } = options
  const { matches, files = [], ...rest } = mergeMatches(parts, { ...options, skip: 0, maxResults: skip + maxResults })
  return { ...rest, matches, files }
}

/** More descriptors than this are never open at once for one search. */
const MOST_OPEN = 500

/**
 * Runs ripgrep over a directory with all its threads and unsorted: we sort the few files shown. If a single file
 * exceeds the memory limit, runs it again in path order: with one thread, which buffers nothing, and with the first
 * files first if time runs out.
 */
async function scanAll(options: GrepOptions, scanning: Scanning): Promise<ScannedOnce> {
  const { maxBytes = LARGEST_HELD } = scanning
  const since = performance.now()
  const { outgrew, ...whole } = await scanOnce(options, scanning, { timeoutMs: options.timeoutMs, maxBytes })
  if (!outgrew) return whole
  const timeoutMs = Math.max(1, options.timeoutMs - (performance.now() - since))
  const inPathOrder = { ...scanning, args: ['--sort=path', ...scanning.args] }
  const { outgrew: _, ...again } = await scanOnce(options, inPathOrder, { timeoutMs })
  // With little time left, the first run got further.
  return again.timedOut && again.total < whole.total ? { ...whole, timedOut: true } : again
}

type ScannedOnce = Omit<Scanned, 'isCountUnsure'> & Pick<Collected, 'spellings'>

async function scanOnce(
  options: GrepOptions,
  { cwd, root, args, sees, mayKnow = sees, place, user }: Scanning,
  bounds: { readonly timeoutMs: number; readonly maxBytes?: number },
): Promise<ScannedOnce & { readonly outgrew: boolean }> {
  const { before = 0, after = 0, skip = 0, maxResults, only, signal, hidden } = options
  const sink = collectMatches({ room: skip + maxResults, before, after, onlyFiles: only !== undefined, sees, place })
  const output = outputOf(options)
  const unreadableFiles = unreadableList()
  const { timedOut, outgrew, complaint } = await runRipgrep({
    cwd,
    hidden,
    signal,
    user,
    ...bounds,
    args: [...output.args, ...searchArgs(options), ...args, '.'],
    onOutput: output.reader(sink),
    onUnreadable({ path, why }) {
      const file = { path: place(path), why }
      const entry = root && entryInPlace(root, file.path)
      // Globs name files; the contents of an unreadable directory are unknown.
      if (!entry || !(sees(file.path) || (mayKnow(file.path) && entry.isDirectory()))) return
      unreadableFiles.add(file)
    },
  })
  if (complaint !== undefined && !isOfRemoved(complaint)) throw refusedPattern(complaint)
  return { ...sink.collected(), timedOut, outgrew, ...unreadableFiles.get() }
}

/** Another process removed the directory while ripgrep started: there is nothing in it to find. */
const isOfRemoved = (complaint: string): boolean => complaint.includes('failed to get current working directory')

/**
 * Reports whether ripgrep can count the files it searched. It then finds every single match in a line, which is ten
 * times slower for a pattern such as `.` that matches everywhere.
 */
export const tellsFiles = ({ patterns, regex, invert, multiline, onlyMatching }: GrepOptions): boolean =>
  multiline === true ||
  onlyMatching === true ||
  (!invert && patterns.every(pattern => (regex ? isRareExpression : isRareText)(pattern)))

/** Plain text of some length seldom occurs twice in a line. */
const isRareText = (text: string): boolean => text.length >= 3

/** Reports whether each alternative contains some text. A quick check: an error costs only time. */
const isRareExpression = (expression: string): boolean =>
  !/\)[*?{]/.test(expression) &&
  expression
    .replaceAll(/\\.|\[[^\]]*\]/g, ' ')
    .split('|')
    .every(alternative => /\w{3}/.test(alternative))

function outputOf(options: GrepOptions) {
  if (options.onlyMatching) return { args: MESSAGES_OUTPUT, reader: readSingleMatches }
  if (options.multiline) return { args: MESSAGES_OUTPUT, reader: readMessages }
  const [output, reader] = options.only === undefined ? [LINES_OUTPUT, readLines] : [COUNTS_OUTPUT, readCounts]
  return { args: tellsFiles(options) ? [...output, '--stats'] : output, reader }
}

/** The arguments that say what to find. */
export const searchArgs = (options: Omit<GrepOptions, 'maxResults' | 'timeoutMs'>): readonly string[] => [
  '--crlf',
  // ripgrep then refuses a pattern that expands too far within a fraction of a second.
  '--regex-size-limit=10M',
  ...(options.regex ? [] : ['--fixed-strings']),
  ...(options.ignoreCase ? ['--ignore-case'] : []),
  ...(options.word ? ['--word-regexp'] : []),
  ...(options.invert ? ['--invert-match'] : []),
  ...(options.multiline ? ['--multiline'] : []),
  ...(options.only === undefined && options.before ? [`--before-context=${options.before}`] : []),
  ...(options.only === undefined && options.after ? [`--after-context=${options.after}`] : []),
  ...options.patterns.map(pattern => `--regexp=${pattern}`),
]

/** Arguments for the output that `readCounts` reads. */
const COUNTS_OUTPUT = ['--null', '--with-filename', '--count']

const [NUL, NEWLINE, DOT] = [0, 10, 46]
const SEARCHED = /^(\d+) files searched$/

/** Reads `./path NUL count` for each file with a match, and optional figures after an empty line at the end. */
export function readCounts(sink: MatchSink): OutputReader {
  let rest: Buffer = Buffer.alloc(0)
  return bytes => {
    const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    let at = 0
    for (;;) {
      const nul = all[at] === DOT ? all.indexOf(NUL, at) : at - 1
      const end = nul < 0 && all[at] === DOT ? -1 : all.indexOf(NEWLINE, nul + 1)
      if (end < 0) break
      const text = all.toString('latin1', nul + 1, end).trim()
      if (nul >= at) {
        sink.file(nameFromBytes(all.subarray(at + 2, nul)))
        sink.count(Number(text))
      } else sink.searched(Number(SEARCHED.exec(text)?.[1] ?? 0))
      at = end + 1
    }
    rest = all.subarray(at)
  }
}
