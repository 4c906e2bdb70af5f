import type { Node } from 'web-tree-sitter'
import type { CodeSymbol } from '../file-model/code-symbol.ts'
import type { Access, ImportBinding } from '../file-model/file-model.ts'

export type Kind = CodeSymbol['kind']

/** Rules by the type of the node that they read. */
export type ByType<T> = Readonly<Record<string, (node: Node) => T>>

/** A declaration that a rule found. */
export interface Named {
  readonly kind: Kind
  readonly name: string
  /** Other files can use it, if they can use its enclosing symbol. */
  readonly isPublic: boolean
  /** Names around it that the tree does not nest, such as the receiver of a method. */
  readonly within?: readonly string[]
}

/** The kind of an expression, as far as calls and receivers need it. */
export type Expression =
  | { readonly is: 'name'; readonly name: string }
  | { readonly is: 'member'; readonly of: Node; readonly name: string }
  | Call
  | { readonly is: 'new'; readonly type: Node; readonly count: number }
  | { readonly is: 'this' }
  /** The enclosing class. */
  | { readonly is: 'class' }
  | { readonly is: 'super' }
  /** The same value as another expression: parentheses, assertions. */
  | { readonly is: 'same'; readonly as: Node }
  | { readonly is: 'literal'; readonly type: string }
  /** A value of a written type: a cast. */
  | { readonly is: 'typed'; readonly type: Node }
  /** An element of a collection, under a key if one is written. */
  | { readonly is: 'element'; readonly of: Node; readonly key?: string }
  /** One of several alternatives. */
  | { readonly is: 'either'; readonly of: readonly Node[] }
  | { readonly is: 'list'; readonly of: readonly Node[] }
  | { readonly is: 'object'; readonly entries: readonly (readonly [key: string, value: Node])[] }
  | { readonly is: 'function'; readonly gives: Node }

interface Call {
  readonly is: 'call'
  /** The callee: an expression, or a member by its name. */
  readonly callee: Node | { readonly of: Node | undefined; readonly name: string; readonly isOfBase?: true }
  /** The number of arguments; -1 if unknown. */
  readonly count: number
}

/** A written type: its dotted name and its arguments. */
export interface TypeName {
  readonly name: string
  readonly args: readonly Node[]
}

export interface Variable {
  readonly name: string
  readonly type?: Node | undefined
  readonly init?: Node | undefined
  /** `init` is the collection that it iterates over. */
  readonly isElement?: boolean
  /** It is an instance of the enclosing class. */
  readonly isOwn?: boolean
  /** It belongs to the class around its function. */
  readonly isOfClass?: boolean
  /** It is the result of this method of `init`. */
  readonly by?: string
}

/** An argument of a call, with the name that stands before it. */
export interface WrittenArgument {
  readonly node: Node
  readonly label?: string | undefined
}

export interface Parameter extends Variable {
  /** What a call writes before its argument; empty for nothing. */
  readonly label?: string
  /** Its type is a pointer to the written one. */
  readonly isPointer?: boolean
  readonly isOptional?: boolean
  /** Takes any number of arguments. */
  readonly isRest?: boolean
  /** It is the receiver, and no argument. */
  readonly isReceiver?: boolean
  /** It is a property of the class as well. */
  readonly isProperty?: boolean
}

/** A method that an operator or a statement calls: the first of these names that exists. */
export interface OperatorCall {
  readonly of: Node
  readonly names: readonly string[]
  readonly count: number
  /** Methods called on its result. */
  readonly afterwards?: readonly string[]
  /** Only if the other operand has no such method, which the text does not tell. */
  readonly isReflected?: true
}

/** A call of library code that calls methods of a value or of its elements. */
export interface ElementCall {
  readonly of: Node
  readonly names: readonly string[]
  /** It calls methods of the value itself in another way, or not at all. */
  readonly isContainer?: true
}

export type Imported = Pick<ImportBinding, 'module'> & Partial<Omit<ImportBinding, 'line'>>

/** Names available in a lambda besides its own parameters. */
interface LambdaScope {
  readonly lambda: Node
  /** The receiver on which bare members are looked up first. */
  readonly implicit?: Node
  /** The called function, if its parameter's type may tell that receiver. */
  readonly receivedBy?: Node
  /** The value of its first parameter. */
  readonly first?: { readonly value: Node; readonly isElement: boolean }
}

/** One language that tree-sitter parses: the rules for reading its tree. */
export interface GrammarLanguage {
  /** The module specifier of its grammar. */
  readonly grammar: string
  /** Rewrites a text that the grammar fails on: same length, with every relevant character at its place. */
  easier?(text: string): string

