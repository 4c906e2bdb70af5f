import type { Node } from 'web-tree-sitter'
import type { Declaration, Value } from '../../../languages/file-model/file-model.ts'
import type {
  Expression,
  GrammarLanguage,
  OperatorCall,
  Variable,
} from '../../../languages/grammar/grammar-language.ts'
import type { Names } from './names.ts'

/** The place of an expression. */
export interface Place {
  /** The number of the enclosing function, method or class. */
  readonly by: number
  /** Its variables. */
  readonly names: Names
  /** The receivers of bare members, the innermost last. */
  readonly implicit: readonly Value[]
}

/** No declaration has an empty name: this value is unknown. */
export const UNKNOWN: Value = ['name', '']

/** Longer chains of members and calls, and deeper types, are not followed. */
const LONGEST_CHAIN = 100
const DEEPEST_TYPE = 10
const MOST_PARTS = 50

/** Reads the meaning of expressions and types of one file. */
export interface ValueReader {
  valueOf(node: Node, place: Place): Value
  valueOfType(node: Node): Value
  valueOfVariable(variable: Variable, place: Place): Value
  /** The methods that an operator calls, in order. */
  operatorCalls(operator: OperatorCall, place: Place): readonly Value[]
  calleeOf(call: Extract<Expression, { is: 'call' }>, place: Place): Value
}

export function createValueReader(language: GrammarLanguage, symbols: readonly Declaration[]): ValueReader {
  const reader = { valueOf, valueOfType, valueOfVariable, operatorCalls, calleeOf }
  return reader

  function valueOfVariable({ type, init, isElement = false, by }: Variable, place: Place): Value {
    if (type) return valueOfType(type)
    if (!init) return UNKNOWN
    const value = valueOf(init, place)
    if (by !== undefined) return ['result', ['sign', value, by]]
    return isElement ? ['element', value] : value
  }

  function valueOfType(node: Node, depth = 0): Value {
    const several = depth < DEEPEST_TYPE ? (language.alternatives?.(node) ?? []) : []
    if (several.length > 1) return eitherOf(several.map(each => valueOfType(each, depth + 1)))
    const type = depth < DEEPEST_TYPE ? language.type(node) : undefined
    if (!type) return UNKNOWN
    const local = language.localTypes ? localType(type.name, symbols, node.startPosition.row + 1) : undefined
    return ['instance', local ?? dottedValue(type.name), ...type.args.map(each => valueOfType(each, depth + 1))]
  }

  /** Follows a chain of members, calls and elements to its start. */
  function valueOf(node: Node, place: Place, depth = 0): Value {
    const chain: ((value: Value) => Value)[] = []
    let at = node
    while (chain.length + depth < LONGEST_CHAIN) {
      const expression = expressionOf(language, at)
      const next = expression ? linkOf(expression) : operatorOf(language, at)
      if (!next) {
        const start = expression ? startOf(expression, place, depth) : UNKNOWN
        return chain.reduceRight(
          (value, link) => link(value),
          chain.length > 0 ? receiverIn(language, at, start) : start,
        )
      }
      chain.push(next.link)
      at = next.of
    }
    return UNKNOWN
  }

  function startOf(found: Expression, place: Place, depth: number): Value {
    switch (found.is) {
      case 'name':
        return nameAt(language, symbols, found.name, place)
      case 'call':
        return 'id' in found.callee ? UNKNOWN : ['result', calleeOf(found, place)]
      case 'new':
      case 'typed':
        return valueOfType(found.type)
      case 'this':
        return thisOf(symbols, place, language.classIsReceiver === true)
      case 'class': {
        const classNumber = classAround(symbols, place.by)
        return classNumber === -1 ? UNKNOWN : ['symbol', classNumber]
      }
      case 'super':
        return baseAround(symbols, place)
      case 'literal':
        return ['instance', ['name', found.type]]
      case 'either':
        return eitherOf(partsOf(found.of, place, depth))
      case 'list': {
        const elements = partsOf(found.of, place, depth)
        return ['list', elements.length === 0 ? null : eitherOf(elements)]
      }
      case 'object': {
        const entries = found.entries.slice(0, MOST_PARTS)
        const values = partsOf(
          entries.map(([, value]) => value),
          place,
          depth,
        )
        return ['object', Object.fromEntries(entries.map(([key], number) => [key, values[number] ?? UNKNOWN]))]
      }
      case 'function':
        return ['function', valueOf(found.gives, place, depth + LONGEST_CHAIN / 10)]
      default:
        return UNKNOWN
    }
  }

  function partsOf(parts: readonly Node[], place: Place, depth: number): readonly Value[] {
    return parts.slice(0, MOST_PARTS).map(each => valueOf(each, place, depth + LONGEST_CHAIN / 10))
  }

  function operatorCalls({ of, names, afterwards }: OperatorCall, place: Place): readonly Value[] {
    const methods = methodsOf(valueOf(of, place), names)
    return afterwards ? [methods, methodsOf(['result', methods], afterwards)] : [methods]
  }

  function calleeOf({ callee }: Extract<Expression, { is: 'call' }>, place: Place): Value {
    if ('id' in callee) return valueOf(callee, place)
    if (callee.isOfBase) return ['member', baseAround(symbols, place), callee.name]
    return callee.of
      ? ['member', receiverIn(language, callee.of, valueOf(callee.of, place)), callee.name]
      : nameAt(language, symbols, callee.name, place)
  }
}

