import type { Hunk } from './patch-types.ts'
import { badPatch, stricter } from './patch-error.ts'

interface HunkRange {
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
}

/** Returns the numbers of `@@ -1,2 +3,4 @@`, or undefined for any other line. */
export function hunkRange(line: string): HunkRange | undefined {
  const match = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line)
  if (match === null || !line.endsWith('\n')) return undefined
  const [, oldStart, oldLines = '1', newStart, newLines = '1'] = match
  return {
    oldStart: Number(oldStart),
    oldLines: Number(oldLines),
    newStart: Number(newStart),
    newLines: Number(newLines),
  }
}

/** Returns the hunk that begins at `lines[start]`, and the line after it. */
export function readHunk(lines: readonly string[], start: number): { readonly hunk: Hunk; readonly next: number } {
  const range = hunkRange(lines[start] ?? '')
  if (range === undefined) throw badPatch(start + 1, 'the hunk header is not `@@ -line,count +line,count @@`')
  if (Object.values(range).some(number => number > LARGEST))
    throw stricter('number', start + 1, 'a number of the hunk header is too large', 'Count the lines again.')
  let { oldLines, newLines } = range
  let at = start + 1
  const body: string[] = []
  let hasChange = false
  for (; (oldLines !== 0 || newLines !== 0) && at < lines.length; at++) {
    const line = lines[at] ?? ''
    const operation = line.charAt(0)
    if (!line.endsWith('\n')) throw badPatch(at + 1, 'the patch ends inside a line', CUT_OFF)
    if (operation === '\\') {
      if (line.length < 12 || line.charAt(1) !== ' ') throw badPatch(at + 1, 'not a line of a hunk', COUNTS)
      cutNewline(body, at)
      continue
    }
    if (operation !== ' ' && operation !== '\n' && operation !== '-' && operation !== '+')
      throw badPatch(at + 1, 'not a line of a hunk, though its header counts more lines', COUNTS)
    if (operation !== '+') oldLines--
    if (operation !== '-') newLines--
    hasChange ||= operation === '-' || operation === '+'
    // A mailer or a model dropped the blank of an empty context line.
    body.push(operation === '\n' ? ' \n' : line)
  }
  if (oldLines !== 0 || newLines !== 0)
    throw badPatch(at, 'the hunk does not have the lines that its header counts', COUNTS)
  if (!hasChange) throw badPatch(at, 'the hunk changes nothing', COUNTS)
  const mark = lines[at]
  if (mark !== undefined && mark.startsWith('\\ ') && mark.length > 12) cutNewline(body, at++)
  checkMarks(body, start)
  checkNothingLeft(lines, at)
  return { hunk: { at: start + 1, place: 'line', ...range, lines: body }, next: at }
}

const LARGEST = 0x7fffffff
const CUT_OFF = 'Send the whole patch; its last line needs a line end too.'
const COUNTS = 'The counts of `@@ -line,count +line,count @@` must be those of the lines below it.'

/** "\ No newline at end of file" refers to the line before it. */
function cutNewline(body: string[], at: number): void {
  const last = body.pop()
  if (last === undefined)
    throw stricter('no-newline', at + 1, 'no line precedes the missing line end', 'Put it after the last line.')
  body.push(last.endsWith('\n') ? last.slice(0, -1) : last)
}

/** Only the last line of a side may lack its line end; git would join two lines into one. */
function checkMarks(body: readonly string[], start: number): void {
  const oldSide = body.filter(line => !line.startsWith('+'))
  const newSide = body.filter(line => !line.startsWith('-'))
  if ([oldSide, newSide].every(side => side.slice(0, -1).every(line => line.endsWith('\n')))) return
  throw stricter(
    'no-newline',
    start + 1,
    'a line in the middle of the hunk is marked as the end of the file',
    'Put `\\ No newline at end of file` after the last line only.',
  )
}

/** A hunk line after the counted ones means wrong counts; git would drop it silently. */
function checkNothingLeft(lines: readonly string[], at: number): void {
  const line = lines[at] ?? ''
  const starts = line.charAt(0)
  if (starts !== '+' && starts !== '-' && starts !== ' ') return
  if (/^--[ \r]?\r?\n?$/.test(line)) return
  if (line.startsWith('--- ') && (lines[at + 1] ?? '').startsWith('+++ ')) return
  throw stricter('counts', at + 1, 'the hunk continues after the lines that its header counts', COUNTS)
}
