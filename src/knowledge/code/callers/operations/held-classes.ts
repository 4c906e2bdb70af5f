import type { CodeParts } from '../../code-parts.ts'
import { filesOfLanguage } from '../files-of-language.ts'
import type { Position } from '../../servers/lsp-schemas.ts'
import type { UseParts } from '../mentions.ts'
import type { PlacedOperation } from './placed-operation.ts'
import { hoveredType, isClassType, isHoveredFunction } from './hovered-type.ts'

/** Reports whether `cls` there is the class around it: the first parameter of a method, not typed as another. */
export async function isOwnClass(path: string, position: Position, { server, looks }: UseParts): Promise<boolean> {
  const type = hoveredType(await server.hover(path, position))
  if (!/^(?:[tT]ype\[)?\w+@/.test(type)) return false
  const { text, offsetOf } = looks.source(path)
  const places = (await server.definition(path, position)).filter(({ uri }) => server.pathOf(uri) === path)
  return places.some(({ range }) =>
    /\(\s*$/.test(text.slice(Math.max(0, offsetOf(range.start) - LONGEST), offsetOf(range.start))),
  )
}

/** Places in a text that call what may be a class by a name that holds it. */
export function heldPlaces(text: string, names: ReadonlySet<string>): readonly number[] {
  const calls = new RegExp(
    String.raw`(?<!\bdef\s+)\b(?:${[...names].join('|')})\s*\(|\btype\s*\(\s*\w+\s*\)\s*\(|\.__class__\s*\(|(?<=\))[ \t]*\(`,
    'g',
  )
  return Array.from(text.matchAll(calls), ({ index }) => index)
}

/** The names that hold classes in some texts. */
export function heldNames(texts: Iterable<string>): ReadonlySet<string> {
  const classNames = new Set(['cls', 'klass'])
  for (const text of texts)
    for (const [, name = ''] of text.includes('ype[') ? text.matchAll(HELD) : []) classNames.add(name)
  return classNames
}

/** Names and results with the written type of a class. */
const HELD = /\b(\w+)\s*(?:\([^()]*\)\s*->|:)\s*["']?(?:[\w.]+\s*\|\s*)?(?:Optional\[)?(?:\w+\.)?[tT]ype\[/g
const TYPE_OF = /^type\s*\(\s*(?=\w+\s*\))/
const CLASS_OF = /^(\w+)\.__class__\b/

/** The calls of names that may hold a class: `cls()`, `type(self)()`, a parameter of type `type[A]`. */
export async function heldCalls(
  operations: readonly PlacedOperation[],
  parts: CodeParts & UseParts,
  like: string,
): Promise<readonly PlacedOperation[]> {
  const texts: string[] = []
  for await (const { text } of filesOfLanguage(parts, like)) if (text.includes('ype[')) texts.push(text)
  const classNames = heldNames(texts)
  return operations.flatMap(use => {
    const { at, receiver } = use.operation
    const { text } = parts.looks.source(use.path)
    const head = text.slice(at, at + LONGEST)
    const [before] = TYPE_OF.exec(head) ?? CLASS_OF.exec(head) ?? []
    if (before !== undefined) {
      const inner = at + (before.startsWith('type') ? before.length : 0)
      return [{ ...use, operation: { ...use.operation, receiver: inner, isResult: false } }]
    }
    const name = receiver < 0 ? '' : (/^\w+/.exec(text.slice(receiver, receiver + LONGEST))?.[0] ?? '')
    return classNames.has(name) ? [use] : []
  })
}

const LONGEST = 200

/** Reports whether a receiver holds a class, and no object of it; undefined if it may be both. */
export async function isHeldClass(
  { path, operation: { at, receiver, isResult } }: PlacedOperation,
  { server, looks }: UseParts,
): Promise<boolean | undefined> {
  const { text, positionOf } = looks.source(path)
  const head = text.slice(at, at + LONGEST)
  const hover = await server.hover(path, positionOf(receiver))
  // Calling a class makes an object.
  const isClass = (!isResult || isHoveredFunction(hover)) && isClassType(hoveredType(hover))
  const isOfObject = TYPE_OF.test(head) || CLASS_OF.test(head)
  return isOfObject ? isClass === false || undefined : isClass
}

/** Reports whether a called function returns a class of one of these names. */
export async function returnsClass(
  { path, operation: { receiver, isResult } }: PlacedOperation,
  names: readonly string[],
  { server, looks }: UseParts,
): Promise<boolean> {
  if (!isResult) return false
  const type = hoveredType(await server.hover(path, looks.source(path).positionOf(receiver)))
  return names.some(name => type === `type[${name}]`)
}