  readonly declarations: ByType<Named | readonly Named[] | undefined>
  /** Parents that belong to their child: decorators, templates. */
  readonly wrappers?: ReadonlySet<string>
  /** Nodes that lend their name to their children without being a declaration. */
  readonly lends?: ByType<string | undefined>
  /** Nodes that extend a type from outside of it, with the bases that they add; its members need no receiver there. */
  readonly extensions?: ByType<{ readonly type: string; readonly bases: readonly Node[] } | undefined>
  /** True if nothing in this node is visible elsewhere. */
  readonly closed?: ByType<boolean>
  /** Kinds that may enclose an export: none, unless a module is not part of its name. */
  readonly transparent?: ReadonlySet<Kind>
  /** Exports that are stated apart from declarations. */
  exports?(root: Node, path: string): { readonly names: readonly string[]; readonly isAll: boolean } | undefined
  /** Reports whether a node of one of these types is a test. */
  readonly tests?: ByType<boolean>

  package?(root: Node): string | undefined
  /** The imports of these nodes; by default all of a module, bound to no name. */
  readonly imports: ByType<Imported | readonly Imported[] | undefined>

  /** Nodes that declare properties of the enclosing class. */
  readonly fields?: ByType<readonly Variable[]>
  /** Undefined for a symbol without a parameter list, whose argument count is never wrong. */
  parameters(node: Node): readonly Parameter[] | undefined
  returns?(node: Node): { readonly type?: Node | undefined; readonly value?: Node | undefined }
  /** The results of a function, at each place that returns one. */
  readonly returned?: ByType<{ readonly value: Node; readonly isElement: boolean } | undefined>
  /** Parts of a function that run when it is declared, not when it is called. */
  readonly runsOutside?: ReadonlySet<string>
  supertypes(node: Node): readonly Node[]
  /** The bases of an unnamed class, if the node is the body of one. */
  readonly anonymous?: ByType<readonly Node[] | undefined>
  /** The type that a function extends without being inside of it. */
  receiver?(node: Node): string | undefined
  /** The trait whose implementation a function is in. */
  trait?(node: Node): Node | undefined
  isStatic?(node: Node): boolean
  /** The access that runs a function or property; undefined if it is no accessor. */
  accessor?(node: Node): Access | undefined
  /** Decorators of the function or class. */
  decorators?(node: Node): readonly Node[]
  /** The arguments of a call; only in languages with overloads. */
  arguments?(call: Node): readonly WrittenArgument[]
  /** Expressions of which only literals tell their whole type: others may be pointers. */
  readonly hasPointers?: true
  /** Only in languages that compare parameter types of overrides. */
  overriding?(node: Node): { readonly isPrivate: boolean; readonly isOverride: boolean }

  /** Nodes with variables of their own. */
  readonly scopes: ReadonlySet<string>
  /** The variables that these nodes declare for their siblings and children. */
  readonly variables: ByType<readonly Variable[]>
  /** An assignment gives a variable another value, and may not be reached. */
  readonly reassigns?: true
  /** Scopes whose variables nested functions do not see. */
  readonly closedScopes?: ReadonlySet<string>
  /** Names that a function takes from an outer scope instead of declaring them. */
  readonly outer?: ByType<{ readonly names: readonly string[]; readonly isGlobal: boolean }>
  lambdaScope?(call: Node): LambdaScope | undefined
  /** The name of the implicit parameter of a lambda. */
  readonly implicitParameter?: string

  /** Expressions that call something. */
  readonly calls: ByType<Expression | undefined>
  readonly expressions: ByType<Expression | undefined>
  type(node: Node): TypeName | undefined
  /** The name of a constructor, if it is not that of its class. */
  readonly constructorName?: string
  /** In the body of a class, the receiver is the class. */
  readonly classIsReceiver?: true
  /** A type in a function begins at its declaration. */
  readonly localTypes?: true
  /** The types of which a value of this type has one. */
  alternatives?(node: Node): readonly Node[]
  /** Calls of library code that call methods of a value, or of the elements of one. */
  elements?(node: Node): readonly ElementCall[]
  /** An import names modules, of which a name may be a part. */
  readonly namesModules?: true
  /** Implicit calls of a node. */
  readonly operators?: ByType<readonly OperatorCall[]>
  /** How names and members are accessed that may be accessors. */
  readonly accesses?: ByType<Access | undefined>
  /** Names and members that are read or passed on without being called. */
  readonly uses?: ByType<readonly Node[]>
  /** Texts and symbols that may name a function which is looked up. */
  readonly namedTexts?: ByType<string | undefined>
  /** Reports whether a node looks up a function by a name that is not written. */
  readonly lookups?: ByType<boolean>
}
