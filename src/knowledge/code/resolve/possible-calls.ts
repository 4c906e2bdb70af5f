import { isScript, languageNamed } from '../../../languages/registry.ts'
import type { Reference, Value } from '../../../languages/file-model/file-model.ts'
import { callGroups, holderName, isAbove, symbolsOf } from './call-targets.ts'
import { typeNames } from './extensions.ts'
import type { Meaning, Where } from './meaning.ts'
import { areOverloads, isTypeVariable } from './overloads.ts'
import { isBelow, reaches, takesSame } from './overriding.ts'
import { takesCount, holderOf, isSame, isType, symbolAt, type Found } from './project.ts'
import { resolveValue, type Resolution } from './resolution.ts'
import { isFirstOf } from './values.ts'

/** Types that say nothing about a value. */
const ANYTHING = /^(Any|AnyObject|any|unknown|dynamic|[oO]bject|mixed)$/

type Member = Extract<Value, readonly ['member' | 'sign', ...unknown[]]>

/** Verdict on a call that certainly runs the function in question. */
export const CERTAIN = 'calls it'

/** Judges whether a reference calls one of these: returns `CERTAIN`, the reason why it may, or undefined. */
export function whyCalled(
  resolution: Resolution,
  reference: Reference,
  targets: readonly Found[],
  where: Where,
): string | undefined {
  const isCall = reference.kind !== 'use' || reference.access !== undefined
  const groups = isCall ? callGroups(resolution, reference, where).filter(group => group.some(isRun)) : []
  const callees = groups.flat()
  const isAny = (is: (one: Found, other: Found) => boolean) => callees.some(each => targets.some(one => is(each, one)))
  if (isAny(isSame)) {
    const { count = -1 } = reference
    const isOther = !callees.some(each => mayTakeCount(each, count) && targets.some(one => isSame(one, each)))
    return whyUnsure(resolution, reference.value, groups, targets, where) ?? (isOther ? OTHER_COUNT : CERTAIN)
  }
  const { value } = reference
  const of = value[0] === 'member' ? value[1] : languageNamed(where.file.code.language).namesMayCall ? value : undefined
  const isUnknown = callees.length === 0 || (of !== undefined && isOpen(resolution, of, where))
  const why = isUnknown ? whyPossible(resolution, reference, targets, where, isRun) : undefined
  if (why !== undefined || callees.length === 0) return why
  if (isAbove(reference.value)) return undefined
  if (isAny((each, one) => reaches(resolution, each, one)))
    return languageNamed(where.file.code.language).satisfiesInterfaces
      ? SATISFIES
      : 'through a method that it overrides'
  if (isAny((each, one) => satisfies(resolution, each, one))) return SATISFIES
  const subclass =
    languageNamed(where.file.code.language).inheritsConstructors && callees.find(each => targets.some(isAboveIt(each)))
  return subclass ? `makes ${symbolAt(subclass)?.name}, which derives from it` : undefined

  /** Only an accessor runs without being called. */
  function isRun(at: Found): boolean {
    const { access } = reference
    const runsAt = symbolAt(at)?.accessor
    return access === undefined || runsAt === access || (runsAt !== undefined && [runsAt, access].includes('both'))
  }

  function isAboveIt(type: Found) {
    return (base: Found) =>
      isType(type) && resolution.above(type).some(each => each.kind === 'instance' && isSame(each.at, base))
  }
}

const OTHER_COUNT = 'with another number of arguments than it takes'
const OVERLOADS = 'one of several overloads, which the written types of its arguments do not tell apart'

/** Reports whether a call takes as many arguments ; an extension may be called with its receiver as one. */
const mayTakeCount = (at: Found, count: number): boolean =>
  !languageNamed(at.file.code.language).hasExtensions ||
  symbolAt(at)?.kind !== 'method' ||
  takesCount(at, count) ||
  symbolAt(at)?.receiver !== undefined ||
  symbolAt(at)?.isOverride === true

export const UNKNOWN = 'same name, on a receiver of unknown type'
export const SATISFIES = 'through an interface that its type may satisfy'

/** Why an unresolved reference may call one of these; undefined if it cannot. */
function whyPossible(
  resolution: Resolution,
  { kind, value, access, count = -1 }: Reference,
  wanted: readonly Found[],
  where: Where,
  isRun: (at: Found) => boolean,
): string | undefined {
  const namedTargets = symbolsOf(resolution, value, where).filter(each => wanted.some(one => isSame(one, each)))
  if (kind !== 'use' && namedTargets.some(each => symbolAt(each)?.kind === 'property')) return 'calls what it holds'
  const passedTargets =
    kind === 'use' && namedTargets.length === 0 ? outerOverloads(resolution, value, wanted, where) : namedTargets
  if (access !== 'write' && kind === 'use' && passedTargets.some(isPassed)) return 'passed as a value'
  if (kind === 'use' && access === undefined) return undefined
  const fitting = wanted.filter(each => isRun(each) && (takesCount(each, count) || isSeenAsStatic(each, where)))
  for (const part of partsOf(value)) {
    const why = part[0] === 'name' ? ofBareName(part[1], fitting, where) : ofMember(resolution, part, fitting, where)
    if (why !== undefined) return why
  }
  return undefined
}

