import { ToolError } from '../../../kernel/error.ts'
import type { Edit, Which } from './edit.ts'
import { findText, lineOf } from './find-text.ts'
import { nearestText } from './nearest-text.ts'

/** The old text is not found. Says whether the new text already exists, and shows the nearest text with its lines. */
export function notFound(text: string, edit: Edit, which: Which): ToolError {
  const appliedLine = appliedAt(text, edit)
  const nearest = appliedLine === undefined ? nearestText(text, edit.old) : undefined
  const hint =
    appliedLine !== undefined
      ? `The new text is already there, at line ${appliedLine}: this edit seems to be applied.`
      : !nearest
        ? 'Nothing like it is there: read the file again.'
        : nearest.similarity === 1
          ? `Lines ${nearest.from}-${nearest.to} differ only in blanks, indentation or quotes: copy them exactly, or match by lines.`
          : `The nearest text is at lines ${nearest.from}-${nearest.to}: copy it exactly as it is there.`
  return new ToolError('no_match', `Text not found in ${which.path}${inEdit(which)}`, {
    hint,
    details: {
      ...which,
      ...(appliedLine === undefined ? {} : { alreadyApplied: true, line: appliedLine }),
      ...(nearest ? { nearest } : {}),
    },
  })
}

/** The old text occurs several times and the edit does not say which one. */
export function ambiguous(text: string, places: readonly { start: number }[], which: Which): ToolError {
  const lines = [...new Set(places.slice(0, MOST_LINES).map(({ start }) => lineOf(text, start)))]
  const more = places.length > MOST_LINES ? ' …' : ''
  const where = `${lines.length === 1 && more === '' ? 'line' : 'lines'} ${lines.join(', ')}${more}`
  return new ToolError('ambiguous', `Text found ${places.length} times in ${which.path}${inEdit(which)}`, {
    hint: `It is at ${where}: add text around it until it is unique, or replace all.`,
    details: { ...which, lines, occurrences: places.length },
  })
}

/** The edits would replace so much that the call would not end. */
export const tooMany = (places: number, which: Which): ToolError =>
  new ToolError('too_large', `Text found ${places} times in ${which.path}, too many to replace${inEdit(which)}`, {
    hint: 'Add text around it so that fewer places match, or have a command do it, such as sed.',
    details: { ...which, occurrences: places },
  })

/** The place is clear, but not the indentation of the new lines. */
export const notIndentable = (from: number, to: number, which: Which): ToolError =>
  new ToolError('no_match', `Lines ${from}-${to} of ${which.path} are indented differently${inEdit(which)}`, {
    hint: 'Copy the old text with the indentation it has in the file, and indent the new text alike.',
    details: { ...which, nearest: { from, to } },
  })

/** Fitted to the place, the new text equals the existing one. */
export const noChange = (line: number, which: Which): ToolError =>
  new ToolError('no_match', `The edit changes nothing in ${which.path}${inEdit(which)}`, {
    hint: `The new text is already there, at line ${line}: this edit seems to be applied.`,
    details: { ...which, alreadyApplied: true, line },
  })

const MOST_LINES = 20
/** Shorter new texts occur anywhere by chance. */
const TELLING = 4

function appliedAt(text: string, edit: Edit): number | undefined {
  if (edit.new.trim().length < TELLING) return undefined
  const [place] = findText(text, edit.new).places
  return place && lineOf(text, place.start)
}

const inEdit = ({ edit, of }: Which): string => (of > 1 ? ` (edit ${edit + 1} of ${of})` : '')
