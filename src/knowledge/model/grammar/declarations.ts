import type { Node } from 'web-tree-sitter'
import type { Declaration, ExportBinding, Extension, Value } from '../../../languages/file-model/file-model.ts'
import type { GrammarLanguage, Named, Parameter, Variable } from '../../../languages/grammar/grammar-language.ts'
import { openScope } from './names.ts'
import type { NodeRules } from './node-rules.ts'
import { linesOf, spanOf, withWrappers } from './places.ts'
import { classAround, dottedValue, eitherOf, UNKNOWN, type Place, type ValueReader } from './values.ts'

/** The context of a node. */
export interface Around extends Place {
  /** The declaration around new ones. */
  readonly parent: number
  /** Names lent by enclosing nodes that are no declarations. */
  readonly within: readonly string[]
  /** A declaration in here can be exported. */
  readonly isOpen: boolean
  /** Nothing in here is visible to other files. */
  readonly isClosed: boolean
  /** The context of the enclosing declaration. */
  readonly outer?: Around
}

/** Collects a file's declarations; without a reader of values only its outline. */
export function createDeclarations(
  language: GrammarLanguage,
  text: string,
  symbols: Declaration[],
  reader: ValueReader | undefined,
) {
  const exports = new Map<string, ExportBinding>()
  /** Numbers of properties by class and name. */
  const properties = new Map<string, number>()
  const extensions: Extension[] = []
  return { exports: () => [...exports.values()], extensions, declare }

  /** Adds a node's declaration, and returns the context for its children. */
  function declare(node: Node, rules: NodeRules, around: Around): Around {
    const bases = reader && rules.anonymous?.(node)
    if (bases) return anonymous(symbols, node, bases, around, reader)
    const declarations = [rules.declarations?.(node) ?? []].flat()
    const innerName = rules.lends?.(node)
    const first = symbols.length
    for (const declaration of declarations) add(node, declaration, around, declarations.length > 1)
    const lending =
      innerName === undefined ? around : { ...around, within: [...around.within, innerName], isOpen: false }
    const outer = reader ? withExtension(node, rules, lending, reader, extensions) : lending
    if (declarations.length === 0 && reader) fields(node, rules, outer, reader)
    const holder = declarations.find(({ kind }) => kind !== 'variable' && kind !== 'type')
    if (!holder) return declarations.some(({ kind }) => kind === 'variable') ? { ...outer, isOpen: false } : outer
    const isOpen = around.isOpen && !holder.within && (language.transparent?.has(holder.kind) ?? false)
    const inside: Around = { ...outer, parent: first, by: first, implicit: [], within: [], isOpen }
    if (!reader) return inside
    const inner = { ...inside, outer: around, names: openScope(around.names, language.closedScopes?.has(node.type)) }
    parameters(node, inner, reader)
    return inner
  }

  function add(node: Node, named: Named, around: Around, isShared: boolean): void {
    const number = symbols.length
    const { name, kind } = named
    const isPublic = named.isPublic && !around.isClosed
    const within = [...around.within, ...(named.within ?? [])]
    if (around.isOpen && isPublic && !named.within && !exports.has(name))
      exports.set(name, { name, value: ['symbol', number] })
    const outline = {
      name,
      kind,
      ...linesOf(withWrappers(node, language)),
      parent: around.parent,
      exported: isPublic,
      signature: '',
      ...(within.length > 0 && { within }),
    }
    if (!reader) return void symbols.push(outline)
    symbols.push({
      ...outline,
      ...spanOf(node, name, isShared, text, language),
      ...detailsOf(language, node, { ...named, within }, around, reader),
    })
    // From here on the name refers to the new declaration.
    if (kind !== 'variable' && around.names.get(name)) around.names.set(name, ['symbol', number])
  }

  function parameters(node: Node, own: Around, values: ValueReader): void {
    for (const parameter of language.parameters(node) ?? []) {
      const value = values.valueOfVariable(parameter, own)
      if (parameter.isProperty) addProperty(parameter, node, value, own.parent)
      else own.names.set(parameter.name, value)
    }
  }

  function fields(node: Node, rules: NodeRules, around: Around, values: ValueReader): void {
    const all = rules.fields?.(node) ?? []
    for (const field of all) {
      if (field.name === '') continue
      const holder = field.isOfClass ? classAround(symbols, around.parent) : around.parent
      const value: Value = field.isOwn ? ['instance', ['symbol', holder]] : values.valueOfVariable(field, around)
      if (field.isOfClass && holder >= 0) assign(field, node, value, holder)
      else {
        const span = spanOf(node, field.name, all.length > 1 || field.isOwn === true, text, language)
        addProperty(field, node, value, holder, text.startsWith(field.name, span.nameAt) ? span : {})
      }
    }
  }

  /** A property that is assigned in several places has one of these values. */
  function assign({ name }: Variable, node: Node, value: Value, holder: number): void {
    const number = properties.get(`${holder} ${name}`) ?? -1
    const existing = symbols[number]
    if (!existing) return addProperty({ name }, node, value, holder)
    if (existing.kind !== 'property' || value === UNKNOWN) return
    symbols[number] = { ...existing, value: withValue(existing.value ?? UNKNOWN, value) }
  }

  function addProperty({ name, type }: Variable, node: Node, value: Value, parent: number, span: object = {}): void {
    properties.set(`${parent} ${name}`, symbols.length)
    const { from } = linesOf(node)
    const to = node.endPosition.row + 1
    const isTyped = type && language.arguments && ({ isTyped: true } as const)
    const propertySymbol = { name, kind: 'property', from, to, parent, exported: false, signature: name } as const
    symbols.push({ ...propertySymbol, ...span, value, ...isTyped })
  }
}

