import type { Node } from 'web-tree-sitter'
import type { OwnImport } from '../file-code.ts'

/** What an expression is, as far as calls and their receivers are concerned. */
export type Expression =
  | { readonly is: 'name'; readonly name: string }
  | { readonly is: 'member'; readonly of: Node; readonly name: string }
  | Call
  | { readonly is: 'new'; readonly type: Node; readonly count: number }
  | { readonly is: 'this' }
  | { readonly is: 'super' }
  /** The same value as another expression: parentheses, assertions. */
  | { readonly is: 'same'; readonly as: Node }
  | { readonly is: 'literal'; readonly type: string }
  /** A value of a type that is written down: a cast. */
  | { readonly is: 'typed'; readonly type: Node }
  | { readonly is: 'element'; readonly of: Node }

export interface Call {
  readonly is: 'call'
  /** What is called: an expression, or a member by its name. */
  readonly callee: Node | { readonly of: Node | undefined; readonly name: string }
  /** How many arguments it has; -1 where that cannot be told. */
  readonly count: number
}

/** A type as it is written: its name with dots, and its arguments. */
export interface TypeName {
  readonly name: string
  readonly args: readonly Node[]
}

export interface Variable {
  readonly name: string
  readonly type?: Node | undefined
  readonly init?: Node | undefined
  /** `init` is what it is taken from one by one. */
  readonly isElement?: boolean
  readonly isStatic?: boolean
  /** It is an instance of the class that it stands in. */
  readonly isOwn?: boolean
  /** It belongs to the class around the function that it stands in. */
  readonly isOfClass?: boolean
}

export interface Parameter extends Variable {
  readonly isOptional?: boolean
  /** Takes any number. */
  readonly isRest?: boolean
  /** What it is called on, no argument. */
  readonly isReceiver?: boolean
  /** It is a property of the class as well. */
  readonly isProperty?: boolean
}

/** A method that is called by a sign: the first of these names that there is. */
export interface Sign {
  readonly of: Node
  readonly names: readonly string[]
  readonly count: number
}

/** What a lambda finds besides its own parameters. */
export interface LambdaScope {
  readonly lambda: Node
  /** Stands for what members without a receiver are looked for in first. */
  readonly implicit?: Node
  /** What its first parameter is. */
  readonly first?: { readonly value: Node; readonly isElement: boolean }
}

/** How calls, types and names are read in the tree of one language. */
export interface Syntax {
  package?(root: Node): string | undefined
  /** The class that others see what stands outside of any class in, where the file names one. */
  facade?(root: Node): string | undefined
  imports(root: Node): readonly OwnImport[]
  expression(node: Node): Expression | undefined
  type(node: Node): TypeName | undefined
  /** What a node calls by signs and not by name. */
  signs?(node: Node): readonly Sign[]
  /** What these nodes declare for what stands beside and below them. */
  readonly variables: Readonly<Record<string, (node: Node) => readonly Variable[]>>
  /** What these nodes declare as members of the class around them. */
  readonly fields: Readonly<Record<string, (node: Node) => readonly Variable[]>>
  /** Undefined for what takes none, and so cannot be called with a wrong number of them. */
  parameters(node: Node): readonly Parameter[] | undefined
  returns?(node: Node): { readonly type?: Node | undefined; readonly value?: Node | undefined }
  supertypes(node: Node): readonly Node[]
  /** What a class without a name inherits from, where the node is the body of one. */
  anonymous?(node: Node): readonly Node[] | undefined
  /** The type that a function extends without standing in it. */
  receiver?(node: Node): string | undefined
  isStatic?(node: Node): boolean
  /** Only where methods of one name are told apart by what they take. */
  overriding?(node: Node): { readonly isPrivate: boolean; readonly isOverride: boolean }
  /** Nodes with variables of their own. */
  readonly scopes: ReadonlySet<string>
  readonly lambdas: ReadonlySet<string>
  lambdaScope?(call: Node): LambdaScope | undefined
  /** The name of what a lambda without parameters gets. */
  readonly implicitParameter?: string
}

/** The named children, none of them null. */
export const childrenOf = (node: Node): Node[] => node.namedChildren.filter(child => child !== null)

/** The first named child of one of these types. */
export const childOf = (node: Node, ...types: readonly string[]): Node | undefined =>
  childrenOf(node).find(child => types.includes(child.type))

export const field = (node: Node, name: string): Node | undefined => node.childForFieldName(name) ?? undefined

/** Arguments, comments left out. */
export const countOf = (list: Node | undefined): number =>
  list ? childrenOf(list).filter(({ type }) => !/comment/.test(type)).length : 0

/** What a lambda takes: one bare name, or a list with types where they are written. */
export function lambdaVariables(lambda: Node, written: (parameter: Node) => Node | undefined): readonly Variable[] {
  const list = field(lambda, 'parameters')
  if (!list) return []
  if (list.type === 'identifier') return [{ name: list.text }]
  return childrenOf(list).map(each => ({ name: field(each, 'name')?.text ?? each.text, type: written(each) }))
}