/** Those of several functions that `::load` in a class may mean besides a member: with other parameters. */
function outerOverloads(
  resolution: Resolution,
  value: Value,
  wanted: readonly Found[],
  where: Where,
): readonly Found[] {
  const { file, by } = where
  if (!languageNamed(file.code.language).membersFirst || by < 0 || !partsOf(value).some(([form]) => form === 'name'))
    return []
  const near = symbolsOf(resolution, value, where)
  const outerSymbols: Found[] = []
  for (let at = file.code.symbols[by]?.parent; at !== undefined; at = file.code.symbols[at]?.parent)
    outerSymbols.push(...symbolsOf(resolution, value, { ...where, by: at }))
  return outerSymbols.filter(
    each => wanted.some(one => isSame(one, each)) && near.every(one => isPassed(one) && !takesSame(one, each)),
  )
}

/** An extension, and where blocks have receivers a member, may be called on that of an enclosing one, or on a library class around. */
function ofBareName(name: string, wanted: readonly Found[], where: Where): string | undefined {
  const namesakes = wanted.filter(each => symbolAt(each)?.name === name)
  const hasReceivers = languageNamed(where.file.code.language).blocksHaveReceivers === true
  const isMeant = namesakes.some(each =>
    symbolAt(each)?.kind === 'method' ? hasReceivers : isExtension(each) || isSeenAsStatic(each, where),
  )
  return isMeant ? 'same name, and what it is called on is not written' : undefined
}

function ofMember(resolution: Resolution, part: Member, wanted: readonly Found[], where: Where): string | undefined {
  const [form, of, name] = part
  const isMeant = (each: Found): boolean =>
    isMember(each) || isSeenAsStatic(each, where) || (isOfModule(each) && of[0] === 'result')
  const namesakes = wanted.filter(each => symbolAt(each)?.name === name && isMeant(each))
  if (namesakes.length === 0 || of[0] === 'super') return undefined
  const owners = resolveValue(resolution, of, where)
  // A lambda without a receiver of its own.
  if (of[0] === 'handed' && owners.length === 0) return undefined
  const isAnything = (each: Meaning): boolean =>
    each.kind === 'outside' && (ANYTHING.test(each.name) || isTypeVariable(each.name, where))
  if (owners.length === 0 || isOpen(resolution, of, where) || owners.some(isAnything))
    return form === 'sign' ? 'an operator on a value of unknown type may call it' : UNKNOWN
  const { includesModules } = languageNamed(where.file.code.language)
  for (const owner of owners) {
    if (owner.kind === 'instance' && namesakes.some(each => isIn(resolution, each, owner.at)))
      return `same name, on a receiver of type ${symbolAt(owner.at)?.name}, which its class derives from`
    if (owner.kind === 'symbol' && includesModules && namesakes.some(each => isOf(resolution, owner.at, each)))
      return `same name, on the class ${symbolAt(owner.at)?.name} itself`
    if (owner.kind === 'shape' && namesakes.some(each => hasAll(resolution, each, Object.keys(owner.value[1] ?? {}))))
      return SATISFIES
    if (owner.kind !== 'outside') continue
    const isBase = namesakes.some(
      each => isExtension(each) || isSeenAsStatic(each, where) || holderTypes(resolution, each).includes(owner.name),
    )
    if (isBase) return `same name, on a receiver of type ${owner.name}, which is declared outside of the workspace`
  }
  return undefined
}

/** Reports whether the type of a member derives from a type. */
const isIn = ({ above }: Resolution, at: Found, type: Found): boolean =>
  above(holderOf(at)).some(each => each.kind === 'instance' && isSame(each.at, type))

/** Reports whether a type is or inherits from that of a member. */
const isOf = ({ above }: Resolution, type: Found, at: Found): boolean =>
  isSame(type, holderOf(at)) || above(type).some(each => each.kind === 'instance' && isSame(each.at, holderOf(at)))

/** Reports whether the type of a member has members of these names. */
function hasAll({ meanings, member }: Resolution, at: Found, names: readonly string[]): boolean {
  const holder = holderOf(at)
  return holder.number >= 0 && names.every(name => member(meanings.instance(holder), name).length > 0)
}

