import type { Node } from 'web-tree-sitter'
import type { LanguageRules, Named } from '../../../index/facts/grammar/rules.ts'
import type { OwnSymbol, Value } from '../file-code.ts'
import { signatureOf } from '../signature.ts'
import type { Place, Reader } from './expressions.ts'
import { childrenOf, type Parameter, type Syntax } from './syntax.ts'

interface Around extends Place {
  readonly parent: number
  /** Names that are lent by what stands around it without being a symbol. */
  readonly scopes: readonly string[]
  readonly text: string
  readonly rules: LanguageRules
  readonly syntax: Syntax | undefined
  readonly reader: Reader | undefined
  /** The first of the names that one declaration has. */
  readonly isFirst: boolean
}

/** The symbol that a node declares, with how it is written and what it takes and gives. */
export function declaredSymbol(node: Node, { kind, name, isPublic, within }: Named, around: Around): OwnSymbol {
  const { parent, text, rules, syntax, reader, scopes } = around
  const whole = node.parent && rules.wrappers?.has(node.parent.type) ? node.parent : node
  const parameters = kind === 'variable' ? undefined : syntax?.parameters(node)
  const isFunction = kind === 'function' || kind === 'method'
  const receiver = isFunction ? (syntax?.receiver?.(node) ?? within?.at(-1) ?? scopes.at(-1)) : undefined
  const bases = reader ? (syntax?.supertypes(node) ?? []).map(reader.valueOfType) : []
  const value = reader && valueOf(node, kind, around)
  return {
    name,
    kind: receiver !== undefined && kind === 'function' && within ? 'method' : kind,
    ...linesOf(whole),
    parent,
    exported: isPublic,
    signature: signatureOf(text, startOf(node, text), bodyOf(node)?.startIndex ?? node.endIndex),
    ...(value && { value }),
    ...(parameters && { arity: arityOf(parameters) }),
    ...(receiver !== undefined && receiver !== '' && { receiver }),
    ...(bases.length > 0 && { extends: bases.map(baseOf) }),
    ...(syntax?.isStatic?.(node) && { isStatic: true as const }),
    ...(kind === 'method' && parameters && overriding(node, parameters, syntax)),
  }
}

/** The type that a class inherits from, of one of its objects. */
export const baseOf = (object: Value): Value => (object[0] === 'instance' ? object[1] : object)

function overriding(node: Node, parameters: readonly Parameter[], syntax: Syntax | undefined): Partial<OwnSymbol> {
  const said = syntax?.overriding?.(node)
  return {
    ...(said && { takes: parameters.map(({ type }) => type?.text.replaceAll(/\s+/g, ' ') ?? '') }),
    ...(said?.isPrivate && { isPrivate: true }),
    ...(said?.isOverride && { isOverride: true }),
  }
}

function valueOf(node: Node, kind: Named['kind'], { syntax, reader, ...place }: Around): Value | undefined {
  if (!syntax || !reader) return undefined
  if (kind === 'variable') {
    const rules = [syntax.fields, syntax.variables].find(each => Object.hasOwn(each, node.type))
    const [first] = rules?.[node.type]?.(node) ?? []
    return first && reader.valueOfVariable(first, place)
  }
  if (kind !== 'function' && kind !== 'method') return undefined
  const { type, value } = syntax.returns?.(node) ?? {}
  if (type) return reader.valueOfType(type)
  if (!value) return undefined
  const names = new Map(place.names)
  for (const each of syntax.parameters(node) ?? []) names.set(each.name, reader.valueOfVariable(each, place))
  return reader.valueOf(value, { ...place, names })
}

function arityOf(all: readonly Parameter[]): readonly [number, number | null] {
  const parameters = all.filter(each => !each.isReceiver)
  const isRest = parameters.some(each => each.isRest)
  const needed = parameters.filter(each => !each.isOptional && !each.isRest).length
  return [needed, isRest ? null : parameters.length]
}

/** Where its head begins: annotations are no part of it. */
function startOf(node: Node, text: string): number {
  const annotations = /^(\s*@[\w.:]+(\((?:[^()]|\([^()]*\))*\))?\s+|\s*#\[[^\]]*\]\s*|\s*\[[A-Z][^\]]*\]\s*)+/
  const head = text.slice(node.startIndex, node.startIndex + 2_000)
  return node.startIndex + (annotations.exec(head)?.[0].length ?? 0)
}

const BODIES = /(^|_)(body|block|compound_statement|declaration_list|field_declaration_list|enum_variant_list)$/

function bodyOf(node: Node): Node | undefined {
  return node.childForFieldName('body') ?? childrenOf(node).find(({ type }) => BODIES.test(type))
}

/** A node may end with the line end after it. */
function linesOf({ startPosition, endPosition }: Node): { readonly from: number; readonly to: number } {
  const endsBefore = endPosition.column === 0 && endPosition.row > startPosition.row
  return { from: startPosition.row + 1, to: endPosition.row + (endsBefore ? 0 : 1) }
}
