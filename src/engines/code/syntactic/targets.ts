import { mayOverride, takesSame } from '../graph/resolve/overriding.ts'
import { named, symbolAt, type Found } from '../graph/resolve/project.ts'
import type { Reference } from '../symbols/file-code.ts'
import { holderName } from './holders.ts'
import type { Meanings } from './meaning.ts'
import { fits, isSame, type Where } from './meaning-words.ts'

const TYPE = /^(class|interface|enum)$/

/** The functions that a call means, those with a fitting number of arguments; a class for its constructors. */
export function targetsOf(
  meanings: Meanings,
  { kind, value, count = -1 }: Pick<Reference, 'kind' | 'value' | 'count'>,
  where: Where,
): readonly Found[] {
  const isAbove = value[0] === 'super'
  const found = meanings.of(value, where, count).flatMap(each => {
    if (each.kind !== 'symbol') return isAbove && each.kind === 'instance' ? withConstructors(each.at, count) : []
    const symbol = symbolAt(each.at)
    if (symbol && TYPE.test(symbol.kind)) return withConstructors(each.at, count)
    return kind !== 'new' && /^(function|method)$/.test(symbol?.kind ?? '') ? [each.at] : []
  })
  if (found.length <= 1) return found
  return nearest(found.filter(each => fits(each, count)))
}

/** A constructor is a method by the name of its class, or one that the language names. */
function withConstructors(type: Found, count: number): readonly Found[] {
  const name = symbolAt(type)?.name ?? ''
  const written = [name, '__init__', 'initialize', '__construct', 'init'].flatMap(each =>
    named(type.file, type.number, each).filter(one => symbolAt(one)?.kind === 'method' && fits(one, count)),
  )
  return [type, ...written]
}

/** Of those that take the same, the first hides the others: an override what it overrides. */
function nearest(found: readonly Found[]): readonly Found[] {
  const kept: Found[] = []
  for (const each of found) {
    const symbol = symbolAt(each)
    const isHidden = kept.some(one => {
      const other = symbolAt(one)
      return (
        isSame(one, each) ||
        (other?.kind === symbol?.kind &&
          other?.name === symbol?.name &&
          other?.arity?.join() === symbol?.arity?.join() &&
          takesSame(one, each) &&
          // What is declared in one place and defined in another is the same.
          holderName(one) !== holderName(each))
      )
    })
    if (!isHidden) kept.push(each)
  }
  return kept
}

/** Whether a call of the one runs the other: it is that one, or one that it may be overridden by. */
export function reaches(meanings: Meanings, called: Found, asked: Found): boolean {
  if (isSame(called, asked)) return true
  const [method, override] = [symbolAt(called), symbolAt(asked)]
  if (method?.kind !== 'method' || override?.kind !== 'method' || method.name !== override.name) return false
  if (method.arity?.join() !== override.arity?.join() || override.parent === -1) return false
  if (!mayOverride(asked, called)) return false
  const holders = meanings.above({ file: asked.file, number: override.parent })
  return holders.some(each => isSame(each, { file: called.file, number: method.parent }))
}
