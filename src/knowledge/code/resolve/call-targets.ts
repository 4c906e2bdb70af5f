import { isScript, languageNamed } from '../../../languages/registry.ts'
import type { Reference, Value } from '../../../languages/file-model/file-model.ts'
import { extensionsFor } from './extensions.ts'
import type { Meaning, Where } from './meaning.ts'
import { inheritedMembers } from './members.ts'
import { invokedBy } from './operators.ts'
import { overloadsFor } from './overloads.ts'
import { isBelow, reaches, takesSame } from './overriding.ts'
import { takesCount, isSame, childrenNamed, symbolAt, type Found } from './project.ts'
import { resolveValue, type Resolution } from './resolution.ts'

const TYPE = /^(class|interface|enum)$/

/** The symbols that a value names. */
export function symbolsOf(resolution: Resolution, value: Value, where: Where): readonly Found[] {
  if (value[0] === 'super') return classAbove(resolution.value(value, where))
  const placesOf = (of: Value): readonly Found[] => {
    const symbols = resolution.value(of, where).flatMap(each => (each.kind === 'symbol' ? [each] : []))
    // Type arguments do not make another symbol.
    return [...new Set(symbols.map(({ at }) => resolution.meanings.symbol(at)))].flatMap(each =>
      each.kind === 'symbol' ? [each.at] : [],
    )
  }
  const requiredValue = requiredAs(value, where)
  const places = requiredValue ? placesOf(requiredValue) : []
  return places.length > 0 ? places : placesOf(value)
}

/** `super()` runs the base class. */
function classAbove(above: readonly Meaning[]): readonly Found[] {
  const [first] = above.flatMap(each => ('at' in each && symbolAt(each.at)?.kind === 'class' ? [each.at] : []))
  return first ? [first] : []
}

/** `super.f()` runs the base's method, whatever overrides it. */
export const isAbove = (value: Value): boolean => value[0] === 'member' && value[1][0] === 'super'

/** `const main = require('main')` is another name for a script's whole export, as an import of it would be. */
function requiredAs(value: Value, { file: { code } }: Where): Value | undefined {
  const symbol = value[0] === 'symbol' ? code.symbols[value[1]] : undefined
  if (symbol?.kind !== 'variable' || symbol.value?.[0] !== 'import') return undefined
  return code.imports[symbol.value[1]]?.name === '=' ? symbol.value : undefined
}

type Called = Pick<Reference, 'kind' | 'value' | 'count' | 'args'>

/** The functions that a call runs, filtered by the number and the written types of its arguments; a class includes its constructors. */
export const callTargets = (resolution: Resolution, call: Called, where: Where): readonly Found[] =>
  callGroups(resolution, call, where).flat()

/** The same, grouped by callee: one group if the callee is certain. */
export function callGroups(
  resolution: Resolution,
  { kind, value, count = -1, args = [] }: Called,
  where: Where,
): readonly (readonly Found[])[] {
  const isOfScript = isScript(where.file.code.language)
  const place = isOfScript ? where : { ...where, count }
  const candidates = orExtensions(resolution, symbolsOf(resolution, value, place), value, place)
  const fitting = candidates.filter(
    each => takesCount(each, count) || hasDefaultsOf(resolution, each, candidates, count),
  )
  const callees = (isOfScript && fitting.length === 0) || candidates.length === 1 ? candidates : fitting
  const calleeGroups = callees.map(each => {
    const symbol = symbolAt(each)
    if (symbol && TYPE.test(symbol.kind)) return [each, ...constructorsOf(resolution, each, count)]
    if (isOfScript) return [each]
    return kind !== 'new' && /^(function|method)$/.test(symbol?.kind ?? '') ? [each] : []
  })
  if (isOfScript) return calleeGroups
  const invocations = invokedBy(resolution, { kind, value, count }, place)
  // `Maker()` is one callee, be it a constructor or an `invoke` of the companion.
  const groups = languageNamed(where.file.code.language).companion
    ? [[...(calleeGroups[0] ?? []), ...invocations], ...calleeGroups.slice(1)]
    : [...calleeGroups, ...invocations.map(each => [each])]
  const bestOverloads = new Set(overloadsFor(resolution, nearest(resolution, groups.flat()), args, place))
  return groups.map(group => group.filter(each => bestOverloads.has(each))).filter(group => group.length > 0)
}

/** An extension is meant where no member takes as many arguments. */
function orExtensions(
  resolution: Resolution,
  meant: readonly Found[],
  value: Value,
  where: Where & { readonly count?: number },
): readonly Found[] {
  const { file, count = -1 } = where
  const isPassedOver =
    value[0] === 'member' && meant.length > 0 && count >= 0 && !meant.some(each => takesCount(each, count))
  if (!isPassedOver || !languageNamed(file.code.language).hasExtensions) return meant
  const owners = resolveValue(resolution, value[1], where)
  const extensions = extensionsFor(resolution, owners, value[2], file).filter(each => takesCount(each, count))
  return extensions.length > 0 ? extensions : meant
}

/** A Kotlin override has the defaults of the overridden function. */
const hasDefaultsOf = (resolution: Resolution, at: Found, all: readonly Found[], count: number): boolean =>
  symbolAt(at)?.isOverride === true && all.some(each => takesCount(each, count) && reaches(resolution, each, at))

export const isConstructorName = (language: string, name: string): boolean =>
  languageNamed(language).constructorName === name

/** A constructor is a method with the name of its class, or with a name fixed by the language; it may be inherited. */
function constructorsOf(resolution: Resolution, type: Found, count: number): readonly Found[] {
  const { name = '' } = symbolAt(type) ?? {}
  const isMethod = (at: Found): boolean => symbolAt(at)?.kind === 'method' && takesCount(at, count)
  const namedConstructors = childrenNamed(type.file, type.number, name).filter(isMethod)
  const fixedName = languageNamed(type.file.code.language).constructorName
  const inheritedConstructors = fixedName === undefined ? [] : inheritedMembers(resolution, type, fixedName, false)
  return [
    ...namedConstructors,
    ...inheritedConstructors.flatMap(each => (each.kind === 'symbol' && isMethod(each.at) ? [each.at] : [])),
  ]
}

/** Of functions with the same parameters the first hides the others, as an override does. */
function nearest(resolution: Resolution, found: readonly Found[]): readonly Found[] {
  const nearestSymbols: Found[] = []
  for (const each of found) {
    const symbol = symbolAt(each)
    const isHidden = nearestSymbols.some(one => {
      const other = symbolAt(one)
      return (
        isSame(one, each) ||
        (other?.kind === symbol?.kind &&
          other?.name === symbol?.name &&
          other?.arity?.[1] === symbol?.arity?.[1] &&
          takesSame(one, each) &&
          // A declaration and its separate definition are the same.
          holderName(one) !== holderName(each) &&
          (languageNamed(each.file.code.language).hasOverloads || isBelow(resolution, one, each)))
      )
    })
    if (!isHidden) nearestSymbols.push(each)
  }
  return nearestSymbols
}

/** The name of the type of a member: the enclosing one, or the written receiver. */
export function holderName(at: Found): string | undefined {
  const symbol = symbolAt(at)
  return symbol?.receiver ?? at.file.code.symbols[symbol?.parent ?? -1]?.name
}
