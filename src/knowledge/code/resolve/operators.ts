import { isCalledImplicitly, operatorOf } from '../../model/called-by-operators.ts'
import type { Reference } from '../../model/file-model.ts'
import type { Where } from './meaning.ts'
import { takesCount, holderOf, isCompanion, symbolAt, type Found } from './project.ts'
import { resolveValue, type Resolution } from './resolution.ts'

/** The text of the operator that calls a function; undefined if none does. */
export function operatorFor(at: Found): string | undefined {
  const { name = '', signature = '' } = symbolAt(at) ?? {}
  return operatorOf(at.file.code.language, name, signature)
}

/** Why a function may be called without its name; undefined if it cannot be. */
export function whyImplicit(at: Found): string | undefined {
  const { name = '', kind } = symbolAt(at) ?? {}
  // Operators of Java methods are found in Kotlin code.
  const operator = at.file.code.language === 'java' ? undefined : operatorFor(at)
  if (operator !== undefined) return `${name} may be called by ${wordsFor(name, operator)}`
  if (kind !== 'method' && /^\w+$/.test(name)) return undefined
  return isCalledImplicitly(at.file.code.language, name)
    ? `The language calls ${name} without its name being written`
    : undefined
}

/** Formats a call by an operator. */
function wordsFor(name: string, operator: string): string {
  if (operator === '(')
    return name === 'invoke' ? 'a call with parentheses: f()' : 'taking a value apart: val (a, b) = c'
  if (operator === '[') return `an operator: ${name === 'set' ? 'a[i] = b' : 'a[i]'}`
  return `an operator: ${operator === '' ? '<, >, <= or >=' : operator}`
}

/** The method that a call of an object runs, by the language of its class. */
const INVOKED: Readonly<Record<string, string>> = {
  kotlin: 'invoke',
  python: '__call__',
  php: '__invoke',
  swift: 'callAsFunction',
}

/** The method that `a()` runs if `a` is an object, or a Kotlin class with a callable companion. */
export function invokedBy(
  resolution: Resolution,
  { kind, value, count = -1 }: Pick<Reference, 'kind' | 'value' | 'count'>,
  where: Where,
): readonly Found[] {
  const name = INVOKED[where.file.code.language]
  if (name === undefined || kind !== 'call' || value[0] === 'super') return []
  return resolveValue(resolution, value, where).flatMap(each => {
    if (each.kind !== 'instance' && each.kind !== 'symbol') return []
    return resolution.member(each, name).flatMap(found => {
      if (found.kind !== 'symbol' || !takesCount(found.at, count)) return []
      const isOwn = each.kind === 'instance' || isOfCompanion(found.at)
      return isOwn ? [found.at] : []
    })
  })
}

function isOfCompanion(at: Found): boolean {
  const holder = holderOf(at)
  return (
    isCompanion(holder) || (at.file.code.language === 'kotlin' && /\bobject\b/.test(symbolAt(holder)?.signature ?? ''))
  )
}
