import type { Reference, Value } from '../../model/file-model.ts'
import { hasOverloads, isScript } from './family.ts'
import type { Meaning, Where } from './meaning.ts'
import { inherited } from './members.ts'
import { invokedBy } from './operators.ts'
import { isBelow, reaches, takesSame } from './overriding.ts'
import { fits, isSame, named, symbolAt, type Found } from './project.ts'
import type { Resolution } from './resolution.ts'

const TYPE = /^(class|interface|enum)$/

/** What the value of a reference names. */
export function symbolsOf(resolution: Resolution, value: Value, where: Where): readonly Found[] {
  if (value[0] === 'super') return classAbove(resolution.value(value, where))
  const placesOf = (of: Value): readonly Found[] => {
    const symbols = resolution.value(of, where).flatMap(each => (each.kind === 'symbol' ? [each] : []))
    // The same symbol with other type arguments is the same.
    return [...new Set(symbols.map(({ at }) => resolution.meanings.symbol(at)))].flatMap(each =>
      each.kind === 'symbol' ? [each.at] : [],
    )
  }
  const required = requiredAs(value, where)
  const found = required ? placesOf(required) : []
  return found.length > 0 ? found : placesOf(value)
}

/** `super()` runs the class above. */
function classAbove(above: readonly Meaning[]): readonly Found[] {
  const [first] = above.flatMap(each => ('at' in each && symbolAt(each.at)?.kind === 'class' ? [each.at] : []))
  return first ? [first] : []
}

/** `super.f()` runs that one, whatever overrides it. */
export const isAbove = (value: Value): boolean => value[0] === 'member' && value[1][0] === 'super'

/** `const main = require('main')` is another name for what a script hands out as a whole, as an import of it would be. */
function requiredAs(value: Value, { file: { code } }: Where): Value | undefined {
  const symbol = value[0] === 'symbol' ? code.symbols[value[1]] : undefined
  if (symbol?.kind !== 'variable' || symbol.value?.[0] !== 'import') return undefined
  return code.imports[symbol.value[1]]?.name === '=' ? symbol.value : undefined
}

type Called = Pick<Reference, 'kind' | 'value' | 'count'>

/** The functions that a call runs, those with a fitting number of arguments; a class together with its constructors. */
export const callTargets = (resolution: Resolution, called: Called, where: Where): readonly Found[] =>
  callGroups(resolution, called, where).flat()

/** The same, apart for each thing that may be called: one group where it is certain what is. */
export function callGroups(
  resolution: Resolution,
  { kind, value, count = -1 }: Called,
  where: Where,
): readonly (readonly Found[])[] {
  const isOfScript = isScript(where.file.code.language)
  const place = isOfScript ? where : { ...where, count }
  const meant = symbolsOf(resolution, value, place)
  const fitting = meant.filter(each => fits(each, count) || hasDefaultsOf(resolution, each, meant, count))
  const found = (isOfScript && fitting.length === 0) || meant.length === 1 ? meant : fitting
  const called = found.map(each => {
    const symbol = symbolAt(each)
    if (symbol && TYPE.test(symbol.kind)) return [each, ...constructorsOf(resolution, each, count)]
    if (isOfScript) return [each]
    return kind !== 'new' && /^(function|method)$/.test(symbol?.kind ?? '') ? [each] : []
  })
  if (isOfScript) return called
  const invoked = invokedBy(resolution, { kind, value, count }, place)
  // `Maker()` of Kotlin is one thing, be it a constructor or what the companion can be called by.
  const groups =
    where.file.code.language === 'kotlin'
      ? [[...(called[0] ?? []), ...invoked], ...called.slice(1)]
      : [...called, ...invoked.map(each => [each])]
  const kept = new Set(nearest(resolution, groups.flat()))
  return groups.map(group => group.filter(each => kept.has(each))).filter(group => group.length > 0)
}

/** An override of Kotlin has the defaults of what it overrides. */
const hasDefaultsOf = (resolution: Resolution, at: Found, all: readonly Found[], count: number): boolean =>
  symbolAt(at)?.isOverride === true && all.some(each => fits(each, count) && reaches(resolution, each, at))

const CONSTRUCTORS = ['constructor', '__init__', 'initialize', '__construct', 'init']

export const isConstructorName = (name: string): boolean => CONSTRUCTORS.includes(name)

/** A constructor is a method by the name of its class, or one that the language names; it may be inherited. */
function constructorsOf(resolution: Resolution, type: Found, count: number): readonly Found[] {
  const { name = '' } = symbolAt(type) ?? {}
  const isMethod = (at: Found): boolean => symbolAt(at)?.kind === 'method' && fits(at, count)
  const own = named(type.file, type.number, name).filter(isMethod)
  const said = CONSTRUCTORS.flatMap(each => inherited(resolution, type, each, false))
  return [...own, ...said.flatMap(each => (each.kind === 'symbol' && isMethod(each.at) ? [each.at] : []))]
}

/** Of those that take the same, the first hides the others: an override what it overrides. */
function nearest(resolution: Resolution, found: readonly Found[]): readonly Found[] {
  const kept: Found[] = []
  for (const each of found) {
    const symbol = symbolAt(each)
    const isHidden = kept.some(one => {
      const other = symbolAt(one)
      return (
        isSame(one, each) ||
        (other?.kind === symbol?.kind &&
          other?.name === symbol?.name &&
          other?.arity?.[1] === symbol?.arity?.[1] &&
          takesSame(one, each) &&
          // What is declared in one place and defined in another is the same.
          holderName(one) !== holderName(each) &&
          (hasOverloads(each.file.code.language) || isBelow(resolution, one, each)))
      )
    })
    if (!isHidden) kept.push(each)
  }
  return kept
}

/** The type that something is a member of, by name: the one around it, or the one that it says. */
export function holderName(at: Found): string | undefined {
  const symbol = symbolAt(at)
  return symbol?.receiver ?? at.file.code.symbols[symbol?.parent ?? -1]?.name
}