/** The result of an operator. */
function operatorOf({ operators = {} }: GrammarLanguage, node: Node): Link | undefined {
  const rule = Object.hasOwn(operators, node.type) && operators[node.type]
  const [first] = (rule && rule(node)) || []
  // A loop over the elements returns none of them.
  if (!first || first.afterwards) return undefined
  return { of: first.of, link: value => ['result', methodsOf(value, first.names)] }
}

function nameAt(language: GrammarLanguage, symbols: readonly Declaration[], name: string, place: Place): Value {
  const local = language.localTypes && !place.names.get(name) ? localType(name, symbols) : undefined
  return local ?? valueOfName(name, place)
}

/** A receiver of a member; the members of an unnamed class are not followed. */
function receiverIn({ anonymous = {} }: GrammarLanguage, node: Node, value: Value): Value {
  const isUnnamed = (each: Node | null) =>
    each !== null && Object.hasOwn(anonymous, each.type) && anonymous[each.type]?.(each) !== undefined
  return CREATES.test(node.type) && node.namedChildren.some(isUnnamed) ? eitherOf([value, UNKNOWN]) : value
}

const CREATES = /creation|literal/

function valueOfName(name: string, { names, implicit }: Place): Value {
  const boundValue = names.get(name)
  if (boundValue) return boundValue
  const nameValue: Value = ['name', name]
  if (implicit.length === 0) return nameValue
  return ['either', ...implicit.toReversed().map((of): Value => ['member', of, name]), nameValue]
}

/** In the body of a class where it is the receiver, and in a static method, it is the class. */
function thisOf(symbols: readonly Declaration[], { implicit, ...place }: Place, isClassBody: boolean): Value {
  const inner = implicit.at(-1)
  // A lambda may have no receiver of its own.
  if (inner?.[0] === 'handed')
    return ['either', inner, thisOf(symbols, { ...place, implicit: implicit.slice(0, -1) }, isClassBody)]
  if (inner) return inner
  let isClass = isClassBody
  for (let at = place.by; at >= 0; at = symbols[at]?.parent ?? -1) {
    const { receiver, kind = '', isStatic = false } = symbols[at] ?? {}
    if (receiver !== undefined) return ['instance', dottedValue(receiver)]
    if (TYPE.test(kind)) return isClass ? ['symbol', at] : ['instance', ['symbol', at]]
    isClass = isStatic
  }
  return UNKNOWN
}

/** The base of the class around a place. */
function baseAround(symbols: readonly Declaration[], { by }: Place): Value {
  const classNumber = classAround(symbols, by)
  return classNumber === -1 ? UNKNOWN : ['super', classNumber]
}

/** The kind of an expression; undefined if the language has no rule for it. */
export function expressionOf({ calls, expressions }: GrammarLanguage, node: Node): Expression | undefined {
  const { type } = node
  const rules = [calls, expressions].find(each => Object.hasOwn(each, type))
  return rules?.[type]?.(node)
}

/** A type that the function being read has declared so far; one that begins later is none. */
function localType(name: string, symbols: readonly Declaration[], line?: number): Value | undefined {
  for (let number = symbols.length - 1; number >= 0; number--) {
    const symbol = symbols[number]
    if (!symbol || symbol.parent < 0) return undefined
    const around = symbols[symbol.parent]
    const isLocal = symbol.name === name && /^(class|interface|type)$/.test(symbol.kind) && around?.kind !== 'module'
    if (isLocal && (line === undefined || (around && around.to >= line))) return ['symbol', number]
  }
  return undefined
}

interface Link {
  readonly of: Node
  readonly link: (value: Value) => Value
}

/** The link from one expression to the next in a chain; undefined if it is none. */
function linkOf(found: Expression): Link | undefined {
  switch (found.is) {
    case 'member':
      return { of: found.of, link: value => ['member', value, found.name] }
    case 'same':
      return { of: found.as, link: value => value }
    case 'element':
      return {
        of: found.of,
        link: value => (found.key === undefined ? ['element', value] : ['element', value, found.key]),
      }
    case 'call': {
      const { callee } = found
      if ('id' in callee) return { of: callee, link: value => ['result', value] }
      return callee.of && { of: callee.of, link: value => ['result', ['member', value, callee.name]] }
    }
    default:
      return undefined
  }
}

const methodsOf = (of: Value, names: readonly string[]): Value =>
  eitherOf(names.map((name): Value => ['sign', of, name]))

/** One of several alternatives, unknown ones last. */
export function eitherOf(values: readonly Value[]): Value {
  const [first = UNKNOWN, ...rest] = values
  return rest.length === 0 ? first : ['either', ...values]
}

const TYPE = /^(class|interface|enum)$/

/** The class that a declaration is or is in; -1 if there is none. */
export function classAround(symbols: readonly Declaration[], number: number): number {
  let at = number
  while (at >= 0 && !TYPE.test(symbols[at]?.kind ?? '')) at = symbols[at]?.parent ?? -1
  return at
}

/** A dotted name, part by part. */
export function dottedValue(name: string): Value {
  const [first = '', ...rest] = name.split('.')
  return rest.reduce((value: Value, part) => ['member', value, part], ['name', first])
}
