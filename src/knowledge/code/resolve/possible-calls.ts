import type { Reference, Value } from '../../model/file-model.ts'
import { fits } from './arity.ts'
import { symbolsOf } from './call-targets.ts'
import { typeNames } from './extensions.ts'
import type { Where } from './meaning.ts'
import { isSame, symbolAt, type Found } from './project.ts'
import { held, type Resolution } from './resolution.ts'

/** Types that say nothing of what a value is. */
const ANYTHING = /^(Any|AnyObject|any|unknown|dynamic|[oO]bject|mixed)$/

type Member = Extract<Value, readonly ['member' | 'sign', ...unknown[]]>

/** Why a reference that is known to call nothing may call one of these, in words; undefined where it cannot. */
export function whyPossible(
  resolution: Resolution,
  { kind, value, count = -1 }: Reference,
  wanted: readonly Found[],
  where: Where,
): string | undefined {
  if (kind === 'use') {
    const isHanded = symbolsOf(resolution, value, where).some(each => wanted.some(one => isSame(one, each)))
    return isHanded && wanted.some(isFunction) ? 'handed on as a value' : undefined
  }
  const fitting = wanted.filter(each => fits(each, count) || isSeenByJava(each, where))
  for (const part of partsOf(value)) {
    const why = part[0] === 'name' ? ofBareName(part[1], fitting, where) : ofMember(resolution, part, fitting, where)
    if (why !== undefined) return why
  }
  return undefined
}

/** An extension may be called on what a lambda or a class of a library around it is. */
function ofBareName(name: string, wanted: readonly Found[], where: Where): string | undefined {
  const alike = wanted.filter(each => symbolAt(each)?.name === name && symbolAt(each)?.kind !== 'method')
  const isMeant = alike.some(each => isExtension(each) || isSeenByJava(each, where))
  return isMeant ? 'same name, and what it is called on is not written' : undefined
}

function ofMember(resolution: Resolution, part: Member, wanted: readonly Found[], where: Where): string | undefined {
  const [form, of, name] = part
  const alike = wanted.filter(each => symbolAt(each)?.name === name && (isMember(each) || isSeenByJava(each, where)))
  if (alike.length === 0 || of[0] === 'super') return undefined
  const owners = held(resolution, of, where)
  if (owners.length === 0 || owners.some(each => each.kind === 'outside' && ANYTHING.test(each.name)))
    return form === 'sign'
      ? 'an operator on a value of unknown type may call it'
      : 'same name, on a receiver of unknown type'
  for (const owner of owners) {
    if (owner.kind !== 'outside') continue
    const isBase = alike.some(
      each => isExtension(each) || isSeenByJava(each, where) || holderTypes(resolution, each).includes(owner.name),
    )
    if (isBase) return `same name, on a receiver of type ${owner.name}, which is declared outside of the workspace`
  }
  return undefined
}

/** Java calls functions of Kotlin outside of any class on a class that the compiler makes. */
const isSeenByJava = (at: Found, { file }: Where): boolean =>
  file.code.language === 'java' && at.file.code.language === 'kotlin' && symbolAt(at)?.parent === -1

/** The type that a method is of, with those that that inherits from. */
function holderTypes(resolution: Resolution, { file, number }: Found): readonly string[] {
  const holder = { file, number: file.code.symbols[number]?.parent ?? -1 }
  return holder.number < 0 ? [] : typeNames(resolution, resolution.meanings.instance(holder))
}

function partsOf(value: Value): readonly (Member | Extract<Value, readonly ['name', ...unknown[]]>)[] {
  if (value[0] === 'member' || value[0] === 'sign' || value[0] === 'name') return [value]
  if (value[0] !== 'either') return []
  const [, ...all] = value
  return all.flatMap(each => (each[0] === 'member' || each[0] === 'sign' || each[0] === 'name' ? [each] : []))
}

const isFunction = (at: Found): boolean => /^(function|method)$/.test(symbolAt(at)?.kind ?? '')

const isExtension = (at: Found): boolean => symbolAt(at)?.receiver !== undefined && symbolAt(at)?.parent === -1

/** Whether it is called on something. */
const isMember = (at: Found): boolean => symbolAt(at)?.kind === 'method' || isExtension(at)
