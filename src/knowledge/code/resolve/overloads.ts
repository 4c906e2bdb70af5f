import type { Argument, Reference, Value } from '../../model/file-model.ts'
import { dotted } from '../../model/grammar/values.ts'
import { typeName } from '../../model/overload-name.ts'
import { hasOverloads } from './family.ts'
import type { Meaning, Where } from './meaning.ts'
import { isVariable } from './overriding.ts'
import { isBeside, isSame, symbolAt, type Found } from './project.ts'
import type { Resolution } from './resolution.ts'

/** How the type of an argument relates to that of a parameter. */
type Fit =
  | 'same'
  /** The parameter takes it, but a parameter of its own type is nearer. */
  | 'wider'
  /** Only if the argument is known to be of a narrower type where it stands. */
  | 'narrower'
  | 'other'
  | 'unknown'

interface Judged {
  readonly at: Found
  readonly fits: readonly Fit[]
  readonly isApplicable: boolean
}

/**
 * Of functions that differ only by the types of their parameters, those that a call may run: one if the written types
 * of its arguments tell, all that are not ruled out if they do not.
 */
export function overloadsFor(
  resolution: Resolution,
  found: readonly Found[],
  args: Reference['args'],
  where: Where,
): readonly Found[] {
  if (!args || found.length < 2 || !hasOverloads(where.file.code.language)) return found
  const types = args.map(each => argumentType(resolution, each, where))
  const excluded = new Set<Found>()
  for (const each of found) {
    const rivals = found.filter(other => areOverloads(resolution, each, other))
    if (rivals.length === 0) continue
    const all = [each, ...rivals].map(at => judged(resolution, at, args, types, where))
    if (!chosenOf(all, args, types, where).includes(each)) excluded.add(each)
  }
  return found.filter(each => !excluded.has(each))
}

/** Reports whether two functions of one name are overloads of each other: the parameters of one are not the other's. */
export function areOverloads(resolution: Resolution, one: Found, other: Found): boolean {
  const [own, its] = [symbolAt(one), symbolAt(other)]
  if (isSame(one, other) || own?.name !== its?.name || own?.kind !== its?.kind) return false
  if (!own?.takes || !its?.takes || !isAround(resolution, one, other)) return false
  if (own.labels?.join() !== its.labels?.join() && one.file.code.language === 'swift') return true
  if (own.takes.length !== its.takes.length) return true
  const isOfOneScope = one.file === other.file && own.parent === its.parent
  if (isOfOneScope && own.takes.join() !== its.takes.join()) return true
  return own.takes.some((_each, at) => {
    const [first, second] = [parameterType(resolution, one, at), parameterType(resolution, other, at)]
    return first && second ? fitOf(resolution, first, second, '') !== 'same' : own.takes?.[at] !== its.takes?.[at]
  })
}

/** Reports whether a call can mean either: in one scope, or one inherited beside the other. */
function isAround({ above }: Resolution, one: Found, other: Found): boolean {
  const [first, second] = [one, other].map(at => ({ file: at.file, number: symbolAt(at)?.parent ?? -1 }))
  if (!first || !second) return false
  if (isSame(first, second) || isBeside(one, other)) return true
  const isAbove = (type: Found, base: Found): boolean =>
    type.number >= 0 && above(type).some(each => each.kind === 'instance' && isSame(each.at, base))
  return isAbove(first, second) || isAbove(second, first)
}

function judged(
  resolution: Resolution,
  at: Found,
  args: readonly Argument[],
  types: readonly (Meaning | undefined)[],
  where: Where,
): Judged {
  const { takes = [], labels = [], arity } = symbolAt(at) ?? {}
  const { language } = where.file.code
  const isOpen = arity?.[1] === null
  let unnamed = 0
  const fits = args.map((argument, index): Fit => {
    const position = positionOf(argument, index)
    if (position === undefined) return 'unknown'
    if (position < 0 || (position >= takes.length && !isOpen)) return 'other'
    const [type, parameter] = [types[index], isOpen ? undefined : parameterType(resolution, at, position)]
    if (!type || !parameter) return 'unknown'
    const fit = fitOf(resolution, type, parameter, language)
    const isCast = fit === 'other' && isNarrowed(argument, type, language) && [type, parameter].some(isOfInterface)
    return isCast ? 'unknown' : fit
  })
  const isNever = (fit: Fit, index: number): boolean => {
    const [argument, type] = [args[index], types[index]]
    return fit === 'other' || (fit === 'narrower' && !(argument && type && isNarrowed(argument, type, language)))
  }
  return { at, fits, isApplicable: !fits.some(isNever) }

  /** The number of an argument's parameter, -1 if there is none; undefined if it is not known. */
  function positionOf({ label }: Argument, index: number): number | undefined {
    if (language === 'swift') {
      if (label === undefined || isOpen) return undefined
      if (label !== '') return labels.indexOf(label)
      const all = labels.flatMap((each, number) => (each === '' ? number : []))
      return all[unnamed++] ?? -1
    }
    return label === undefined || labels.length === 0 ? index : labels.indexOf(label)
  }
}

