import type { Node } from 'oxc-parser'
// The whole package would load the parser, which only separate processes need.
import visitorKeys from 'oxc-parser/src-js/generated/visit/keys'
import type { Value } from '../file-model/file-model.ts'

/** The value of a name, resolved on demand; undefined if unknown. */
export type Binding = () => Value | undefined

/** Facts about a file's nodes, recorded during the walk. */
export interface Notes {
  /** The symbol of a function, class, type or test. */
  readonly symbolOf: Map<Node, number>
  readonly importOf: Map<Node, number>
  readonly scopeOf: Map<Node, Scope>
}

/** Names of one block. Types and values have separate names. */
export interface Scope {
  /** Notes of its file. */
  readonly notes: Notes
  readonly parent: Scope | undefined
  readonly values: Map<string, Binding>
  readonly types: Map<string, Binding>
  /** A `var` belongs to the nearest function scope. */
  readonly isFunction: boolean
  /** The value of `this`; null if unknown, undefined for that of the enclosing scope. */
  readonly self: Value | null | undefined
}

export const newScope = (notes: Notes, parent?: Scope, isFunction = false, self?: Value | null): Scope => ({
  notes,
  parent,
  values: new Map(),
  types: new Map(),
  isFunction,
  self,
})

export function lookUp(scope: Scope | undefined, space: 'values' | 'types', name: string): Binding | undefined {
  for (let at = scope; at; at = at.parent) {
    const binding = at[space].get(name)
    if (binding) return binding
  }
  return undefined
}

export function selfIn(scope: Scope | undefined): Value | undefined {
  for (let at = scope; at; at = at.parent) if (at.self !== undefined) return at.self ?? undefined
  return undefined
}

export const functionScope = (scope: Scope): Scope => {
  let at = scope
  while (!at.isFunction && at.parent) at = at.parent
  return at
}

/** Computes the value once; returns undefined during the computation. */
export function lazily(compute: () => Value | undefined): Binding {
  let state: 'new' | 'busy' | 'done' = 'new'
  let value: Value | undefined
  return () => {
    if (state !== 'new') return value
    state = 'busy'
    const result = compute()
    value = result && isSmall(result) ? result : undefined
    state = 'done'
    return value
  }
}

const MOST_PARTS = 80

/** A value of very many parts is not followed: each use would be as long. */
function isSmall(value: Value): boolean {
  let parts = 0
  return isWithinLimit(value)

  function isWithinLimit(part: unknown): boolean {
    if (typeof part !== 'object' || part === null) return true
    return ++parts <= MOST_PARTS && Object.values(part).every(isWithinLimit)
  }
}

export type FunctionNode = Extract<
  Node,
  {
    type:
      | 'FunctionDeclaration'
      | 'FunctionExpression'
      | 'ArrowFunctionExpression'
      | 'TSDeclareFunction'
      | 'TSEmptyBodyFunctionExpression'
  }
>

export const isFunction = (node: Node | null | undefined): node is FunctionNode =>
  node?.type === 'FunctionDeclaration' ||
  node?.type === 'FunctionExpression' ||
  node?.type === 'ArrowFunctionExpression' ||
  node?.type === 'TSDeclareFunction' ||
  node?.type === 'TSEmptyBodyFunctionExpression'

type Part = Node | readonly (Node | null)[] | null | undefined

/** Visits the direct children of a node in source order, with the names of their properties. */
export function eachChild(node: Node, visit: (child: Node, part: string) => void): void {
  const keys = visitorKeys[node.type]
  if (!keys) return
  const parts = node as unknown as Readonly<Record<string, Part>>
  for (const key of keys) {
    const part = parts[key]
    if (!part) continue
    if (!isList(part)) visit(part, key)
    else for (const each of part) if (each) visit(each, key)
  }
}

const isList = (part: Part): part is readonly (Node | null)[] => Array.isArray(part)

export function childrenOf(node: Node): readonly Node[] {
  const children: Node[] = []
  eachChild(node, child => children.push(child))
  return children
}

/** The nodes around an offset, the outermost first. */
export function nodesAround(root: Node, offset: number): readonly Node[] {
  const path: Node[] = [root]
  for (let at: Node | undefined = root; at;) {
    // The value of a shorthand property comes last, and is the used one.
    at = childrenOf(at).findLast(child => child.start <= offset && offset < child.end)
    if (at) path.push(at)
  }
  return path
}
