import type { Applied, Hunk } from './patch-types.ts'
import { createLineImage, type LineImage } from './line-image.ts'
import { bodyOf, endOf, linesOf } from './byte-lines.ts'
import { misplacedHunk, type Misplaced } from './misplaced-hunk.ts'
import { nearestPlace, somePlaces } from './find-place.ts'
import { applyByText } from './apply-by-text.ts'

interface HunkOptions {
  /** Number of outer context lines that may be dropped if the place is unique without them. */
  readonly fuzz: number
  readonly reverse: boolean
  /** The path for messages. */
  readonly file?: string
}

/** Applies the hunks of one file exactly. A hunk without a place fails the file with `no_match`. */
export function applyHunks(before: Buffer, hunks: readonly Hunk[], options: HunkOptions): Applied {
  const lines = linesOf(before.toString('latin1'))
  const file = options.file ?? 'the file'
  if (hunks.some(hunk => hunk.place === 'text')) return applyByText(lines, hunks, file)
  const image = createLineImage(lines)
  const offsets: number[] = []
  const fuzz: number[] = []
  for (const [index, hunk] of hunks.entries()) {
    const asWritten = fitOf(options.reverse ? reverseHunk(hunk) : hunk)
    const hunkPlace = placeOf(image, asWritten, options.fuzz)
    if (typeof hunkPlace === 'string')
      throw misplacedHunk(hunkPlace, { ...asWritten, image, file, hunk: index + 1, patchLine: hunk.at })
    const { fit, at, dropped } = hunkPlace
    const end = fit.after.length - dropped.trailing
    image.replace(at, fit.before.length - dropped.leading - dropped.trailing, fit.after.slice(dropped.leading, end))
    offsets.push(at - dropped.leading - fit.expected)
    fuzz.push(fit === asWritten ? Math.max(dropped.leading, dropped.trailing) : 1)
  }
  return { bytes: Buffer.from(image.join(), 'latin1'), offsets, fuzz }
}

/** The hunk that undoes a hunk. */
export const reverseHunk = (hunk: Hunk): Hunk => ({
  ...hunk,
  oldStart: hunk.newStart,
  oldLines: hunk.newLines,
  newStart: hunk.oldStart,
  newLines: hunk.oldLines,
  lines: hunk.lines.map(line => (FLIP[line.charAt(0)] ?? ' ') + line.slice(1)),
})

const FLIP: Readonly<Record<string, string>> = { '+': '-', '-': '+' }

/** A hunk prepared for the search. */
interface Fit {
  readonly bare: boolean
  readonly before: readonly string[]
  readonly after: readonly string[]
  readonly leading: number
  readonly trailing: number
  readonly expected: number
  readonly atStart: boolean
  readonly atEnd: boolean
}

function fitOf(hunk: Hunk): Fit {
  const before = hunk.lines.filter(line => !line.startsWith('+')).map(line => line.slice(1))
  const after = hunk.lines.filter(line => !line.startsWith('-')).map(line => line.slice(1))
  const isContext = (line: string): boolean => line.startsWith(' ')
  const leading = hunk.lines.findIndex(line => !isContext(line))
  const trailing = hunk.lines.length - 1 - hunk.lines.findLastIndex(line => !isContext(line))
  const bare = hunk.place === 'bare'
  // A hunk without remaining lines names the line before it.
  const expectedLine = bare && hunk.newLines === 0 ? hunk.newStart : Math.max(hunk.newStart - 1, 0)
  const atStart = hunk.oldStart === 0 || (hunk.oldStart === 1 && !bare)
  return { bare, before, after, leading, trailing, expected: expectedLine, atStart, atEnd: trailing === 0 && !bare }
}

interface Found {
  /** The hunk as matched: fuzz may have changed its line ends. */
  readonly fit: Fit
  readonly at: number
  readonly dropped: { readonly leading: number; readonly trailing: number }
}

function placeOf(image: LineImage, fit: Fit, fuzz: number): Found | Misplaced {
  const droppedContext = { leading: 0, trailing: 0 }
  const at = fit.bare ? barePlace(image, fit) : nearestPlace(image, fit.before, fit)
  if (typeof at === 'number' && at >= 0)
    return endsRight(image, fit, at) ? { fit, at, dropped: droppedContext } : 'not-at-end'
  const other = fuzz > 0 ? otherLineEnds(fit) : undefined
  const places = other === undefined ? [] : somePlaces(image, other.before)
  if (other !== undefined && places.length === 1 && places[0] !== undefined)
    return { fit: other, at: places[0], dropped: droppedContext }
  for (let level = 1; level <= Math.min(fuzz, Math.max(fit.leading, fit.trailing)); level++) {
    const fuzzyFit = fuzzyPlace(image, fit, level)
    if (fuzzyFit !== undefined) return fuzzyFit
  }
  return typeof at === 'string' ? at : 'absent'
}

/** Without context, only the exact line or unique text determines the place. */
function barePlace(image: LineImage, fit: Fit): number | 'ambiguous' | 'past-end' {
  const expectedLine = fit.atStart ? 0 : fit.expected
  if (expectedLine <= image.length() && image.matches(expectedLine, fit.before)) return expectedLine
  if (fit.before.length === 0) return 'past-end'
  if (fit.atStart) return -1
  const [only = -1, ...others] = somePlaces(image, fit.before)
  return others.length > 0 ? 'ambiguous' : only
}

/** Returns the hunk with LF for CRLF in all lines or vice versa, or undefined if its line ends are mixed or absent. */
function otherLineEnds(fit: Fit): Fit | undefined {
  const all = [...fit.before, ...fit.after]
  const crlf = all.every(line => line.endsWith('\r\n'))
  if (fit.before.length === 0 || (!crlf && all.some(line => endOf(line) !== '\n'))) return undefined
  const flip = (line: string): string => bodyOf(line) + (crlf ? '\n' : '\r\n')
  return { ...fit, before: fit.before.map(flip), after: fit.after.map(flip) }
}

/** Drops context like GNU patch: the longer side first, both if they are equal. */
function fuzzyPlace(image: LineImage, fit: Fit, level: number): Found | 'ambiguous' | undefined {
  const context = Math.max(fit.leading, fit.trailing)
  const leading = Math.max(0, level + fit.leading - context)
  const trailing = Math.max(0, level + fit.trailing - context)
  const searchedLines = fit.before.slice(leading, fit.before.length - trailing)
  if (searchedLines.length === 0) return 'ambiguous'
  const [at, ...others] = somePlaces(image, searchedLines)
  if (at === undefined) return undefined
  if (others.length > 0) return 'ambiguous'
  return endsRight(image, fit, at, trailing) ? { fit, at, dropped: { leading, trailing } } : undefined
}

/** A side without a final line end must be at the end of the file; git would join it with the next line. */
function endsRight(image: LineImage, fit: Fit, at: number, dropped = 0): boolean {
  const sides = [fit.before, fit.after].map(side => side[side.length - 1 - dropped] ?? '\n')
  const next = at + fit.before.length - dropped
  return sides.every(line => line.endsWith('\n')) || next >= image.length()
}
