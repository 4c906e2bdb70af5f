import { nameFromBytes } from '../../machine/workspace/name.ts'
import { countLines } from './count-lines.ts'
import { OMITTED_END } from './pattern/show-line.ts'
import type { MatchSink, OutputReader } from './match-sink.ts'

/** Arguments for the output that `readLines` reads. Lines longer than a thousand bytes are cut. */
export const LINES_OUTPUT = [
  '--null',
  '--heading',
  '--with-filename',
  '--line-number',
  '--no-context-separator',
  '--max-columns=1000',
  '--max-columns-preview',
]

const [NUL, NEWLINE, CARRIAGE_RETURN, DASH, DOT, ZERO, COLON] = [0, 10, 13, 45, 46, 48, 58]
const [EMPTY_LINE, DOT_LINE] = [Buffer.from('\n\n'), Buffer.from('\n.')]
const LONGEST = 1000
/** Only this suffix gives the number of matches in the rest of a long line. */
const CUT = / \[\.\.\. \d+ more match(?:es)?\]$/
const SEARCHED = /^(\d+) files searched$/

/**
 * Reads `./path NUL line`, lines `7:match` and `8-context`, an empty line between files, and optional figures at the
 * end. A line that begins with `./` right after the lines of a file is the warning that the file is binary.
 */
export function readLines(sink: MatchSink): OutputReader {
  let rest: Buffer = Buffer.alloc(0)
  let inFile = false
  /** The lines of this file are only counted. */
  let isCounted = false

  /** Returns the start of the next piece, or undefined if this one is incomplete. */
  const piece = (all: Buffer, at: number): number | undefined => {
    if (all[at] === DOT && !inFile) {
      const nul = all.indexOf(NUL, at)
      if (nul < 0) return undefined
      isCounted = !sink.file(nameFromBytes(all.subarray(at + 2, nul)))
      inFile = true
      return nul + 1
    }
    if (inFile && isCounted && all[at] !== NEWLINE) return countWholeLines(all, at)
    const end = all.indexOf(NEWLINE, at)
    if (end < 0) return undefined
    if (end === at) inFile = false
    else if (all[at] === DOT) sink.binary()
    else line(all, at, end)
    return end + 1
  }

  /** Counts whole lines up to the empty one. Only the warning begins with a dot. */
  const countWholeLines = (all: Buffer, at: number): number | undefined => {
    const empty = all.indexOf(EMPTY_LINE, at)
    const end = (empty < 0 ? all.lastIndexOf(NEWLINE) : empty) + 1
    if (end <= at) return undefined
    if (all[at] === DOT || all.subarray(at, end).includes(DOT_LINE)) sink.binary()
    else sink.count(linesBetween(all, at, end))
    return end
  }

  const line = (all: Buffer, at: number, end: number): void => {
    let place = at
    let number = 0
    for (let digit = all[place] ?? 0; digit >= ZERO && digit < COLON; digit = all[++place] ?? 0)
      number = number * 10 + digit - ZERO
    const isMatch = all[place] === COLON
    if (inFile && (isMatch || all[place] === DASH)) {
      const last = all[end - 1] === CARRIAGE_RETURN && end - 1 > place ? end - 1 : end
      const text = () => all.toString('utf8', place + 1, last)
      return sink.line(number, isMatch, last - place > LONGEST ? () => text().replace(CUT, OMITTED_END) : text)
    }
    const figure = SEARCHED.exec(all.toString('latin1', at, end))
    if (figure) sink.searched(Number(figure[1]))
  }

  return bytes => {
    const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    let at = 0
    for (let next = piece(all, at); next !== undefined; next = at < all.length ? piece(all, at) : undefined) at = next
    rest = all.subarray(at)
  }
}

/** Counts line feeds, word by word where the bytes begin at a whole word. */
function linesBetween(all: Buffer, from: number, to: number): number {
  if ((all.byteOffset & 3) === 0)
    return countLines(all, new Int32Array(all.buffer, all.byteOffset, all.length >> 2), from, to)
  let lines = 0
  for (let at = from; at < to; at++) if (all[at] === NEWLINE) lines++
  return lines
}