/** The overloads that a call may run, of those with its number of arguments. */
function chosenOf(
  all: readonly Judged[],
  args: readonly Argument[],
  types: readonly (Meaning | undefined)[],
  { file }: Where,
): readonly Found[] {
  const { language } = file.code
  const able = all.filter(each => each.isApplicable)
  const exact = able.filter(({ fits }) => fits.every(fit => fit === 'same'))
  const mayWin = (each: Judged): boolean =>
    each.fits.every((fit, index) => {
      const [argument, type] = [args[index], types[index]]
      if (fit === 'wider' || fit === 'other') return false
      // A template takes each argument as it is.
      return fit === 'same' || language === 'cpp' || !argument || !type || isNarrowed(argument, type, language)
    })
  const [only, ...others] = exact
  if (only && others.length === 0 && !able.some(each => each !== only && mayWin(each))) return [only.at]
  // If none fits, some type is not what it seems.
  return (able.length > 0 ? able : all).map(({ at }) => at)
}

/** Kotlin and Swift know a variable by a narrower type after a check, which is not followed. */
const isNarrowed = ({ isFixed }: Argument, type: Meaning, language: string): boolean =>
  isFixed !== true && /^(kotlin|swift)$/.test(language) && basicKind(type) === undefined

const isOfInterface = (type: Meaning): boolean => type.kind === 'instance' && symbolAt(type.at)?.kind === 'interface'

/** The written type of an argument; undefined if none is. */
function argumentType(resolution: Resolution, { value }: Argument, where: Where): Meaning | undefined {
  const type = value && writtenType(resolution, value, where)
  return type && isPlainType(type) && !isTypeVariable(nameOf(type), where) ? type : undefined
}

function writtenType(resolution: Resolution, value: Value, where: Where): Meaning | undefined {
  if (value[0] === 'instance') return typeOf(resolution, value, where)
  const found = onlyOf(resolution.value(value[0] === 'result' ? value[1] : value, where))
  if (found?.kind !== 'symbol') return undefined
  const symbol = symbolAt(found.at)
  if (value[0] === 'result' && symbol?.kind === 'class') return onlyOf(resolution.result(found))
  const isRead = value[0] !== 'result' && symbol?.kind === 'property'
  const isCalled = value[0] === 'result' && /^(function|method)$/.test(symbol?.kind ?? '')
  if (!symbol?.isTyped || symbol.value?.[0] !== 'instance' || !(isRead || isCalled)) return undefined
  const place = { file: found.at.file, by: found.at.number, bindings: found.bindings }
  const type = typeOf(resolution, symbol.value, place)
  return type && isTypeVariable(nameOf(type), place) ? undefined : type
}

/** The meaning of a written type; undefined for an alias, which may be another name of the same type. */
function typeOf(resolution: Resolution, value: Value, where: Where): Meaning | undefined {
  const named = value[0] === 'instance' ? resolution.value(value[1], where) : []
  const isAlias = named.some(each => each.kind === 'symbol' && symbolAt(each.at)?.kind === 'type')
  return isAlias ? undefined : onlyOf(resolution.value(value, where))
}

const onlyOf = (all: readonly Meaning[]): Meaning | undefined => (all.length === 1 ? all[0] : undefined)

/** One object for each written type, by which its meaning is remembered. */
const writtenTypes = new Map<string, Value>()
const MOST_TYPES = 10_000

