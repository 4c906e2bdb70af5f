import type { Node } from 'oxc-parser'
import { childrenOf } from '../../model/javascript/scope.ts'
import { familyOf } from './module-facts.ts'

/** The names of what is called around a place, the innermost call first. */
export type CallsAround = (line: number, column: number) => readonly string[]

export async function callsAround(path: string, text: string): Promise<CallsAround> {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  const offsetOf = (line: number, column: number) => (starts[line - 1] ?? 0) + column - 1
  if (familyOf(path) !== 'script') return (line, column) => bracketsAround(text, offsetOf(line, column))
  const { parse } = await import('../../model/javascript/parse.ts')
  const { program } = parse(path, text)
  return (line, column) => nodesAround(program, offsetOf(line, column))
}

function nodesAround(program: Node, offset: number): readonly string[] {
  const names: string[] = []
  for (let node: Node | undefined = program; node;) {
    const name = calledBy(node)
    if (name !== undefined) names.unshift(name)
    node = childrenOf(node).find(({ start, end }) => start <= offset && offset < end)
  }
  return names
}

function calledBy(node: Node): string | undefined {
  switch (node.type) {
    case 'CallExpression':
    case 'NewExpression':
      return nameOf(node.callee)
    case 'TaggedTemplateExpression':
      return nameOf(node.tag)
    case 'Decorator':
      return nameOf(node.expression)
    case 'JSXOpeningElement':
      return nameOf(node.name)
    default:
      return undefined
  }
}

function nameOf(node: Node): string | undefined {
  switch (node.type) {
    case 'Identifier':
    case 'JSXIdentifier':
    case 'PrivateIdentifier':
      return node.name
    case 'MemberExpression':
    case 'JSXMemberExpression':
      return nameOf(node.property)
    case 'TSNonNullExpression':
    case 'ChainExpression':
    case 'TSInstantiationExpression':
      return nameOf(node.expression)
    default:
      return undefined
  }
}

const FARTHEST = 4_000
const LINK = /(\w+)\s*(\(|\.\s*)?/y

/** What is called in `a.b(…).c(…)`: an error in any of its calls may be told where all of it begins. */
function callsFrom(text: string, start: number): string[] {
  const names: string[] = []
  for (let at = start; at - start < FARTHEST;) {
    LINK.lastIndex = at
    const [all = '', name = '', mark = ''] = LINK.exec(text) ?? []
    if (mark === '') break
    at += all.length
    if (mark !== '(') continue
    names.push(name)
    at = pastBrackets(text, at)
    const dot = /^\s*\.\s*/.exec(text.slice(at, at + 200))
    if (!dot) break
    at += dot[0].length
  }
  return names
}

/** Where what was opened just before is closed. */
function pastBrackets(text: string, from: number): number {
  let depth = 1
  let at = from
  for (; at < text.length && at - from < FARTHEST && depth > 0; at++) {
    if ('(['.includes(text[at] ?? '')) depth++
    if (')]'.includes(text[at] ?? '')) depth--
  }
  return at
}

/** By brackets alone, for languages that write a call as `name(`; one in a quoted text may hide a call, never make one up. */
function bracketsAround(text: string, offset: number): readonly string[] {
  const start = offset - (/\w*$/.exec(text.slice(Math.max(0, offset - 200), offset))?.[0].length ?? 0)
  const names = callsFrom(text, start)
  let depth = 0
  for (let at = offset - 1; at >= 0 && at > offset - FARTHEST; at--) {
    const character = text[at]
    if (character === ')' || character === ']') depth++
    if (character !== '(' && character !== '[') continue
    if (depth-- > 0) continue
    depth = 0
    const name = character === '(' ? /(\w+)\s*$/.exec(text.slice(Math.max(0, at - 200), at))?.[1] : undefined
    if (name !== undefined) names.push(name)
  }
  return names
}
