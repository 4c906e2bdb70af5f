import type { Node } from 'web-tree-sitter'
import type { OwnSymbol, Reference, Value } from '../file-code.ts'
import type { Expression, Sign, Syntax, Variable } from './syntax.ts'

/** Where an expression stands. */
export interface Place {
  /** The number of the function, method or class around it. */
  readonly by: number
  /** What its variables are. */
  readonly names: Map<string, Value>
  /** What members without a receiver are looked for in, the innermost last. */
  readonly implicit: readonly Value[]
}

/** Nobody declares a name without letters: of this nothing is known. */
export const UNKNOWN: Value = ['name', '']

/** Reads what expressions and types of one file mean. */
export function createReader(syntax: Syntax, symbols: readonly OwnSymbol[]) {
  /** Calls whose lambda made them one with a call around them. */
  const taken = new Set<number>()
  const given = new WeakSet<Value>()
  const reader = {
    valueOf,
    valueOfType,
    valueOfVariable,
    /** What the node calls; undefined where it calls nothing. */
    reference(node: Node, place: Place): Omit<Reference, 'by' | 'line'> | undefined {
      const found = syntax.expression(node)
      if (found?.is === 'new') {
        const type = syntax.type(found.type)
        return type && { kind: 'new', value: dotted(type.name), count: found.count }
      }
      if (found?.is !== 'call' || taken.has(node.id)) return undefined
      const inner = 'id' in found.callee ? found.callee.parent : undefined
      if (inner && inner.id !== node.id) taken.add(inner.id)
      return { kind: 'call', value: calleeOf(found, place), count: found.count }
    },
    /** What the node calls by signs. */
    signs(node: Node, place: Place): readonly Omit<Reference, 'by' | 'line'>[] {
      return (syntax.signs?.(node) ?? []).map(sign => ({
        kind: 'call',
        value: valueOfSign(sign, place),
        count: sign.count,
      }))
    },
    /** The line of the name that is called. */
    lineOf(node: Node): number {
      const found = syntax.expression(node)
      const callee = found?.is === 'call' && 'id' in found.callee ? found.callee : undefined
      const last = callee ? (callee.namedChildren.at(-1) ?? callee) : (node.childForFieldName('name') ?? node)
      return last.startPosition.row + 1
    },
    *variables(node: Node, place: Place): Generator<readonly [string, Value]> {
      const rule = Object.hasOwn(syntax.variables, node.type) ? syntax.variables[node.type] : undefined
      for (const each of rule?.(node) ?? []) {
        const before = place.names.get(each.name)
        // What a call hands to its lambda is known better than a parameter without a type says.
        const isGiven = before !== undefined && given.has(before) && !each.type && !each.init
        if (each.name !== '' && !isGiven) yield [each.name, valueOfVariable(each, place)]
      }
    },
    /** Notes what a call gives to its lambda. */
    open(node: Node, place: Place): void {
      const scope = syntax.lambdaScope?.(node)
      if (scope) lambdas.set(scope.lambda.id, lambdaPlace(scope, place))
    },
    /** The place of a child, where a lambda is given more than its parameters say. */
    within<P extends Place>(child: Node, place: P): P {
      const more = lambdas.size > 0 ? lambdas.get(child.id) : undefined
      if (!more) return place
      const names = new Map(place.names)
      if (more.first) names.set(firstName(child), more.first)
      if (more.first) given.add(more.first)
      return { ...place, names, implicit: more.implicit ? [...place.implicit, more.implicit] : place.implicit }
    },
  }
  const lambdas = new Map<number, { readonly implicit?: Value; readonly first?: Value }>()
  return reader

  function lambdaPlace(scope: NonNullable<ReturnType<NonNullable<Syntax['lambdaScope']>>>, place: Place) {
    const first = scope.first && valueOf(scope.first.value, place)
    return {
      ...(scope.implicit && { implicit: valueOf(scope.implicit, place) }),
      ...(first && { first: scope.first?.isElement ? (['element', first] as const) : first }),
    }
  }

  function firstName(lambda: Node): string {
    const rules = lambda.namedChildren.flatMap(each =>
      each && Object.hasOwn(syntax.variables, each.type) ? (syntax.variables[each.type]?.(each) ?? []) : [],
    )
    const own = Object.hasOwn(syntax.variables, lambda.type) ? (syntax.variables[lambda.type]?.(lambda) ?? []) : []
    return [...own, ...rules][0]?.name ?? syntax.implicitParameter ?? ''
  }

  function valueOfVariable({ type, init, isElement = false }: Variable, place: Place): Value {
    if (type) return valueOfType(type)
    if (!init) return UNKNOWN
    const value = valueOf(init, place)
    return isElement ? ['element', value] : value
  }

  function valueOfType(node: Node): Value {
    const type = syntax.type(node)
    if (!type) return UNKNOWN
    return ['instance', dotted(type.name), ...type.args.map(valueOfType)]
  }

  function valueOf(node: Node, place: Place): Value {
    const found = syntax.expression(node)
    switch (found?.is) {
      case 'name':
        return named(found.name, place)
      case 'member':
        return ['member', valueOf(found.of, place), found.name]
      case 'call':
        return ['result', calleeOf(found, place)]
      case 'new':
      case 'typed':
        return valueOfType(found.type)
      case 'this':
        return thisOf(place)
      case 'super': {
        const own = classAround(place.by)
        return own === -1 ? UNKNOWN : ['super', own]
      }
      case 'same':
        return valueOf(found.as, place)
      case 'element':
        return ['element', valueOf(found.of, place)]
      case 'literal':
        return ['instance', ['name', found.type]]
      default: {
        const [sign] = syntax.signs?.(node) ?? []
        return sign ? ['result', valueOfSign(sign, place)] : UNKNOWN
      }
    }
  }

  function valueOfSign({ of, names }: Sign, place: Place): Value {
    const value = valueOf(of, place)
    const [first = '', ...more] = names
    if (more.length === 0) return ['sign', value, first]
    return ['either', ...names.map((name): Value => ['sign', value, name])]
  }

  function calleeOf({ callee }: Extract<Expression, { is: 'call' }>, place: Place): Value {
    if ('id' in callee) return valueOf(callee, place)
    return callee.of ? ['member', valueOf(callee.of, place), callee.name] : named(callee.name, place)
  }

  function named(name: string, { names, implicit }: Place): Value {
    const known = names.get(name)
    if (known) return known
    const own: Value = ['name', name]
    if (implicit.length === 0) return own
    return ['either', ...implicit.toReversed().map((of): Value => ['member', of, name]), own]
  }

  function thisOf({ by, implicit }: Place): Value {
    const inner = implicit.at(-1)
    if (inner) return inner
    const receiver = symbols[by]?.receiver
    if (receiver !== undefined) return ['instance', dotted(receiver)]
    const own = classAround(by)
    return own === -1 ? UNKNOWN : ['instance', ['symbol', own]]
  }

  function classAround(at: number): number {
    for (let around = at; around >= 0; around = symbols[around]?.parent ?? -1)
      if (/^(class|interface|enum)$/.test(symbols[around]?.kind ?? '')) return around
    return -1
  }
}

export type Reader = ReturnType<typeof createReader>

/** A name with dots, part by part. */
export function dotted(name: string): Value {
  const [first = '', ...rest] = name.split('.')
  return rest.reduce((value: Value, part) => ['member', value, part], ['name', first])
}
