import { isCompanion, symbolAt, type Found } from '../graph/resolve/project.ts'
import { isCalledByItself, signOf } from '../symbols/called-by-signs.ts'
import type { Reference, Value } from '../symbols/file-code.ts'
import type { Meanings } from './meaning.ts'
import { isOnly, isUnknown, type Meaning, type Where } from './meaning-words.ts'

/** What a call by a sign means: functions, or that nobody can say. */
export interface SignMeaning {
  readonly called: readonly Found[]
  readonly isUnsure: boolean
}

const NOTHING: SignMeaning = { called: [], isUnsure: false }

/** The text that stands wherever a function is called by a sign; undefined where none calls it. */
export function signFor(at: Found): string | undefined {
  const { name = '', signature = '' } = symbolAt(at) ?? {}
  return signOf(at.file.code.language, name, signature)
}

/** Whether calls of it cannot be found because nothing is written there. */
export function isUnseen(at: Found): boolean {
  const { name = '', kind } = symbolAt(at) ?? {}
  if (signFor(at) !== undefined || (kind !== 'method' && /^\w+$/.test(name))) return false
  return isCalledByItself(at.file.code.language, name)
}

/** What a call may mean besides what it names, where functions of these names are called by signs. */
export function bySign(
  meanings: Meanings,
  { kind, value }: Reference,
  names: ReadonlySet<string>,
  where: Where,
): SignMeaning {
  if (kind !== 'call' || where.file.code.language !== 'kotlin') return NOTHING
  const signs = signsIn(value).filter(([, , name]) => names.has(name))
  // What a sign is put to is not known: it may call anything of that name.
  if (signs.some(([, of]) => !isKnown(meanings.held(of, where)))) return { called: [], isUnsure: true }
  return names.has('invoke') && signs.length === 0 ? invoked(meanings, value, where) : NOTHING
}

const signsIn = (value: Value): readonly Extract<Value, readonly ['sign', ...unknown[]]>[] => {
  if (value[0] === 'sign') return [value]
  return value[0] === 'either' ? value.slice(1).flatMap(each => signsIn(each as Value)) : []
}

const isKnown = (held: readonly Meaning[]): boolean => held.length > 0 && !held.some(isUnknown)

/** What `a()` calls where `a` is no function. */
function invoked(meanings: Meanings, value: Value, where: Where): SignMeaning {
  const held = meanings.held(value, where)
  const called = held.flatMap(each => {
    if (each.kind === 'instance') return meanings.members(each.at, 'invoke')
    return each.kind === 'symbol' ? meanings.members(each.at, 'invoke').filter(isOfObject) : []
  })
  // A name that nobody declares is a function of a library; a value that nobody knows may be anything.
  const isName = /^(name|member|either|sign|super)$/.test(value[0]) && value[1] !== ''
  return { called, isUnsure: !isName && !isKnown(held) }
}

/** Whether it is called on the name of its class. */
function isOfObject({ file, number }: Found): boolean {
  const holder = { file, number: file.code.symbols[number]?.parent ?? -1 }
  return isCompanion(holder) || isOnly(holder)
}
