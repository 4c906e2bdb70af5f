import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser'
import { ToolError } from '../../../kernel/error.ts'

/** A change of a text: what is taken out at a place, and what is put there. */
export interface Edit {
  readonly at: number
  readonly removed: string
  readonly added: string
}

export const applyEdit = (text: string, { at, removed, added }: Edit): string =>
  text.slice(0, at) + added + text.slice(at + removed.length)

/**
 * Returns the edit that puts an entry into a JSON text with comments, in the file's own indent and line ends. Nothing
 * else changes. Refuses a text that does not parse, or in which the place is not plain.
 */
export function insertEntry(text: string, path: readonly string[], value: unknown): Edit {
  const style = styleOf(text)
  if (text.replace(/^\uFEFF/, '').trim() === '') {
    const entry = nested(path, value)
    return { at: text.length, removed: '', added: format(entry, style, '') + style.eol }
  }
  const root = rootOf(text)
  let [node, depth] = [root, 0]
  for (;;) {
    const name = path[depth] ?? ''
    const properties = node.children ?? []
    const matching = properties.filter(property => property.children?.[0]?.value === name)
    // Readers take the last, editors the first.
    if (matching.length > 1) throw unclear(`has the key ${JSON.stringify(name)} twice`)
    const inner = matching[0]?.children?.[1]
    if (inner && depth === path.length - 1)
      return replaceValue(text, inner, format(value, style, indentAt(text, matching[0]?.offset ?? 0)))
    if (!inner) return addProperty(text, node, { name, value: nested(path.slice(depth + 1), value), style })
    if (inner.type !== 'object') throw unclear(`has ${JSON.stringify(name)}, which is no object`)
    ;[node, depth] = [inner, depth + 1]
  }
}

/** Returns the entry at a path; undefined if there is none. */
export function entryAt(text: string, path: readonly string[]): unknown {
  if (text.trim() === '') return undefined
  const value: unknown = valueOf(rootOf(text))
  return path.reduce<unknown>(
    (inner, name) => (Object.hasOwn(Object(inner), name) ? Object(inner)[name] : undefined),
    value,
  )
}

/** Returns the edit that takes out an entry, with the comma that belongs to it. */
export function removeEntry(text: string, path: readonly string[]): Edit | undefined {
  let node: Node | undefined = rootOf(text)
  let property: Node | undefined
  for (const name of path) {
    property = node?.children?.find(each => each.children?.[0]?.value === name)
    node = property?.children?.[1]
  }
  const siblings = property?.parent?.children ?? []
  if (!property) return undefined
  const at = siblings.indexOf(property)
  const end = property.offset + property.length
  const [previous, next] = [siblings[at - 1], siblings[at + 1]]
  const opening = (property.parent?.offset ?? 0) + 1
  if (next) return cutOut(text, property.offset, next.offset)
  if (previous) return cutOut(text, previous.offset + previous.length, end)
  const closing = (property.parent?.offset ?? 0) + (property.parent?.length ?? 0) - 1
  const isAlone = text.slice(opening, property.offset).trim() === '' && text.slice(end, closing).trim() === ''
  return isAlone ? cutOut(text, opening, closing) : cutOut(text, property.offset, end)
}

const cutOut = (text: string, from: number, to: number): Edit => ({
  at: from,
  removed: text.slice(from, to),
  added: '',
})

const replaceValue = (text: string, { offset, length }: Node, added: string): Edit => ({
  at: offset,
  removed: text.slice(offset, offset + length),
  added,
})

interface Style {
  readonly eol: string
  readonly unit: string
  readonly isOneLine: boolean
}

interface Property {
  readonly name: string
  readonly value: unknown
  readonly style: Style
}

/** Adds a property after the last one of an object, before any comment that follows it on a line of its own. */
function addProperty(text: string, object: Node, { name, value, style }: Property): Edit {
  const last = object.children?.at(-1)
  const base = indentAt(text, object.offset)
  const isOneLine = style.isOneLine || (last !== undefined && !text.slice(object.offset, last.offset).includes('\n'))
  const inner = isOneLine ? '' : base + style.unit
  const key = JSON.stringify(name)
  const entry = `${key}: ${format(value, { ...style, isOneLine }, inner)}`
  const before = isOneLine ? ' ' : style.eol + inner
  if (last) {
    const end = last.offset + last.length
    const comma = /^\s*,/.exec(textWithoutComments(text.slice(end)))?.[0] ?? ''
    // A file with a comma after the last entry keeps one there.
    return comma === ''
      ? { at: end, removed: '', added: `,${before}${entry}` }
      : { at: end + comma.length, removed: '', added: `${before}${entry},` }
  }
  const after = isOneLine ? ' ' : style.eol + base
  const opening = object.offset + 1
  const content = text.slice(opening, object.offset + object.length - 1)
  // A comment in an empty object stays before the entry.
  const gap = /\s*$/.exec(content)?.[0] ?? ''
  const at = opening + content.length - gap.length
  return { at, removed: gap, added: `${before}${entry}${after}` }
}

/** Replaces comments by spaces, so that places stay the same. */
const textWithoutComments = (text: string): string =>
  text.replaceAll(/\/\/[^\r\n]*|\/\*[^]*?\*\//g, comment => ' '.repeat(comment.length))

function rootOf(text: string): Node {
  const errors: ParseError[] = []
  const shift = text.startsWith('\uFEFF') ? 1 : 0
  // The parser calls a mark of the encoding an error; a space keeps the places.
  const root = parseTree(shift === 0 ? text : ` ${text.slice(1)}`, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first || !root) {
    const line = text.slice(0, first?.offset ?? 0).split('\n').length
    throw unclear(`does not parse at line ${line}${first ? ` (${printParseErrorCode(first.error)})` : ''}`)
  }
  if (root.type !== 'object') throw unclear('is no object')
  return root
}

const unclear = (problem: string): ToolError =>
  new ToolError('invalid_input', `The file ${problem}`, { hint: 'Mend it first; nothing was changed' })

function styleOf(text: string): Style {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const [, unit = '  '] = /\n([ \t]+)\S/.exec(text) ?? []
  return {
    eol,
    unit: unit.startsWith('\t') ? '\t' : unit,
    isOneLine: text.trim() !== '' && !text.trim().includes('\n'),
  }
}

const indentAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? ''

const format = (value: unknown, { eol, unit, isOneLine }: Style, indent: string): string =>
  isOneLine ? JSON.stringify(value) : JSON.stringify(value, null, unit).replaceAll('\n', eol + indent)

const nested = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)

function valueOf({ type, children = [], value }: Node): unknown {
  if (type === 'object')
    return Object.fromEntries(children.map(({ children: [key, inner] = [] }) => [key?.value, inner && valueOf(inner)]))
  return type === 'array' ? children.map(valueOf) : value
}
