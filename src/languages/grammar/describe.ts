import type { Node } from 'web-tree-sitter'
import type { Access, ImportBinding } from '../file-model/file-model.ts'
import type { GrammarLanguage, Kind, Named, OperatorCall, Variable } from './grammar-language.ts'

/** The named children; none for a missing node. */
export const childrenOf = (node: Node | undefined): Node[] => node?.namedChildren.filter(child => child !== null) ?? []

/** The first named child of one of these types. */
export const childOf = (node: Node | undefined, ...types: readonly string[]): Node | undefined =>
  childrenOf(node).find(child => types.includes(child.type))

export const field = (node: Node | undefined, name: string): Node | undefined =>
  node?.childForFieldName(name) ?? undefined

export const fieldsOf = (node: Node, name: string): Node[] =>
  node.childrenForFieldName(name).filter(child => child !== null)

/** The text of a field; empty if there is none. */
export const textOf = (node: Node | undefined, name: string): string => field(node, name)?.text ?? ''

/** All named nodes of these types, in source order. */
export const descendants = (node: Node | undefined, ...types: readonly string[]): Node[] =>
  node?.descendantsOfType([...types]).filter(each => each?.isNamed === true) ?? []

/** The ancestors of a node, the nearest first. */
export function* around(node: Node): Generator<Node> {
  for (let above = node.parent; above; above = above.parent) yield above
}

export function isInside(node: Node, types: RegExp): boolean {
  for (const { type } of around(node)) if (types.test(type)) return true
  return false
}

export const always = (): boolean => true

/** How an expression is accessed; undefined if it is called. */
export function accessOf(node: Node): Access | undefined {
  const { parent } = node
  if (!parent || parent.firstNamedChild?.id !== node.id) return 'read'
  if (parent.type.startsWith('directly_assignable')) return accessOf(parent)
  if (CALLS.test(parent.type)) return undefined
  if (/(^|_)assignment/.test(parent.type))
    return parent.children.some(each => each?.isNamed === false && each.type === '=') ? 'write' : 'both'
  return /^(postfix|prefix|unary)/.test(parent.type) && /\+\+|--/.test(parent.text) ? 'both' : 'read'
}

const CALLS = /^(call|call_expression|invocation_expression|decorator)$/

/** A rule for a declaration whose name is its field `name`. */
export const declares =
  (kind: Kind, isPublic: (node: Node, name: string) => boolean = always) =>
  (node: Node): Named | undefined => {
    const name = textOf(node, 'name')
    return name === '' ? undefined : { kind, name, isPublic: isPublic(node, name) }
  }

/** A function inside of a type is a method. */
export const functionIn =
  (types: ReadonlySet<string>, isPublic: (node: Node, name: string) => boolean) =>
  (node: Node): Named | undefined =>
    declares(types.has(node.parent?.type ?? '') ? 'method' : 'function', isPublic)(node)

/** The modifiers of a declaration, without annotations, which may contain any word. */
export function modifiers(node: Node): string {
  return childrenOf(node)
    .filter(({ type }) => /modifier|storage_class/.test(type))
    .map(({ text }) => text)
    .join(' ')
    .replaceAll(/@[\w.:]+(\(("[^"]*"|'[^']*'|[^()"']|\([^()]*\))*\))?/g, '')
}

/** The number of arguments, without comments. */
export const countOf = (list: Node | undefined): number =>
  childrenOf(list).filter(({ type }) => !/comment/.test(type)).length

/** `a.b.C` as an import of C from a.b, with an alias if one is written. */
export function splitPath(path: string, alias?: string): { readonly [Key in 'module' | 'name' | 'local']: string } {
  const dot = path.lastIndexOf('.')
  const name = path.slice(dot + 1)
  return { module: path.slice(0, Math.max(dot, 0)), name, local: alias ?? name }
}

/** The imports of a file, each with the line of its node. */
export const importsIn = ({ imports }: GrammarLanguage, root: Node): readonly ImportBinding[] =>
  descendants(root, ...Object.keys(imports)).flatMap(node =>
    [imports[node.type]?.(node) ?? []]
      .flat()
      .map(each => ({ name: '*', local: '', ...each, line: node.startPosition.row + 1 })),
  )

/** The parameters of a lambda: one bare name, or a list with types if written. */
export function lambdaVariables(
  lambda: Node,
  typeOfParameter: (parameter: Node) => Node | undefined,
): readonly Variable[] {
  const list = field(lambda, 'parameters')
  if (list && list.namedChildCount === 0 && list.text !== '()') return [{ name: list.text }]
  return childrenOf(list).map(each => ({ name: field(each, 'name')?.text ?? each.text, type: typeOfParameter(each) }))
}

/** The names in a pattern, whose types are not written. */
export const bound = (pattern: Node | undefined, ...types: readonly string[]): readonly Variable[] =>
  descendants(pattern, ...types).map(({ text }) => ({ name: text }))

/** A method called on a node; none if the node is missing. */
export const operatorCall = (of: Node | undefined, names: readonly string[], count: number): readonly OperatorCall[] =>
  of ? [{ of, names, count }] : []
