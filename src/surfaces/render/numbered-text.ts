import { sanitize, sanitizeBlock } from '../../kernel/sanitize.ts'
import type { Style } from './paint.ts'
import { isFields, numberAt, textAt, type Fields } from './shape.ts'

/** Splits a text into lines without control characters. A final line end starts no further line. */
export const plainLines = (text: string): string[] => (text === '' ? [] : linesOf(sanitizeBlock(text)))

const linesOf = (text: string): string[] => text.replace(/\n$/, '').split('\n')

/** Numbers lines, starting with `from`, and highlights the line `marked`. */
export function numberedLines(lines: readonly string[], from: number, { paint }: Style, markedLine?: number): string[] {
  const width = String(from + lines.length - 1).length
  return lines.map((line, at) => {
    const number = from + at
    const label = String(number).padStart(width)
    const text = sanitizeBlock(line)
    if (markedLine === undefined) return `${paint('green', label)}  ${text}`.trimEnd()
    return `${number === markedLine ? paint('hit', `> ${label}`) : `  ${paint('green', label)}`}  ${text}`.trimEnd()
  })
}

/** Describes a file that people view instead of read; it has no lines of its own. */
export function mediaLines({ content, media }: Fields, { paint }: Style): string[] {
  const note = isFields(media) ? textAt(media, 'note') : undefined
  const lines = plainLines(String(content))
  return note === undefined ? lines : [...lines, '', paint('dim', sanitize(note))]
}

/** Renders the content of an answer, with numbers if it gives the first line. */
export function contentLines(data: Fields, style: Style): string[] {
  const [content = '', from] = [textAt(data, 'content'), numberAt(data, 'from')]
  return from === undefined || content === '' ? plainLines(content) : numberedLines(linesOf(content), from, style)
}
