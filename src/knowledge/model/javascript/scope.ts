import type { Node } from 'oxc-parser'
// The whole package would load the parser, which only processes of its own need.
import visitorKeys from 'oxc-parser/src-js/generated/visit/keys'
import type { Value } from '../file-model.ts'

/** What a name stands for, looked up when it is wanted; undefined if nobody can say. */
export type Binding = () => Value | undefined

/** What is noted of the nodes of a file while it is walked. */
export interface Notes {
  /** The symbol that a function, class, type or test is. */
  readonly symbolOf: Map<Node, number>
  readonly importOf: Map<Node, number>
  readonly scopeOf: Map<Node, Scope>
}

/** Names of one block. Types and values have names of their own. */
export interface Scope {
  /** Of the file that it is in. */
  readonly notes: Notes
  readonly parent: Scope | undefined
  readonly values: Map<string, Binding>
  readonly types: Map<string, Binding>
  /** `var` belongs to such a one. */
  readonly isFunction: boolean
  /** What `this` is; null if nobody can say, undefined if it is that of the scope around. */
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
    const found = at[space].get(name)
    if (found) return found
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

/** Computed once; undefined for whoever asks while it is being computed. */
export function lazily(compute: () => Value | undefined): Binding {
  let state: 'new' | 'busy' | 'done' = 'new'
  let value: Value | undefined
  return () => {
    if (state !== 'new') return value
    state = 'busy'
    const found = compute()
    value = found && isSmall(found) ? found : undefined
    state = 'done'
    return value
  }
}

const MOST_PARTS = 80

/** What is built of very many parts is not followed: each use of it would be as long. */
function isSmall(value: Value): boolean {
  let parts = 0
  return fits(value)

  function fits(part: unknown): boolean {
    if (typeof part !== 'object' || part === null) return true
    return ++parts <= MOST_PARTS && Object.values(part).every(fits)
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

/** Visits the nodes right below one, in the order of the source, with the name of the part that they are. */
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
  const found: Node[] = []
  eachChild(node, child => found.push(child))
  return found
}

/** The nodes around a place, the outermost first. */
export function nodesAround(root: Node, offset: number): readonly Node[] {
  const path: Node[] = [root]
  for (let at: Node | undefined = root; at;) {
    // Of a shorthand property the value comes last, and is what is used.
    at = childrenOf(at).findLast(child => child.start <= offset && offset < child.end)
    if (at) path.push(at)
  }
  return path
}