/** Adds a value to those that a property may have. */
function withValue(known: Value, value: Value): Value {
  const values = known[0] === 'either' ? (known.slice(1) as Value[]) : [known]
  const all = [...values.filter(each => each !== UNKNOWN), value]
  return eitherOf([...new Map(all.map(each => [JSON.stringify(each), each])).values()])
}

/** The members of an extended type are looked up without a receiver. */
function withExtension(node: Node, rules: NodeRules, around: Around, values: ValueReader, to: Extension[]): Around {
  const extension = rules.extensions?.(node)
  if (!extension) return around
  const { type, bases } = extension
  if (bases.length > 0) to.push({ type, bases: bases.map(each => baseOf(values.valueOfType(each))) })
  return { ...around, implicit: [...around.implicit, ['instance', dottedValue(type)]] }
}

function detailsOf(
  language: GrammarLanguage,
  node: Node,
  { kind, name, within }: Named,
  around: Around,
  values: ValueReader,
) {
  const isFunction = kind === 'function' || kind === 'method'
  const parameters = kind === 'variable' ? undefined : language.parameters(node)
  const receiver = isFunction ? (language.receiver?.(node) ?? within?.at(-1) ?? '') : ''
  const bases = language.supertypes(node).map(each => baseOf(values.valueOfType(each)))
  const trait = isFunction ? language.trait?.(node) : undefined
  const accessor = isFunction ? language.accessor?.(node) : undefined
  const value =
    kind === 'variable' || (accessor && !language.returns?.(node).type)
      ? valueOf(language, node, name, around, values)
      : isFunction && resultValue(language, node, around, values)
  const decorators = isFunction || kind === 'class' ? (language.decorators?.(node) ?? []) : []
  return {
    ...(value && { value }),
    ...(isFunction && language.arguments && language.returns?.(node).type && { isTyped: true as const }),
    ...(isFunction && language.arguments && parameters && takenBy(parameters)),
    ...(parameters && { arity: arityOf(parameters) }),
    ...(receiver !== '' && { receiver }),
    ...(trait && { trait: baseOf(values.valueOfType(trait)) }),
    ...(bases.length > 0 && { extends: bases }),
    ...(language.isStatic?.(node) && { isStatic: true as const }),
    ...(accessor && { accessor }),
    ...(decorators.length > 0 && { decorators: decorators.map(each => values.valueOf(each, around)) }),
    ...(kind === 'method' && parameters && overriding(language, node)),
  }
}

/** What tells overloads apart. */
function takenBy(taken: readonly Parameter[]): Pick<Declaration, 'takes' | 'labels'> {
  const parameters = taken.filter(each => !each.isReceiver)
  const labels = parameters.flatMap(({ label }) => label ?? [])
  return {
    takes: parameters.map(
      ({ type, isPointer }) => `${type?.text.replaceAll(/\s+/g, ' ') ?? ''}${isPointer ? '*' : ''}`,
    ),
    ...(labels.length > 0 && { labels }),
  }
}

function overriding(language: GrammarLanguage, node: Node): Partial<Declaration> {
  const overrides = language.overriding?.(node)
  return {
    ...(overrides?.isPrivate && { isPrivate: true }),
    ...(overrides?.isOverride && { isOverride: true }),
  }
}

/** The value of a variable of a file or class. */
function valueOf(
  language: GrammarLanguage,
  node: Node,
  name: string,
  around: Around,
  values: ValueReader,
): Value | undefined {
  const rules = [language.fields ?? {}, language.variables].find(each => Object.hasOwn(each, node.type))
  const all = rules?.[node.type]?.(node) ?? []
  const variable = all.find(each => each.name === name) ?? all[0]
  return variable && values.valueOfVariable(variable, around)
}

/** The written result of a function. */
function resultValue(language: GrammarLanguage, node: Node, around: Around, values: ValueReader): Value | undefined {
  const { type, value } = language.returns?.(node) ?? {}
  if (type) return values.valueOfType(type)
  if (!value) return undefined
  const names = openScope(around.names)
  for (const each of language.parameters(node) ?? []) names.set(each.name, values.valueOfVariable(each, around))
  return values.valueOf(value, { ...around, names })
}

/** An unnamed class still encloses its members. */
function anonymous(
  symbols: Declaration[],
  node: Node,
  bases: readonly Node[],
  around: Around,
  values: ValueReader,
): Around {
  const number = symbols.length
  const above = bases.map(base => baseOf(values.valueOfType(base)))
  symbols.push({
    name: '',
    kind: 'class',
    from: linesOf(node.parent ?? node).from,
    to: node.endPosition.row + 1,
    parent: around.parent,
    exported: false,
    signature: '',
    ...(above.length > 0 && { extends: above }),
  })
  const names = openScope(around.names)
  return { parent: number, by: number, names, implicit: [], within: [], isOpen: false, isClosed: around.isClosed }
}

/** The base type of a class, from an instance of it. */
const baseOf = (object: Value): Value => (object[0] === 'instance' ? object[1] : object)

function arityOf(all: readonly Parameter[]): readonly [number, number | null] {
  const parameters = all.filter(each => !each.isReceiver)
  const isRest = parameters.some(each => each.isRest)
  const leastCount = parameters.filter(each => !each.isOptional && !each.isRest).length
  return [leastCount, isRest ? null : parameters.length]
}
