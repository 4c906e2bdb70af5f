import { languageNamed } from '../../../languages/registry.ts'
import type { Declaration } from '../../../languages/file-model/file-model.ts'
import { madeOf, partsOf } from './members.ts'
import { isSame, childrenNamed, symbolAt, type Found } from './project.ts'
import type { Resolution } from './resolution.ts'

/**
 * Reports whether a method may run when one of an ancestor is called, in languages that compare more than name and
 * count.
 */
function mayOverride(method: Found, above: Found): boolean {
  const [methodSymbol, other] = [symbolAt(method), symbolAt(above)]
  const language = languageNamed(method.file.code.language)
  if (!methodSymbol?.takes || !other?.takes || !language.comparesOverrides) return true
  if ([methodSymbol, other].some(each => each.isStatic || each.isPrivate)) return false
  if (takesSame(method, above)) return methodSymbol.isOverride === true || !language.marksOverrides
  if (!methodSymbol.isOverride) return false
  // It overrides something. If no ancestor has the same written parameters, they use another name for a type.
  return !besides(above, methodSymbol.name).some(each => takesSame(method, each))
}

/** Reports whether two methods have the same written parameter types; true if the language does not compare them. */
export function takesSame(method: Found, above: Found): boolean {
  const [methodSymbol, other] = [symbolAt(method), symbolAt(above)]
  if (!methodSymbol?.takes || !other?.takes || languageNamed(method.file.code.language).hidesByName) return true
  const isForeign = method.file.code.language !== above.file.code.language
  const parameterTypes = other.takes
  return (
    methodSymbol.takes.length === parameterTypes.length &&
    methodSymbol.takes.every(
      (each, at) =>
        isSameType(each, parameterTypes[at] ?? '', isForeign) || isVariable(parameterTypes[at] ?? '', above),
    )
  )
}

const besides = ({ file, number }: Found, name: string): readonly Found[] =>
  childrenNamed(file, file.code.symbols[number]?.parent ?? -1, name)

/** Types that languages of one family name differently. */
const ALSO: Readonly<Record<string, string>> = {
  Integer: 'int',
  Character: 'char',
  Object: 'any',
}

