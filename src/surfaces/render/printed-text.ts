import { plainLines } from './numbered-text.ts'
import type { Style } from './paint.ts'
import { textAt, type Fields } from './shape.ts'

/** Renders a command's output. */
export function printedLines(data: Fields, { paint }: Style): string[] {
  const [stdout = '', stderr = ''] = [textAt(data, 'stdout'), textAt(data, 'stderr')]
  const both = stdout !== '' && stderr !== ''
  return [...plainLines(stdout), ...(both ? [paint('dim', 'Standard error:')] : []), ...plainLines(stderr)]
}
