import { languageNamed } from '../../../languages/registry.ts'
import type { Language } from '../../../languages/language.ts'
import type { Argument, Value } from '../../../languages/file-model/file-model.ts'
import { dottedValue } from '../../model/grammar/values.ts'
import { typeName } from '../../model/overload-name.ts'
import type { Meaning, Where } from './meaning.ts'
import { isVariable, takesSame } from './overriding.ts'
import { holderOf, isBeside, isSame, symbolAt, type Found, type ProjectFile } from './project.ts'
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

/** An argument of a call. */
interface Given {
  readonly argument: Argument
  /** Its type; undefined if none is written. */
  readonly type: Meaning | undefined
  /** Kotlin and Swift may know it by a narrower type after a check, which is not followed. */
  readonly isNarrowed: boolean
}

interface Judged {
  readonly at: Found
  readonly given: readonly Given[]
  readonly fits: readonly Fit[]
  readonly isApplicable: boolean
}

/**
 * Of functions that differ only by the types of their parameters, those that a call may run: one if the written types
 * of its arguments tell, all that are not ruled out if they do not.
 */
export function overloadsFor(
  resolution: Resolution,
  candidates: readonly Found[],
  args: readonly Argument[],
  where: Where,
): readonly Found[] {
  if (candidates.length < 2 || !languageNamed(where.file.code.language).hasOverloads) return candidates
  const argumentTypes = args.map(argument => givenBy(resolution, argument, where))
  const excludedSymbols = new Set<Found>()
  for (const each of candidates) {
    const [outer, rivals] = [[] as Found[], [] as Found[]]
    for (const other of candidates)
      if (isOutside(other, each)) outer.push(other)
      else if (!isOutside(each, other) && areOverloads(resolution, each, other)) rivals.push(other)
    if (rivals.length + outer.length === 0) continue
    const judgement = judgeArguments(resolution, each, argumentTypes, where)
    const all = [judgement, ...rivals.map(at => judgeArguments(resolution, at, argumentTypes, where))]
    if (argumentTypes.length > 0 && !chosenOf(all, where).includes(each)) excludedSymbols.add(each)
    // A member that takes the arguments hides what is outside of its class; one that does not is passed over.
    const isSure =
      (argumentTypes.length > 0 || where.count === 0) && judgement.fits.every(fit => /^(same|wider)$/.test(fit))
    if (outer.length > 0 && !judgement.isApplicable) excludedSymbols.add(each)
    else for (const other of outer) if (isSure || takesSame(each, other)) excludedSymbols.add(other)
  }
  return candidates.filter(each => !excludedSymbols.has(each))
}

/** Reports whether a bare name means a function only where no member of the class around is meant. */
function isOutside(at: Found, member: Found): boolean {
  const [ownSymbol, its] = [symbolAt(at), symbolAt(member)]
  if (
    !languageNamed(at.file.code.language).membersFirst ||
    its?.kind !== 'method' ||
    its.parent < 0 ||
    ownSymbol?.name !== its.name
  )
    return false
  const holder = holderOf(holderOf(member)).number
  return (
    ownSymbol.parent === -1 ||
    (at.file === member.file && ownSymbol.kind === 'method' && isAmong(at.file, ownSymbol.parent, holder))
  )
}

/** Reports whether a symbol is this one, or around it. */
function isAmong({ code }: ProjectFile, number: number, inner: number): boolean {
  let at = inner
  while (at >= 0 && at !== number) at = code.symbols[at]?.parent ?? -1
  return at === number
}