/** Reports whether the type of a member satisfies a structural type. */
function satisfies(resolution: Resolution, called: Found, at: Found): boolean {
  if (symbolAt(called)?.name !== symbolAt(at)?.name) return false
  const type = holderOf(called)
  const { kind, extends: bases = [] } = symbolAt(type) ?? {}
  const { structuralBase } = languageNamed(type.file.code.language)
  const isStructural = isScript(type.file.code.language)
    ? kind === 'interface' || kind === 'type'
    : structuralBase !== undefined && bases.some(each => each.at(-1) === structuralBase)
  const memberNames = (type.file.inside.get(type.number) ?? []).flatMap(
    each => type.file.code.symbols[each]?.name ?? [],
  )
  return isStructural && hasAll(resolution, at, memberNames)
}

/** A function of a module that may be the value of anything. */
const isOfModule = (at: Found): boolean =>
  languageNamed(at.file.code.language).modulesAreValues === true && symbolAt(at)?.parent === -1

/** Another language of the family calls functions outside of classes on a generated class. */
const isSeenAsStatic = (at: Found, { file }: Where): boolean =>
  languageNamed(file.code.language).callsStaticFunctions === true &&
  languageNamed(at.file.code.language).functionsAreStatic === true &&
  symbolAt(at)?.parent === -1

/** The type of a method and its ancestors. */
function holderTypes(resolution: Resolution, at: Found): readonly string[] {
  const holder = holderOf(at)
  return holder.number < 0 ? [] : typeNames(resolution, resolution.meanings.instance(holder))
}

function partsOf(value: Value): readonly (Member | Extract<Value, readonly ['name', ...unknown[]]>)[] {
  if (value[0] === 'member' || value[0] === 'sign' || value[0] === 'name') return [value]
  if (value[0] !== 'either') return []
  const [, ...all] = value
  return all.flatMap(each => (each[0] === 'member' || each[0] === 'sign' || each[0] === 'name' ? [each] : []))
}

/** A name that is not called passes on a function; in other languages than scripts every access of an accessor is known. */
function isPassed(at: Found): boolean {
  const { kind = '', accessor } = symbolAt(at) ?? {}
  return /^(function|method)$/.test(kind) && (!accessor || isScript(at.file.code.language))
}

const isExtension = (at: Found): boolean => symbolAt(at)?.receiver !== undefined && symbolAt(at)?.parent === -1

/** Reports whether it is called on a receiver. */
const isMember = (at: Found): boolean => symbolAt(at)?.kind === 'method' || isExtension(at)

/** Why a call that may run one of these may run something else instead; undefined if it cannot. */
function whyUnsure(
  resolution: Resolution,
  value: Value,
  groups: readonly (readonly Found[])[],
  wanted: readonly Found[],
  where: Where,
): string | undefined {
  const isAsked = (each: Found): boolean => wanted.some(one => isSame(one, each))
  const [targetSymbols, rest] = [groups.flat().filter(isAsked), groups.flat().filter(each => !isAsked(each))]
  if (targetSymbols.every(each => rest.some(other => areOverloads(resolution, each, other)))) return OVERLOADS
  const isWanted = (group: readonly Found[]): boolean => group.some(isAsked)
  const heads = groups.filter(isWanted).flatMap(([head]) => head ?? [])
  const other = groups
    .filter(group => !isWanted(group))
    .flatMap(([head]) => head ?? [])
    .find(head => heads.every(each => isAlternative(resolution, head, each)))
  // A bare name refers to a symbol outside of modules rather than to one inside.
  const isOutside = (each: Found): boolean => symbolAt(each)?.parent === -1
  const isNearest = other !== undefined && value[0] === 'name' && heads.every(isOutside) && !isOutside(other)
  if (other && !isNearest) return `one of several possible values: ${nameOf(other)} is another`
  return isOpen(resolution, value, where) ? 'one of several possible values, some of them unknown' : undefined
}

/** Reports whether a value is, or comes from, one of several, some of them unknown. */
function isOpen(resolution: Resolution, value: Value, where: Where): boolean {
  let at = value
  while (at[0] === 'result' || at[0] === 'member' || at[0] === 'element' || at[0] === 'awaited') at = at[1]
  if (at[0] !== 'either' || isFirstOf(at, where)) return false
  const [, ...all] = at
  return all.some(each => resolution.value(each, where).length === 0)
}

/** Reports whether they are two symbols, not two declarations of one. */
function isAlternative(resolution: Resolution, one: Found, other: Found): boolean {
  const [first, second] = [symbolAt(one), symbolAt(other)]
  if (first?.name !== second?.name) return true
  const isBeside = one.file === other.file && first?.parent === second?.parent
  const { language } = one.file.code
  if (isScript(language) || languageNamed(language).replacesNamesakes) return !isBeside
  if (isBeside || holderName(one) === holderName(other)) return false
  return !isBelow(resolution, one, other) && !isBelow(resolution, other, one)
}

function nameOf(at: Found): string {
  const holder = holderName(at)
  const name = symbolAt(at)?.name ?? ''
  return holder === undefined ? name : `${holder}.${name}`
}
