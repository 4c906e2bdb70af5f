import { sanitize } from '../../kernel/sanitize.ts'
import type { Style } from './paint.ts'
import { inWords, isFields, objectsIn, type Fields } from './shape.ts'

/**
 * Returns the sentence that a document's answer has for people, else the tool and its short facts. Lists of an answer
 * that was cut are the first of more.
 */
export function headline(tool: string, data: unknown, isCut = false): string {
  if (Array.isArray(data)) return `${tool} (${data.length} found)`
  if (!isFields(data)) return tool
  const { output } = data
  if (typeof output === 'string') return output.split('\n', 1)[0] ?? tool
  // A file that people view instead of read has pages and cells, not lines.
  const { media, bytes } = data
  const shownFields = isFields(media) ? { ...media, bytes } : data
  const isPartial = isCut || hasMore(shownFields)
  const facts = Object.entries(shownFields).flatMap(([key, value]) => factOf(key, value, shownFields, isPartial))
  return facts.length > 0 ? `${tool} (${facts.join(', ')})` : tool
}

/** Fields that other lines cover, or that people do not read. */
const SAID_ELSEWHERE: ReadonlySet<string> = new Set([
  'path',
  'filePath',
  'from',
  'to',
  'hash',
  'repoHash',
  'stdout',
  'stderr',
  'warnings',
  'truncated',
  'next',
  'durationMs',
  'freshness',
  'content',
  'before',
  'text',
  'after',
  'columns',
])

/** Reports whether a value fits into the first line; others are shown below it. */
const isShort = (value: unknown): boolean =>
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  value === null ||
  (typeof value === 'string' && value.length <= 40 && !value.includes('\n'))

/** Reports whether lists lack their end, and neither a total nor the place to continue says so. */
const hasMore = ({ truncated, total, next }: Fields): boolean =>
  truncated === true && total === undefined && next === undefined

function factOf(key: string, value: unknown, data: Fields, isCut: boolean): string[] {
  if (SAID_ELSEWHERE.has(key)) return []
  const words = inWords(key)
  if (Array.isArray(value)) {
    // An empty main list is the answer; an empty list beside others says nothing.
    const lists = Object.entries(data).flatMap(([name, each]) =>
      Array.isArray(each) && !SAID_ELSEWHERE.has(name) ? [each] : [],
    )
    // A table without columns is no answer.
    if (key === 'rows' && Array.isArray(data['columns']) && data['columns'].length === 0) return []
    if (value.length === 0 && (lists[0] !== value || lists.some(({ length }) => length > 0))) return []
    const [one, many] = [singular(words), `${value.length} ${words}`]
    if (isCut && data['total'] !== value.length) return [`the first ${value.length === 1 ? one : many}`]
    return [value.length === 1 ? `1 ${one}` : many]
  }
  // What was not done must not look done; any other false is omitted.
  if (typeof value === 'boolean') return value ? [words] : NOTED_WHEN_FALSE.has(key) ? [`not ${words}`] : []
  if (value === 0 && key !== 'exitCode') return []
  // Omit a total equal to the length of the list beside it.
  if (key === 'total' && Object.values(data).some(each => Array.isArray(each) && each.length === value)) return []
  return isShort(value) && value !== null && value !== '' ? [`${words} ${value}`] : []
}

const NOTED_WHEN_FALSE: ReadonlySet<string> = new Set(['applied', 'written', 'valid'])

const singular = (words: string): string =>
  words
    .replace(/ies$/, 'y')
    .replace(/(ch|sh|x|ss)es$/, '$1')
    .replace(/([^s])s$/, '$1')

interface Part {
  readonly title: string
  readonly lines: readonly string[]
}

/** A combination of fields, and its renderer, loaded on first use. */
interface Kind {
  readonly keys: readonly string[]
  readonly is: (data: Fields) => boolean
  readonly load: () => Promise<(data: Fields, style: Style) => string[]>
}

const isText = (value: unknown): boolean => typeof value === 'string'

