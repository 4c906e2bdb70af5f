import { numberedLines } from './numbered-text.ts'
import type { Style } from './paint.ts'
import { isFields, numberAt, textAt, type Fields } from './shape.ts'

/** Renders the code around one highlighted line. */
export function aroundLines(data: Fields, style: Style): string[] {
  const line = numberAt(data, 'line', 'errorLine') ?? 1
  const around = isFields(data['context']) ? data['context'] : data
  const above = splitIn(textAt(around, 'before'))
  const errorLine = textAt(around, 'text', 'errorLine') ?? ''
  return numberedLines([...above, errorLine, ...splitIn(textAt(around, 'after'))], line - above.length, style, line)
}

const splitIn = (text = ''): readonly string[] => (text === '' ? [] : text.split('\n'))
