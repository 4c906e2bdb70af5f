import { findLines, linesOf } from './find-lines.ts'
import { findText, type Place } from './find-text.ts'
import { fitLines } from './fit-lines.ts'
import { withEndsOf } from './line-ends.ts'
import { splitLines } from './plain-line.ts'
import { ambiguous, notFound, notIndentable, tooMany, noChange } from './edit-error.ts'
import type { Edit, Which } from './edit.ts'

export interface Spliced {
  readonly text: string
  readonly occurrences: number
  /** The old text stood in exactly one place. */
  readonly isUnique: boolean
  readonly applied: readonly { line: number; lines: number; old: string; new: string }[]
}

/** The longest text that one edit puts into a file, in all its places together, and the longest that comes of it. */
const MOST_NEW = 100_000_000
const MOST_TEXT = 400_000_000

/** Applies one edit to a text, or throws the reason. After an exact match no other way is tried. */
export function spliceEdit(
  text: string,
  edit: Edit,
  which: Which & { onAmbiguous: 'refuse' | 'first' },
  mostPlaces: number,
): Spliced {
  const { places, overlapping, loose } = findText(text, edit.old)
  const [first] = places
  if (!first) return edit.match === 'lines' ? applyToLines(text, edit, which) : fail(notFound(text, edit, which))
  if (edit.match === 'lines' && places.length === 1 && isShiftedLine(text, first, edit))
    return applyToLines(text, edit, which)
  const several = places.length > 1 || overlapping !== undefined
  if (several && !edit.all && which.onAmbiguous === 'refuse')
    throw ambiguous(text, overlapping ? [...places, overlapping] : places, which)
  const targets = edit.all ? places : [first]
  const newLength = targets.length * edit.new.length
  const isTooLong = newLength > 0 && (newLength > MOST_NEW || text.length + newLength > MOST_TEXT)
  if (targets.length > mostPlaces || isTooLong) throw tooMany(places.length, which)
  const splices = targets.map(place => ({ ...place, new: withEndsOf(text, place, { ...edit, loose }) }))
  return { ...splice(text, splices), occurrences: places.length, isUnique: !several }
}

function applyToLines(text: string, edit: Edit, which: Which): Spliced {
  const file = linesOf(text)
  const places = findLines(file.lines, splitLines(edit.old))
  const [first] = places
  if (first === undefined) throw notFound(text, edit, which)
  if (places.length > 1)
    throw ambiguous(
      text,
      places.map(line => ({ start: file.starts[line] ?? 0 })),
      which,
    )
  const replacement = fitLines(text, file, first, edit.old, edit.new)
  if (!replacement) throw notIndentable(first + 1, first + splitLines(edit.old).length, which)
  if (text.slice(replacement.start, replacement.end) === replacement.new) throw noChange(first + 1, which)
  return { ...splice(text, [replacement]), occurrences: 1, isUnique: true }
}

/** One line without its indentation that becomes several: the others must be shifted too. */
function isShiftedLine(text: string, { start, end }: Place, edit: Edit): boolean {
  if (splitLines(edit.old).length > 1 || splitLines(edit.new).length < 2) return false
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  return before !== '' && before.trim() === '' && /^[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + 1000))
}

function splice(text: string, splices: readonly (Place & { new: string })[]): Pick<Spliced, 'text' | 'applied'> {
  const parts: string[] = []
  const appliedEdits: { line: number; lines: number; old: string; new: string }[] = []
  let at = 0
  let line = 1
  for (const { start, end, new: now } of splices) {
    const before = text.slice(at, start)
    const old = text.slice(start, end)
    line += count(before)
    appliedEdits.push({ line, lines: splitLines(old).length, old, new: now })
    line += count(old)
    parts.push(before, now)
    at = end
  }
  parts.push(text.slice(at))
  return { text: parts.join(''), applied: appliedEdits }
}

function count(text: string): number {
  let ends = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) ends++
  return ends
}

function fail(error: Error): never {
  throw error
}
