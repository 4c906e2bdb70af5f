import { sanitize, sanitizeBlock } from '../../kernel/sanitize.ts'
import type { Colour, Paint, Style } from './paint.ts'
import { textAt, textsIn, type Fields } from './shape.ts'

/** Colours the lines of a unified diff. */
export const diffLines = (diff: string, { paint }: Style): string[] =>
  sanitizeBlock(diff.replace(/\n$/, ''))
    .split('\n')
    .map(line => colourLine(line, paint))

function colourLine(line: string, paint: Paint): string {
  const colour = colourOf(line)
  return colour ? paint(colour, line) : line
}

/** Colours the diff in a question: the indented lines below `Changes:`. */
export function colouredDiff(lines: readonly string[], paint: Paint): string[] {
  const start = lines.indexOf('Changes:') + 1
  if (start === 0) return [...lines]
  const length = lines.slice(start).findIndex(line => !line.startsWith('  '))
  const end = length === -1 ? lines.length : start + length
  return lines.map((line, at) => (at >= start && at < end ? `  ${colourLine(line.slice(2), paint)}` : line))
}

/** Renders the diff of an answer. */
export const diffOf = (data: Fields, style: Style): string[] => {
  const diff = textAt(data, 'diff') ?? ''
  return diff === '' ? [] : diffLines(diff, style)
}

function colourOf(line: string): Colour | undefined {
  if (/^(?:diff |index |--- |\+\+\+ |(?:new|deleted) file|rename |similarity )/.test(line)) return 'bold'
  if (line.startsWith('@@')) return 'cyan'
  if (line.startsWith('+')) return 'green'
  return line.startsWith('-') ? 'red' : undefined
}

/** Renders added and removed names. */
export const movedLines = ({ added, removed }: Fields, { paint }: Style): string[] => [
  ...(textsIn(added) ?? []).map(each => paint('green', `+ ${sanitize(each)}`)),
  ...(textsIn(removed) ?? []).map(each => paint('red', `- ${sanitize(each)}`)),
]