/** Reports whether two functions of one name are overloads of each other: the parameters of one are not the other's. */
export function areOverloads(resolution: Resolution, one: Found, other: Found): boolean {
  const [ownSymbol, its] = [symbolAt(one), symbolAt(other)]
  if (isSame(one, other) || ownSymbol?.name !== its?.name || !ownSymbol?.takes || !its?.takes) return false
  const isNested = isOutside(one, other) || isOutside(other, one)
  if (!isNested && (ownSymbol.kind !== its.kind || !isAround(resolution, one, other))) return false
  if (ownSymbol.labels?.join() !== its.labels?.join() && languageNamed(one.file.code.language).hasLabels) return true
  if (ownSymbol.takes.length !== its.takes.length) return true
  const isOfOneScope = one.file === other.file && ownSymbol.parent === its.parent
  if (isOfOneScope && ownSymbol.takes.join() !== its.takes.join()) return true
  return ownSymbol.takes.some((_each, at) => {
    const [first, second] = [parameterType(resolution, one, at), parameterType(resolution, other, at)]
    return first && second
      ? fitOf(resolution, first, second, languageNamed('')) !== 'same'
      : ownSymbol.takes?.[at] !== its.takes?.[at]
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

function judgeArguments(resolution: Resolution, at: Found, given: readonly Given[], { file }: Where): Judged {
  const { takes = [], labels = [], arity } = symbolAt(at) ?? {}
  const language = languageNamed(file.code.language)
  const isOpen = arity?.[1] === null
  let positionalIndex = 0
  const argumentFits = given.map(({ argument, type, isNarrowed }, index): Fit => {
    const position = positionOf(argument, index)
    if (position === undefined) return 'unknown'
    if (position < 0 || (position >= takes.length && !isOpen)) return 'other'
    const parameter = isOpen ? undefined : parameterType(resolution, at, position)
    if (!type || !parameter) return 'unknown'
    const fit = fitOf(resolution, type, parameter, language)
    if (fit === 'narrower') return isNarrowed ? 'unknown' : 'other'
    return fit === 'other' && isNarrowed && [type, parameter].some(isOfInterface) ? 'unknown' : fit
  })
  return { at, fits: argumentFits, given, isApplicable: !argumentFits.includes('other') }

  /** The number of an argument's parameter, -1 if there is none; undefined if it is not known. */
  function positionOf({ label }: Argument, index: number): number | undefined {
    if (language.hasLabels) {
      if (label === undefined || isOpen) return undefined
      if (label !== '') return labels.indexOf(label)
      const all = labels.flatMap((each, number) => (each === '' ? number : []))
      return all[positionalIndex++] ?? -1
    }
    return label === undefined || labels.length === 0 ? index : labels.indexOf(label)
  }
}

/** The overloads that a call may run, of those with its number of arguments. */
function chosenOf(all: readonly Judged[], { file }: Where): readonly Found[] {
  const able = all.filter(each => each.isApplicable)
  const [only, ...others] = able.filter(({ fits }) => fits.every(fit => fit === 'same'))
  const { hasTemplates } = languageNamed(file.code.language)
  const isOpen = ({ given, fits }: Judged) =>
    fits.every((fit, at) => fit === 'same' || (fit === 'unknown' && (hasTemplates || given[at]?.isNarrowed)))
  if (only && others.length === 0 && !able.some(each => each !== only && isOpen(each))) return [only.at]
  // If none fits, some type is not what it seems.
  return (able.length > 0 ? able : all).map(({ at }) => at)
}

const isOfInterface = (type: Meaning): boolean => type.kind === 'instance' && symbolAt(type.at)?.kind === 'interface'

function givenBy(resolution: Resolution, argument: Argument, where: Where): Given {
  const meaning = argument.value && writtenType(resolution, argument.value, where)
  const type = meaning && isPlainType(meaning) && !isTypeVariable(nameOf(meaning), where) ? meaning : undefined
  const mayNarrow = languageNamed(where.file.code.language).narrows === true && argument.isFixed !== true
  return { argument, type, isNarrowed: mayNarrow && type !== undefined && basicKind(type) === undefined }
}

function writtenType(resolution: Resolution, value: Value, where: Where): Meaning | undefined {
  if (value[0] === 'instance') return typeOf(resolution, value, where)
  const meaning = onlyOf(resolution.value(value[0] === 'result' ? value[1] : value, where))
  if (meaning?.kind !== 'symbol') return undefined
  const symbol = symbolAt(meaning.at)
  if (value[0] === 'result' && symbol?.kind === 'class') return onlyOf(resolution.result(meaning))
  const isRead = value[0] !== 'result' && symbol?.kind === 'property'
  const isCalled = value[0] === 'result' && /^(function|method)$/.test(symbol?.kind ?? '')
  if (!symbol?.isTyped || symbol.value?.[0] !== 'instance' || !(isRead || isCalled)) return undefined
  const place = { file: meaning.at.file, by: meaning.at.number, bindings: meaning.bindings }
  const type = typeOf(resolution, symbol.value, place)
  return type && isTypeVariable(nameOf(type), place) ? undefined : type
}

/** The meaning of a written type; undefined for an alias, which may be another name of the same type. */
function typeOf(resolution: Resolution, value: Value, where: Where): Meaning | undefined {
  const meanings = value[0] === 'instance' ? resolution.value(value[1], where) : []
  const isAlias = meanings.some(each => each.kind === 'symbol' && symbolAt(each.at)?.kind === 'type')
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
  const value = writtenTypes.get(name) ?? (['instance', dottedValue(name)] as const)
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
export function isTypeVariable(name: string, { file, by }: Where): boolean {
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

function fitOf(resolution: Resolution, type: Meaning, parameter: Meaning, language: Language): Fit {
  const mismatch = language.hasPlainTypes ? 'other' : 'unknown'
  if (type.kind === 'instance' && parameter.kind === 'instance') {
    if (isSame(type.at, parameter.at)) return 'same'
    if (isBelow(resolution, type.at, parameter)) return 'wider'
    if (isBelow(resolution, parameter.at, type)) return 'narrower'
    return mismatch
  }
  const [ownName, its] = [nameOf(type), nameOf(parameter)]
  if (type.kind === parameter.kind && ownName === its) return 'same'
  if (parameter.kind === 'outside' && ANYTHING.test(its)) return 'wider'
  if (type.kind === 'outside' && ANYTHING.test(ownName)) return 'narrower'
  const [ownKind, itsKind] = [basicKind(type), basicKind(parameter)]
  if (ownKind !== undefined && itsKind !== undefined) return fitOfBasic(ownKind, itsKind, language)
  if (type.kind === 'instance') {
    if (isBelow(resolution, type.at, parameter)) return 'wider'
    return itsKind === undefined ? 'unknown' : mismatch
  }
  if (parameter.kind === 'instance') {
    if (isBelow(resolution, parameter.at, type)) return 'narrower'
    return ownKind === undefined ? 'unknown' : mismatch
  }
  return 'unknown'
}

function fitOfBasic(own: string, its: string, { conversions }: Language): Fit {
  // Numbers of one kind widen, and a text in C++ makes a string.
  if (own === its || `${own} ${its}` === 'chars text') return 'wider'
  return conversions?.test(`${own} ${its}`) ? 'unknown' : 'other'
}

/** Reports whether a type derives from another. */
const isBelow = ({ above }: Resolution, type: Found, base: Meaning): boolean =>
  above(type).some(each =>
    each.kind === 'instance'
      ? base.kind === 'instance' && isSame(each.at, base.at)
      : each.kind === 'outside' && base.kind === 'outside' && each.name === base.name,
  )
