import { firstByPath } from './first-by-path.ts'
import type { MatchSink } from './match-sink.ts'
import type { GrepMatch } from './types.ts'

interface Collecting {
  /** Number of matches to keep (files with `only`): the first in path order. */
  readonly room: number
  readonly before: number
  readonly after: number
  readonly onlyFiles: boolean
  /** Reports whether a file counts. */
  readonly sees: (path: string) => boolean
  /** Maps ripgrep's path, relative to its start directory, to the path in the workspace. */
  readonly place: (path: string) => string
}

export interface Collected {
  /** Every file with a match, as ripgrep spelled it. */
  readonly spellings: readonly string[]
  readonly matches: readonly GrepMatch[]
  readonly files: readonly { readonly path: string; readonly count: number }[]
  readonly total: number
  readonly filesFound: number
  readonly filesSearched: number
}

interface Growing {
  readonly path: string
  readonly spelling: string
  readonly keeps: boolean
  readonly matches: CollectedMatch[]
  count: number
}

interface CollectedMatch {
  readonly match: GrepMatch
  /** Lines up to `until` still belong to this match. */
  readonly after: string[]
  readonly until: number
}

/** Collects matches from files in any order. Memory depends on the room, not on the number of matches. */
export function collectMatches(collecting: Collecting): MatchSink & { collected(): Collected } {
  const { room, before, after, onlyFiles, sees, place } = collecting
  const first = firstByPath<Growing>(room, ({ matches }) => (onlyFiles ? 1 : matches.length))
  let file: Growing | undefined
  let recent: { line: number; text: string }[] = []
  let waiting: CollectedMatch[] = []
  let total = 0
  const spellings: string[] = []
  let filesSearched = 0

  const finish = (): void => {
    if (!file || file.count === 0) return
    total += file.count
    spellings.push(file.spelling)
    first.add(file)
    file = undefined
  }

  /** Adds one of the matches in lines that begin at `start`. */
  const addMatch = (growing: Growing, start: number, lines: readonly string[], [top, end]: Place): void => {
    const match = { path: growing.path, line: start + top, text: lines.slice(top, end + 1).join('\n') }
    const from = Math.max(0, top - before)
    const above = [...recent, ...numberLines(start + from, lines.slice(from, top))].filter(
      one => one.line >= match.line - before,
    )
    const context = before + after > 0 && { context: { before: above.map(one => one.text), after: [] } }
    const matchWithRest = {
      match: { ...match, ...context },
      after: lines.slice(end + 1, end + 1 + after),
      until: start + end + after,
    }
    growing.matches.push(matchWithRest)
    if (after > 0) waiting.push(matchWithRest)
  }

  return {
    file(path) {
      finish()
      recent = []
      waiting = []
      const whole = place(path)
      file = sees(whole) ? { path: whole, spelling: path, keeps: first.wants(whole), matches: [], count: 0 } : undefined
      // Context lines must be told apart from the others.
      return before + after > 0 || (file?.keeps === true && !onlyFiles)
    },
    line(line, isMatch, text, found) {
      if (!file) return
      if (isMatch) file.count += found?.count ?? 1
      if (!file.keeps || onlyFiles) return
      const isCollected = isMatch && file.matches.length < room
      if (waiting.length > 0) waiting = waiting.filter(({ until }) => until >= line)
      if (!isCollected && waiting.length === 0 && before === 0) return
      const lines = text().split('\n')
      for (const one of waiting) one.after.push(...lines.slice(0, one.until - line + 1))
      if (isCollected)
        for (const one of found?.places() ?? [[0, lines.length - 1] as const])
          if (file.matches.length < room) addMatch(file, line, lines, one)
      if (before > 0) recent = [...recent, ...numberLines(line, lines)].slice(-before)
    },
    count(lines) {
      if (file) file.count += lines
    },
    binary() {
      file = undefined
    },
    searched(files) {
      filesSearched += files
    },
    collected() {
      finish()
      const firstFiles = first.sorted()
      const matches = onlyFiles ? [] : firstFiles.flatMap(one => one.matches.map(withContext)).slice(0, room)
      return {
        matches,
        files: firstFiles.map(({ path, count }) => ({ path, count })),
        spellings,
        total,
        filesFound: spellings.length,
        filesSearched,
      }
    },
  }
}

/** The first and the last line of a match, counted from 0. */
type Place = readonly [number, number]

const numberLines = (first: number, lines: readonly string[]): { line: number; text: string }[] =>
  lines.map((text, at) => ({ line: first + at, text }))

const withContext = ({ match, after }: CollectedMatch): GrepMatch =>
  match.context ? { ...match, context: { before: match.context.before, after } } : match