function isSameType(one: string, other: string, isForeign: boolean): boolean {
  const [first, second] = [plain(one), plain(other)]
  if (first === second || !isForeign) return first === second
  // Functions and arrays are written too differently to compare.
  if (/[[(]|Array$/.test(first) || /[[(]|Array$/.test(second)) return true
  return common(first) === common(second)
}

const common = (type: string): string => ALSO[type] ?? type.replace(/^Mutable(?=[A-Z])/, '').toLowerCase()

/** The type without package, arguments and marks; a function type as written. */
function plain(type: string): string {
  if (type.includes('->')) return type.replaceAll(/\s/g, '')
  const name = type.replaceAll(/@[\w.]+(\([^()]*\))?\s*/g, '').replace(/<.*>/, '')
  return name.replace(/^.*\./, '').replaceAll(/[?\s]/g, '')
}

/** Reports whether the type is a type parameter of the method or of its class. */
export function isVariable(type: string, { file, number }: Found): boolean {
  const name = plain(type).replace(/(\[\])+$/, '')
  const method = file.code.symbols[number]
  const holder = file.code.symbols[method?.parent ?? -1]
  const heads = [method, holder].map((each: Declaration | undefined) => each?.signature ?? '')
  return /^\w+$/.test(name) && heads.some(head => new RegExp(`<(?:[^()]*[\\s,<])?${name}[\\s,:>]`).test(head))
}

/** Reports whether a call of one may run the other: the same method, or an override of it. */
export function reaches(resolution: Resolution, callee: Found, target: Found): boolean {
  if (isSame(callee, target)) return true
  const [method, override] = [symbolAt(callee), symbolAt(target)]
  if (method?.kind !== 'method' || override?.kind !== 'method' || method.name !== override.name) return false
  const { satisfiesInterfaces, hasOverloads } = languageNamed(target.file.code.language)
  if (satisfiesInterfaces) return maySatisfy(callee, target)
  if (override.parent === -1) return false
  // Defaults may be on one of them only; without overloads the name is enough.
  if (hasOverloads && method.arity?.[1] !== override.arity?.[1]) return false
  if (!mayOverride(target, callee)) return false
  const holder = { file: callee.file, number: method.parent }
  return resolution
    .above({ file: target.file, number: override.parent })
    .some(each => each.kind === 'instance' && isSame(each.at, holder))
}

/** Reports whether the type of one member inherits from the type of the other. */
export function isBelow(resolution: Resolution, one: Found, other: Found): boolean {
  const [holder, base] = [one, other].map(at => ({ file: at.file, number: symbolAt(at)?.parent ?? -1 }))
  if (!holder || !base || holder.number < 0) return false
  return resolution.above(holder).some(each => each.kind === 'instance' && isSame(each.at, base))
}

/** A type satisfies an interface implicitly. */
function maySatisfy(called: Found, method: Found): boolean {
  const holder = called.file.code.symbols[symbolAt(called)?.parent ?? -1]
  const isOfInterface = holder?.kind === 'interface' && symbolAt(method)?.receiver !== undefined
  return isOfInterface && symbolAt(called)?.arity?.join() === symbolAt(method)?.arity?.join()
}

/** Larger groups, such as all `toString`, say nothing. */
const MOST = 150

/**
 * Finds the methods that a call of one may run as well: overridden ones, overriding ones, and those of the same
 * interface. Language servers count a call of one of them for all.
 */
export function relatedMethods(resolution: Resolution): (method: Found) => readonly Found[] {
  let groups: ReadonlyMap<string, readonly Found[]> | undefined
  return method => {
    const symbol = symbolAt(method)
    if (!symbol || !isMember(symbol) || symbol.parent < 0) return []
    const group = (groups ??= overrideGroups(resolution)).get(keyOf(method)) ?? []
    return group.length > MOST ? [] : group.filter(each => keyOf(each) !== keyOf(method))
  }
}

function overrideGroups(resolution: Resolution): ReadonlyMap<string, readonly Found[]> {
  const groupOf = new Map<string, Found[]>()
  for (const file of resolution.names.files)
    for (const [number, { extends: above = [], implements: kinds = [] }] of file.code.symbols.entries())
      if (above.length + kinds.length > 0) join({ file, number })
  return groupOf

  function join(own: Found): void {
    const bases = wholeBases(resolution, own)
    for (const number of bases.length > 0 ? (own.file.inside.get(own.number) ?? []) : []) {
      const symbol = own.file.code.symbols[number]
      if (!symbol || !isMember(symbol) || symbol.isStatic || symbol.name === 'constructor') continue
      const method = { file: own.file, number }
      for (const other of bases
        .flatMap(base => partsOf(base))
        .flatMap(base => childrenNamed(base.file, base.number, symbol.name)))
        if (mayOverride(method, other)) merge(method, other)
    }
  }

  function merge(one: Found, other: Found): void {
    const [first, second] = [groupOf.get(keyOf(one)) ?? [one], groupOf.get(keyOf(other)) ?? [other]]
    if (first === second) return
    first.push(...second)
    for (const each of first) groupOf.set(keyOf(each), first)
  }
}

/** The ancestors of a type. A server follows only plain bases of a class, not `A & { … }`, which applies to objects. */
function wholeBases(resolution: Resolution, { file, number }: Found): readonly Found[] {
  const { kind, extends: above = [], implements: kinds = [], parent = -1 } = file.code.symbols[number] ?? {}
  if (kind !== 'class')
    return resolution.above({ file, number }).flatMap(each => (each.kind === 'instance' ? [each.at] : []))
  const bases = [...above, ...kinds].flatMap(value => {
    const [base, ...more] = resolution.value(value, { file, by: parent }).flatMap(each => madeOf(resolution, each))
    if (base?.kind !== 'instance' || more.length > 0) return []
    const symbol = symbolAt(base.at)
    return symbol?.kind === 'type' && symbol.extends ? [] : [base, ...resolution.above(base.at, base.bindings)]
  })
  return bases.flatMap(each => (each.kind === 'instance' ? [each.at] : []))
}

/** A field may hold a function. */
const isMember = ({ kind }: Declaration): boolean => kind === 'method' || kind === 'property'

const keyOf = ({ file, number }: Found): string => `${file.path}\0${number}`
