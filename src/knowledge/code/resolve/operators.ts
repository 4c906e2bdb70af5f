import { languageNamed } from '../../../languages/registry.ts'
import type { Reference } from '../../../languages/file-model/file-model.ts'
import type { Where } from './meaning.ts'
import { takesCount, holderOf, isCompanion, symbolAt, type Found } from './project.ts'
import { resolveValue, type Resolution } from './resolution.ts'

/** The text of the operator that calls a function; undefined if none does. */
export function operatorFor(at: Found): string | undefined {
  const { name = '', signature = '' } = symbolAt(at) ?? {}
  return languageNamed(at.file.code.language).operatorFor?.(name, signature)
}

/** Why a function may be called without its name; undefined if it cannot be. */
export function whyImplicit(at: Found): string | undefined {
  const { name = '', kind } = symbolAt(at) ?? {}
  const { hasForeignOperators, calledImplicitly } = languageNamed(at.file.code.language)
  // Those are found in the code of the other language.
  const operator = hasForeignOperators ? undefined : operatorFor(at)
  if (operator !== undefined) return `${name} may be called by ${wordsFor(name, operator)}`
  if (kind !== 'method' && /^\w+$/.test(name)) return undefined
  return calledImplicitly?.test(name) ? `The language calls ${name} without its name being written` : undefined
}

/** Formats a call by an operator. */
function wordsFor(name: string, operator: string): string {
  if (operator === '(')
    return name === 'invoke' ? 'a call with parentheses: f()' : 'taking a value apart: val (a, b) = c'
  if (operator === '[') return `an operator: ${name === 'set' ? 'a[i] = b' : 'a[i]'}`
  return `an operator: ${operator === '' ? '<, >, <= or >=' : operator}`
}

/** The method that `a()` runs if `a` is an object, or a class with a callable companion. */
export function invokedBy(
  resolution: Resolution,
  { kind, value, count = -1 }: Pick<Reference, 'kind' | 'value' | 'count'>,
  where: Where,
): readonly Found[] {
  const name = languageNamed(where.file.code.language).invokedAs
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
  const { singleton } = languageNamed(at.file.code.language)
  return isCompanion(holder) || singleton?.test(symbolAt(holder)?.signature ?? '') === true
}
