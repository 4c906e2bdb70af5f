import type { Node } from 'web-tree-sitter'
import type { CodeSymbol } from '../../types.ts'

export type Kind = CodeSymbol['kind']

/** A symbol that a rule found. */
export interface Named {
  readonly kind: Kind
  readonly name: string
  /** Other files can use it, if they can use what it stands in. */
  readonly isPublic: boolean
  /** Names around it that the grammar does not nest, such as the receiver of a method. */
  readonly within?: readonly string[]
}

/** How the tree of one language is read. */
export interface LanguageRules {
  /** Where its grammar is found, as a module specifier. */
  readonly grammar: string
  /** The same for a text that the grammar stumbles over, of the same length, with every sign that matters where it was. */
  easier?(text: string): string
  /** What a node of this type declares; only types that are named here are looked at. */
  readonly symbols: Readonly<Record<string, (node: Node) => Named | readonly Named[] | undefined>>
  /** Parents that belong to what they hold: decorators, templates. */
  readonly wrappers?: ReadonlySet<string>
  /** Nodes that lend their name to what they hold without being a symbol. */
  readonly scopes?: Readonly<Record<string, (node: Node) => string | undefined>>
  /** True where nothing in this node can be used from elsewhere. */
  isClosed?(node: Node): boolean
  /** Kinds that may stand around an export: none, unless a module is not part of its name. */
  readonly transparent?: ReadonlySet<Kind>
  /** Exports that are said otherwise than by declaring. */
  exports?(root: Node, path: string): { readonly names: readonly string[]; readonly isAll: boolean } | undefined
  /** Whether a node of one of these types is a test. */
  readonly tests?: Readonly<Record<string, (node: Node) => boolean>>
}

/** The text of the field `name`. */
export const fieldName = (node: Node): string | undefined => node.childForFieldName('name')?.text

/** A rule for a node whose name is its field `name`. */
export const declares =
  (kind: Kind, isPublic: (node: Node, name: string) => boolean) =>
  (node: Node): Named | undefined => {
    const name = fieldName(node)
    return name === undefined || name === '' ? undefined : { kind, name, isPublic: isPublic(node, name) }
  }

/** A function inside a type is a method of it. */
export const functionIn =
  (types: ReadonlySet<string>, isPublic: (node: Node, name: string) => boolean) =>
  (node: Node): Named | undefined =>
    declares(types.has(node.parent?.type ?? '') ? 'method' : 'function', isPublic)(node)

/** The words that stand before a declaration, without annotations, which may have any word in them. */
export function modifiers(node: Node): string {
  return node.namedChildren
    .filter(child => child !== null && /modifier|storage_class/.test(child.type))
    .map(child => child?.text ?? '')
    .join(' ')
    .replaceAll(/@[\w.:]+(\(("[^"]*"|'[^']*'|[^()"']|\([^()]*\))*\))?/g, '')
}
