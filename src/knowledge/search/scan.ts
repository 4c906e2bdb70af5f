import type { UserPlaces } from '../tree/ignore/user-places.ts'
import { refusedPattern } from './check-patterns.ts'
import { collectMatches, type Collected } from './collect-matches.ts'
import { LINES_OUTPUT, readLines } from './read-lines.ts'
import { MESSAGES_OUTPUT, readMessages, readSingleMatches } from './read-messages.ts'
import { runRipgrep } from './ripgrep.ts'
import type { GrepOptions, Unreadable } from './types.ts'
import { isDirectory, unreadableList } from './unreadable-files.ts'
import { nameFromBytes } from '../../machine/workspace/name.ts'
import type { MatchSink, OutputReader } from './match-sink.ts'

interface Scanning {
  /** The directory to search. */
  readonly cwd: string
  /** What ripgrep is told besides what the options say. */
  readonly args: readonly string[]
  readonly sees: (path: string) => boolean
  /** Reports whether a path may be told, whatever the globs; `sees` unless given. */
  readonly mayKnow?: (path: string) => boolean
  readonly place: (path: string) => string
  readonly user?: UserPlaces | undefined
  /** What ripgrep may hold in memory before it is run in the order of paths. */
  readonly maxBytes?: number
}

export interface Scanned extends Collected {
  readonly timedOut: boolean
  readonly unreadable?: Unreadable
}

/** ripgrep itself needs a fraction of this; what is above it is output of one file that waits for its end. */
const LARGEST_HELD = 128 * 1024 * 1024

/**
 * One run of ripgrep over a directory, with all its threads and in no order: we sort the few files that are shown.
 * Where a single file gives it more than it should hold, it runs again in the order of paths: with one thread, which holds
 * nothing back, and the first files first where the time is over before the last.
 */
export async function scan(options: GrepOptions, scanning: Scanning): Promise<Scanned> {
  const { maxBytes = LARGEST_HELD } = scanning
  const since = performance.now()
  const whole = await scanOnce(options, scanning, { timeoutMs: options.timeoutMs, maxBytes })
  if (!whole.outgrew) return whole
  const timeoutMs = Math.max(1, options.timeoutMs - (performance.now() - since))
  const again = await scanOnce(options, { ...scanning, args: ['--sort=path', ...scanning.args] }, { timeoutMs })
  // Where little time was left, the first run came further.
  return again.timedOut && again.total < whole.total ? { ...whole, timedOut: true } : again
}

async function scanOnce(
  options: GrepOptions,
  { cwd, args, sees, mayKnow = sees, place, user }: Scanning,
  bounds: { readonly timeoutMs: number; readonly maxBytes?: number },
): Promise<Scanned & { readonly outgrew: boolean }> {
  const { before = 0, after = 0, skip = 0, maxResults, only, signal, hidden } = options
  const sink = collectMatches({ room: skip + maxResults, before, after, onlyFiles: only !== undefined, sees, place })
  const output = outputOf(options)
  const refused = unreadableList()
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
      // Globs name files: what is in a directory that cannot be read is not known.
      if (!sees(file.path) && !(mayKnow(file.path) && isDirectory(cwd, path))) return
      refused.add(file)
    },
  })
  if (complaint !== undefined) throw refusedPattern(complaint)
  return { ...sink.collected(), timedOut, outgrew, ...refused.get() }
}

/**
 * Whether ripgrep tells how many files it looked into: for that it finds every single match of a line, which costs it a
 * tenfold where a pattern such as `.` matches everywhere.
 */
export const tellsFiles = ({ patterns, regex, invert, multiline, onlyMatching }: GrepOptions): boolean =>
  multiline === true ||
  onlyMatching === true ||
  (!invert && patterns.every(pattern => (regex ? isRareExpression : isRareText)(pattern)))

/** Plain text of some length is seldom found twice in a line. */
const isRareText = (text: string): boolean => text.length >= 3

/** Reports whether each alternative spells some text, as far as a glance can tell: one that is wrong costs time and nothing else. */
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

const searchArgs = (options: GrepOptions): readonly string[] => [
  '--crlf',
  // A pattern that blows up when it is compiled is refused within a fraction of a second.
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

/** What makes ripgrep print what `readCounts` reads. */
const COUNTS_OUTPUT = ['--null', '--with-filename', '--count']

const [NUL, NEWLINE, DOT] = [0, 10, 46]
const SEARCHED = /^(\d+) files searched$/

/** Reads `./path NUL count` for each file with a match, and an empty line with figures at the end where there are such. */
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
