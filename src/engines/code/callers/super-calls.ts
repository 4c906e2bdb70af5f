import type { Node } from 'oxc-parser'
import { extensionOf } from '../servers/documents.ts'
import { KIND, type Position, type Range } from '../servers/lsp-words.ts'
import type { CallNode } from './call-node.ts'
import { mentions, type UseParts } from './mentions.ts'

interface SuperCall {
  readonly path: string
  readonly range: Range
}

const SCRIPT = /^[cm]?[jt]sx?$/

/** Where classes that extend this one call its constructor: `super()`, which servers do not count as a call of the class. */
export async function superCalls(node: CallNode, parts: UseParts): Promise<readonly SuperCall[]> {
  if (!SCRIPT.test(extensionOf(node.path)) || !node.items.some(({ kind }) => kind === KIND.class)) return []
  const { server, looks, mayRead } = parts
  const places = new Map<string, Position[]>()
  for (const { uri, range } of await mentions(node.path, node.positions, parts)) {
    const path = server.pathOf(uri)
    if (path === undefined || !mayRead(path)) continue
    const before = looks.lines(path).slice(Math.max(0, range.start.line - 1), range.start.line + 1)
    const last = (before.pop() ?? '').slice(0, range.start.character)
    if (!EXTENDS.test([...before, last].join('\n'))) continue
    places.set(path, [...(places.get(path) ?? []), range.start])
  }
  if (places.size === 0) return []
  const { parse } = await import('../symbols/javascript/parse.ts')
  const { childrenOf } = await import('../symbols/javascript/scope.ts')
  return [...places].flatMap(([path, at]) => {
    const lines = looks.lines(path)
    const calls = callsIn(
      parse(path, lines.join('\n')),
      at.map(each => offsetOf(lines, each)),
      childrenOf,
    )
    return calls.map(offset => {
      const start = positionOf(lines, offset)
      return { path, range: { start, end: { ...start, character: start.character + 'super'.length } } }
    })
  })
}

const EXTENDS = /\bextends\s+(?:[\w$]+\s*\.\s*)*$/

/** Of `super()` in classes that name what they extend at one of these places. */
function callsIn(
  program: Node,
  places: readonly number[],
  childrenOf: (node: Node) => readonly Node[],
): readonly number[] {
  const found: number[] = []
  visit(program, false)
  return found

  function visit(node: Node, isWanted: boolean): void {
    if (isWanted && node.type === 'CallExpression' && node.callee.type === 'Super') found.push(node.callee.start)
    if (node.type !== 'ClassDeclaration' && node.type !== 'ClassExpression') {
      for (const child of childrenOf(node)) visit(child, isWanted)
      return
    }
    const { superClass } = node
    const isOurs = superClass !== null && places.some(at => at >= superClass.start && at < superClass.end)
    for (const child of childrenOf(node)) visit(child, child === node.body ? isOurs : isWanted)
  }
}

function offsetOf(lines: readonly string[], { line, character }: Position): number {
  let offset = character
  for (const each of lines.slice(0, line)) offset += each.length + 1
  return offset
}

function positionOf(lines: readonly string[], offset: number): Position {
  let left = offset
  for (const [line, { length }] of lines.entries()) {
    if (left <= length) return { line, character: left }
    left -= length + 1
  }
  return { line: lines.length, character: 0 }
}
