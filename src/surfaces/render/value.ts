import { sanitize, sanitizeBlock } from '../../kernel/sanitize.ts'
import type { Style } from './paint.ts'
import { haveAll, inWords, isFields, objectsIn, pathAt, textsIn, type Fields } from './shape.ts'

/** A kind of list, by the fields of its objects, and its renderer, loaded on first use. */
interface Kind {
  readonly is: (list: readonly Fields[]) => boolean
  readonly load: () => Promise<(list: readonly Fields[], style: Style) => string[]>
}

const arePlaces = (list: readonly Fields[], ...names: readonly string[]): boolean =>
  haveAll(list, ...names) && list.every(each => pathAt(each) !== undefined)

const KINDS: readonly Kind[] = [
  { is: list => arePlaces(list, 'line', 'text'), load: async () => (await import('./matches.ts')).matchLines },
  // Replaced texts are parts of lines; the diff beside them has the lines.
  { is: list => haveAll(list, 'line', 'old', 'new'), load: async () => () => [] },
  {
    is: list => arePlaces(list, 'line', 'message'),
    load: async () => (await import('./diagnostics.ts')).diagnosticLines,
  },
  { is: list => haveAll(list, 'name', 'passed'), load: async () => (await import('./diagnostics.ts')).verdictLines },
  { is: list => haveAll(list, 'name', 'signature'), load: async () => (await import('./outline.ts')).outlineLines },
  {
    is: list => arePlaces(list, 'type') || arePlaces(list, 'depth'),
    load: async () => (await import('./path-tree.ts')).pathTreeLines,
  },
  { is: () => true, load: async () => (await import('./table.ts')).listLines },
]

/** Renders one field of an answer; no lines if there is nothing to show. */
export async function valueLines(key: string, value: unknown, style: Style): Promise<string[]> {
  const texts = textsIn(value)
  if (texts && key === 'errors') return (await import('./diagnostics.ts')).errorLines(texts, style)
  if (texts) return texts.map(text => sanitize(text))
  const objects = objectsIn(value)
  if (objects) return (await KINDS.find(({ is }) => is(objects))?.load())?.(objects, style) ?? []
  if (Array.isArray(value)) return value.map(each => sanitize(JSON.stringify(each)))
  if (isFields(value)) return fieldLines(key, value, style)
  return value === undefined || value === null ? [] : sanitizeBlock(String(value).replace(/\n$/, '')).split('\n')
}

async function fieldLines(key: string, fields: Fields, style: Style): Promise<string[]> {
  if (haveAll([fields], 'name', 'signature')) return (await import('./outline.ts')).outlineLines([fields], style)
  const { total, first, added, removed } = fields
  if (Array.isArray(added) && Array.isArray(removed)) return (await import('./diff.ts')).movedLines(fields, style)
  if (typeof total === 'number' && Array.isArray(first)) {
    const firstLines = await valueLines(key, first, style)
    return total > first.length ? [...firstLines, `and ${total - first.length} more`] : firstLines
  }
  const lines: string[] = []
  for (const [name, value] of Object.entries(fields)) {
    const nestedLines = await valueLines(name, value, style)
    const title = `${sanitize(inWords(name))}:`
    if (nestedLines.length === 0) continue
    if (isFields(value) || Array.isArray(value)) lines.push(title, ...nestedLines.map(line => `  ${line}`.trimEnd()))
    else lines.push(`${title} ${nestedLines.join(' ')}`)
  }
  return lines
}
