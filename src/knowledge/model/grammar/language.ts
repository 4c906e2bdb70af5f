import type { Node } from 'web-tree-sitter'
import type { CodeSymbol } from '../code-symbol.ts'
import type { ImportBinding } from '../file-model.ts'

export type Kind = CodeSymbol['kind']

/** Rules by the type of the node that they read. */
export type ByType<T> = Readonly<Record<string, (node: Node) => T>>

/** A declaration that a rule found. */
export interface Named {
  readonly kind: Kind
  readonly name: string
  /** Other files can use it, if they can use what it stands in. */
  readonly isPublic: boolean
  /** Names around it that the tree does not nest, such as the receiver of a method. */
  readonly within?: readonly string[]
}

/** What an expression is, as far as calls and their receivers are concerned. */
export type Expression =
  | { readonly is: 'name'; readonly name: string }
  | { readonly is: 'member'; readonly of: Node; readonly name: string }
  | Call
  | { readonly is: 'new'; readonly type: Node; readonly count: number }
  | { readonly is: 'this' }
  /** The class around it. */
  | { readonly is: 'class' }
  | { readonly is: 'super' }
  /** The same value as another expression: parentheses, assertions. */
  | { readonly is: 'same'; readonly as: Node }
  | { readonly is: 'literal'; readonly type: string }
  /** A value of a type that is written down: a cast. */
  | { readonly is: 'typed'; readonly type: Node }
  /** One of what a collection holds, under a key where that is written down. */
  | { readonly is: 'element'; readonly of: Node; readonly key?: string }
  /** One of several, depending on what happens. */
  | { readonly is: 'either'; readonly of: readonly Node[] }
  | { readonly is: 'list'; readonly of: readonly Node[] }
  | { readonly is: 'object'; readonly entries: readonly (readonly [key: string, value: Node])[] }
  | { readonly is: 'function'; readonly gives: Node }

interface Call {
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
  /** It is an instance of the class that it stands in. */
  readonly isOwn?: boolean
  /** It belongs to the class around the function that it stands in. */
  readonly isOfClass?: boolean
  /** It is what this method of `init` gives. */
  readonly by?: string
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

/** A method that an operator or a statement calls: the first of these names that there is. */
export interface OperatorCall {
  readonly of: Node
  readonly names: readonly string[]
  readonly count: number
  /** What is called on what it gives. */
  readonly afterwards?: readonly string[]
  /** Only where the other side has no answer, which the text does not say. */
  readonly isReflected?: true
}

export type Imported = Pick<ImportBinding, 'module'> & Partial<Omit<ImportBinding, 'line'>>

/** What a lambda finds besides its own parameters. */
interface LambdaScope {
  readonly lambda: Node
  /** Stands for what members without a receiver are looked for in first. */
  readonly implicit?: Node
  /** What its first parameter is. */
  readonly first?: { readonly value: Node; readonly isElement: boolean }
}

/** One language whose grammar is tree-sitter's: all that is known of how its tree is read. */
export interface GrammarLanguage {
  /** Where its grammar is found, as a module specifier. */
  readonly grammar: string
  /** The same for a text that the grammar stumbles over, of the same length, with every character that matters where it was. */
  easier?(text: string): string

  readonly declarations: ByType<Named | readonly Named[] | undefined>
  /** Parents that belong to what they hold: decorators, templates. */
  readonly wrappers?: ReadonlySet<string>
  /** Nodes that lend their name to what they hold without being a declaration. */
  readonly lends?: ByType<string | undefined>
  /** True if nothing in this node can be used from elsewhere. */
  readonly closed?: ByType<boolean>
  /** Kinds that may stand around an export: none, unless a module is not part of its name. */
  readonly transparent?: ReadonlySet<Kind>
  /** Exports that are said otherwise than by declaring. */
  exports?(root: Node, path: string): { readonly names: readonly string[]; readonly isAll: boolean } | undefined
  /** Reports whether a node of one of these types is a test. */
  readonly tests?: ByType<boolean>

  package?(root: Node): string | undefined
  /** What these nodes import: all of a module, bound to no name, where nothing else is said. */
  readonly imports: ByType<Imported | readonly Imported[] | undefined>

  /** What declares properties of the class around it. */
  readonly fields?: ByType<readonly Variable[]>
  /** Undefined for what takes none, and so cannot be called with a wrong number of them. */
  parameters(node: Node): readonly Parameter[] | undefined
  returns?(node: Node): { readonly type?: Node | undefined; readonly value?: Node | undefined }
  /** What a function gives, at each place where it says so. */
  readonly returned?: ByType<{ readonly value: Node; readonly isElement: boolean } | undefined>
  /** Parts of a function that run where it is declared, not when it is called. */
  readonly runsOutside?: ReadonlySet<string>
  supertypes(node: Node): readonly Node[]
  /** What a class without a name inherits from, where the node is the body of one. */
  readonly anonymous?: ByType<readonly Node[] | undefined>
  /** The type that a function extends without standing in it. */
  receiver?(node: Node): string | undefined
  isStatic?(node: Node): boolean
  /** Reading it calls it. */
  isAccessor?(node: Node): boolean
  /** What the function or class is handed to before anybody sees it. */
  decorators?(node: Node): readonly Node[]
  /** Only where methods of one name are told apart by what they take. */
  overriding?(node: Node): { readonly isPrivate: boolean; readonly isOverride: boolean }

  /** Nodes with variables of their own. */
  readonly scopes: ReadonlySet<string>
  /** What these nodes declare for what stands beside and below them. */
  readonly variables: ByType<readonly Variable[]>
  /** Those of them that functions in them do not see. */
  readonly closedScopes?: ReadonlySet<string>
  /** Names that a function takes from further out instead of declaring them. */
  readonly outer?: ByType<{ readonly names: readonly string[]; readonly isGlobal: boolean }>
  lambdaScope?(call: Node): LambdaScope | undefined
  /** The name of what a lambda without parameters gets. */
  readonly implicitParameter?: string

  /** Expressions that call something. */
  readonly calls: ByType<Expression | undefined>
  readonly expressions: ByType<Expression | undefined>
  type(node: Node): TypeName | undefined
  /** What a node calls without naming it. */
  readonly operators?: ByType<readonly OperatorCall[]>
  /** Names and members that are read or handed on without being called. */
  readonly uses?: ByType<readonly Node[]>
}
