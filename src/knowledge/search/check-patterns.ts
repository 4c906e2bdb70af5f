import { ToolError } from '../../kernel/error.ts'
import { expandedSize } from './expanded-size.ts'
import type { GrepOptions } from './types.ts'

const LONGEST_PATTERN = 2_000
const MOST_PATTERNS = 100
/** An expression of this size costs less than half a second for each 100 KB of a hostile line. */
const LARGEST_SIZE = 1_500

/** Throws `invalid_input` for patterns that are unsafe or useless to search for. */
export function checkPatterns({ patterns, regex, multiline }: GrepOptions): void {
  if (patterns.length === 0 || patterns.length > MOST_PATTERNS)
    throw new ToolError('invalid_input', `${patterns.length} patterns were given; 1 to ${MOST_PATTERNS} are taken`, {
      hint: 'Search for some of them at a time',
    })
  const length = patterns.reduce((sum, pattern) => sum + pattern.length, 0)
  if (length > LONGEST_PATTERN)
    throw new ToolError(
      'invalid_input',
      `${subject(patterns)} ${length} characters; at most ${LONGEST_PATTERN} are taken`,
      {
        hint: 'Search for a shorter piece of it',
      },
    )
  const broken = patterns.find(pattern => (multiline ? /\0/ : /[\0\n]/).test(pattern))
  if (broken !== undefined)
    throw new ToolError(
      'invalid_input',
      `The pattern holds a ${broken.includes('\0') ? 'NUL character' : 'line break'}; it is matched within one line`,
      { hint: 'Search for one line of it' },
    )
  const size = regex ? patterns.reduce((sum, pattern) => sum + expandedSize(pattern), 0) : 0
  if (size > Math.max(LARGEST_SIZE, length))
    throw invalidRegex(`its repetitions expand to ${size} steps; at most ${LARGEST_SIZE} are accepted`)
}

const subject = (patterns: readonly string[]): string =>
  patterns.length === 1 ? 'The pattern has' : 'The patterns have'

/** Converts ripgrep's complaint about a pattern into our own error. */
export function refusedPattern(complaint: string): ToolError {
  const lines = complaint.split('\n').filter(line => line.trim() !== '')
  const error = lines.findLast(line => line.startsWith('error: '))?.slice('error: '.length)
  return invalidRegex(error ?? (lines[0] ?? complaint).replace(/^rg: /, '').replace(/\.$/, ''))
}

const invalidRegex = (reason: string): ToolError =>
  new ToolError('invalid_input', `Invalid regex pattern: ${reason}`, {
    hint: 'Correct the pattern, or search for it as plain text',
    details: { regex: reason },
  })