const KINDS: readonly Kind[] = [
  {
    keys: ['content', 'media'],
    is: ({ content, media }) => isText(content) && isFields(media),
    load: async () => (await import('./numbered-text.ts')).mediaLines,
  },
  {
    keys: ['content'],
    is: ({ content }) => isText(content),
    load: async () => (await import('./numbered-text.ts')).contentLines,
  },
  {
    keys: ['results'],
    is: ({ results }) =>
      objectsIn(results)?.every(({ text, relevance }) => isText(text) && relevance !== undefined) ?? false,
    load: async () => (await import('./quoted-results.ts')).quotedResults,
  },
  {
    keys: ['stdout', 'stderr'],
    is: ({ stdout, stderr }) => isText(stdout) && isText(stderr),
    load: async () => (await import('./printed-text.ts')).printedLines,
  },
  {
    keys: ['diff'],
    is: ({ diff }) => isText(diff),
    load: async () => (await import('./diff.ts')).diffOf,
  },
  {
    keys: ['context', 'before', 'text', 'after'],
    is: ({ context, before, after }) => (isText(before) && isText(after)) || isText(Object(context).before),
    load: async () => (await import('./around-line.ts')).aroundLines,
  },
  {
    keys: ['columns', 'rows'],
    is: ({ columns, rows }) => Array.isArray(columns) && columns.length > 0 && Array.isArray(rows),
    load: async () => (await import('./table.ts')).rowsLines,
  },
  {
    keys: ['target', 'callers', 'functionName'],
    is: ({ callers, target, functionName }) => Array.isArray(callers) && (isFields(target) || isText(functionName)),
    load: async () => (await import('./call-tree.ts')).callersLines,
  },
  {
    keys: ['fixes', 'similar', 'byWords'],
    is: ({ fixes, similar }) =>
      (objectsIn(fixes) ?? objectsIn(similar))?.every(fix => isText(fix['errorDescription'])) === true,
    load: async () => (await import('./fixes.ts')).fixesLines,
  },
]

/**
 * Renders an answer for people. Its shape decides, whichever contract it comes from: first combinations of fields, such
 * as a text and the number of its first line, then each remaining field.
 */
export async function answerLines(data: unknown, style: Style, knownTexts: readonly string[] = []): Promise<string[]> {
  if (isText(data)) return textLines(String(data))
  if (!isFields(data)) return lone('', data, style)
  // A document that words its own answers has them printed unchanged.
  if (isText(data['output'])) return textLines(String(data['output']).split('\n').slice(1).join('\n'))
  const kind = KINDS.find(({ is }) => is(data))
  const lines = kind ? (await kind.load())(data, style) : []
  const parts: Part[] = []
  for (const [title, value] of Object.entries(data)) {
    if (kind?.keys.includes(title) || SAID_ELSEWHERE.has(title) || isShort(value)) continue
    if (isKnown(value, knownTexts) || isListed(value, data)) continue
    const partLines = await lone(title, value, style)
    if (partLines.length > 0) parts.push({ title, lines: partLines })
  }
  const [only] = parts
  // Without their name, files that could not be read would look like what was found.
  const isNamed = only !== undefined && (isText(data[only.title]) || only.title === 'unread')
  if (!kind && only && parts.length === 1 && !isNamed) return [...only.lines]
  const gap = lines.length > 0 && parts.length > 0 ? [''] : []
  return [...lines, ...gap, ...parts.flatMap(part => withTitle(part, style))]
}

const textLines = async (text: string): Promise<string[]> => (await import('./numbered-text.ts')).plainLines(text)

/** Renders one field. Most answers have none that needs more than the first line. */
const lone = async (title: string, value: unknown, style: Style): Promise<string[]> =>
  Array.isArray(value) && value.length === 0 ? [] : (await import('./value.ts')).valueLines(title, value, style)

/** Reports whether the paths already stand above the answer. */
const isKnown = (value: unknown, known: readonly string[]): boolean =>
  Array.isArray(value) && value.length > 0 && value.length === known.length && value.every(path => known.includes(path))

/** Reports whether a value repeats an item of a list. */
const isListed = (value: unknown, data: Fields): boolean =>
  isFields(value) &&
  Object.values(data).some(list => objectsIn(list)?.some(each => JSON.stringify(each) === JSON.stringify(value)))

function withTitle({ title, lines }: Part, { paint }: Style): string[] {
  const head = paint('bold', `${sanitize(inWords(title))}:`)
  const [first = ''] = lines
  if (lines.length === 1 && !first.startsWith(' ')) return [`${head} ${first}`]
  return [head, ...lines.map(line => `  ${line}`.trimEnd())]
}