/** The type of a parameter; undefined if it is none of a plain name. */
function parameterType(resolution: Resolution, at: Found, position: number): Meaning | undefined {
  const name = typeName(symbolAt(at)?.takes?.[position] ?? '')
  if (name === '' || isVariable(name, at)) return undefined
  if (writtenTypes.size > MOST_TYPES) writtenTypes.clear()
  const value = writtenTypes.get(name) ?? (['instance', dotted(name)] as const)
  writtenTypes.set(name, value)
  const type = typeOf(resolution, value, { file: at.file, by: at.number })
  return type && isPlainType(type) ? type : undefined
}

const isPlainType = ({ kind }: Meaning): boolean => kind === 'instance' || kind === 'outside'

function nameOf(type: Meaning): string {
  if (type.kind === 'outside') return type.name
  return type.kind === 'instance' ? (symbolAt(type.at)?.name ?? '') : ''
}

/** Reports whether a name is a type parameter of something around. */
function isTypeVariable(name: string, { file, by }: Where): boolean {
  for (let number = by; number >= 0; number = file.code.symbols[number]?.parent ?? -1)
    if (isVariable(name, { file, number })) return true
  return false
}

const KINDS: readonly (readonly [kind: string, names: RegExp])[] = [
  ['text', /^[Ss]tring$/],
  ['chars', /^char\*$/],
  ['truth', /^([Bb]oolean|[Bb]ool)$/],
  ['character', /^([Cc]har|Character)$/],
  ['number', /^([Uu]?(Byte|Short|Int|Long|byte|short|int|long)|sbyte|Integer|[Ff]loat|[Dd]ouble|decimal|U?Int\d+)$/],
  ['number', /^(unsigned|signed|short|int|long|double|u?int\d+_t|s?size_t)+$/],
]

/** The kind of a type of the language itself, which has no other below it. */
const basicKind = (type: Meaning): string | undefined =>
  type.kind === 'outside' ? KINDS.find(([, names]) => names.test(type.name))?.[0] : undefined

/** Types that take everything. */
const ANYTHING = /^(Any|Object|object|NSObject|AnyObject)$/

/** Kinds that the language converts into each other. */
const CONVERTED: Readonly<Record<string, RegExp>> = {
  java: /^(character number|number character)$/,
  csharp: /^(character number|number character)$/,
  cpp: /^(character|number|truth) (character|number|truth)$|^chars truth$|^number chars$/,
}

function fitOf(resolution: Resolution, type: Meaning, parameter: Meaning, language: string): Fit {
  if (type.kind === 'instance' && parameter.kind === 'instance') {
    if (isSame(type.at, parameter.at)) return 'same'
    if (isBelow(resolution, type.at, parameter)) return 'wider'
    if (isBelow(resolution, parameter.at, type)) return 'narrower'
    // C# may convert one into the other.
    return language === 'csharp' ? 'unknown' : 'other'
  }
  const [own, its] = [nameOf(type), nameOf(parameter)]
  if (type.kind === parameter.kind && own === its) return 'same'
  if (parameter.kind === 'outside' && ANYTHING.test(its)) return 'wider'
  if (type.kind === 'outside' && ANYTHING.test(own)) return 'narrower'
  const [ownKind, itsKind] = [basicKind(type), basicKind(parameter)]
  if (ownKind !== undefined && itsKind !== undefined) return fitOfBasic(ownKind, itsKind, language)
  if (type.kind === 'instance') {
    if (isBelow(resolution, type.at, parameter)) return 'wider'
    return itsKind !== undefined && language !== 'csharp' ? 'other' : 'unknown'
  }
  if (parameter.kind === 'instance') {
    if (isBelow(resolution, parameter.at, type)) return 'narrower'
    const isLiteralType = language === 'swift' && resolution.above(parameter.at).length > 0
    return ownKind !== undefined && language !== 'csharp' && !isLiteralType ? 'other' : 'unknown'
  }
  return 'unknown'
}

function fitOfBasic(own: string, its: string, language: string): Fit {
  // Numbers of one kind widen, and a text in C++ makes a string.
  if (own === its || `${own} ${its}` === 'chars text') return 'wider'
  return CONVERTED[language]?.test(`${own} ${its}`) ? 'unknown' : 'other'
}

/** Reports whether a type derives from another. */
const isBelow = ({ above }: Resolution, type: Found, base: Meaning): boolean =>
  above(type).some(each =>
    each.kind === 'instance'
      ? base.kind === 'instance' && isSame(each.at, base.at)
      : each.kind === 'outside' && base.kind === 'outside' && each.name === base.name,
  )
