import { isScript } from '../../../languages/registry.ts'
import type { Value } from '../../../languages/file-model/file-model.ts'
import { dottedValue } from '../../model/grammar/values.ts'
import type { Meaning, Where } from './meaning.ts'
import { isVariable } from './overriding.ts'
import { symbolAt } from './project.ts'
import { resolveValue, NONE, type Resolution } from './resolution.ts'

const LISTS =
  /^(Array|ReadonlyArray|Set|ReadonlySet|Iterable|IterableIterator|Iterator|Generator|AsyncIterable|AsyncGenerator|ArrayLike|WeakSet)$/
const MAPS = /^(Map|ReadonlyMap|WeakMap)$/
const SAME =
  /^(filter|slice|concat|reverse|toReversed|sort|toSorted|splice|toSpliced|flat|with|values|fill|copyWithin)$/
const ONE = /^(find|findLast|at|pop|shift|reduce|reduceRight)$/
const EACH = /^(map|forEach|filter|find|findIndex|findLast|findLastIndex|some|every|flatMap|sort|toSorted)$/

type Outside = Meaning & { kind: 'outside' }

/** The meaning of one element: an item of a list, a value of a map. */
export function elementIn(resolution: Resolution, meaning: Meaning): readonly Meaning[] {
  if (meaning.kind === 'shape' && meaning.value[0] === 'list')
    return meaning.value[1] ? resolution.value(meaning.value[1], meaning.where) : NONE
  if (meaning.kind !== 'outside') return NONE
  // A container with one type argument has elements of that type.
  if (!isScript(meaning.where.file.code.language))
    return meaning.args.length === 1 ? argumentOf(resolution, meaning, 0) : NONE
  if (LISTS.test(meaning.name)) return argumentOf(resolution, meaning, 0)
  // `for (const [key, value] of map)`: both are looked up among the values.
  if (MAPS.test(meaning.name)) return listOf(resolution, meaning)
  return meaning.name === 'Record' ? argumentOf(resolution, meaning, 1) : NONE
}

export function argumentOf(resolution: Resolution, { args, where }: Outside, at: number): readonly Meaning[] {
  const value = args[at]
  return value ? resolution.value(value, where) : NONE
}

const lists = new WeakMap<Value, Value>()

/** The values of a map as a list; the same object for the same map. */
function listOf({ meanings }: Resolution, { args, where }: Outside): readonly Meaning[] {
  const part = args[1]
  if (!part) return NONE
  const list = lists.get(part) ?? (['list', part] as const)
  lists.set(part, list)
  return [meanings.shape(list, where)]
}

/** The result of a method of a script's list, map or promise. */
export function resultOfContainer(resolution: Resolution, meaning: Meaning, method: string): readonly Meaning[] {
  const isList =
    (meaning.kind === 'shape' && meaning.value[0] === 'list') ||
    (meaning.kind === 'outside' && LISTS.test(meaning.name))
  if (isList) {
    if (SAME.test(method)) return [meaning]
    return ONE.test(method) ? elementIn(resolution, meaning) : NONE
  }
  if (meaning.kind !== 'outside') return NONE
  if (MAPS.test(meaning.name)) {
    if (method === 'get') return argumentOf(resolution, meaning, 1)
    return method === 'values' ? listOf(resolution, meaning) : NONE
  }
  return meaning.name.startsWith('Promise') && /^(catch|finally)$/.test(method) ? [meaning] : NONE
}

/** The meaning of a parameter of a function that is passed as an argument. */
export function passedParameter(
  resolution: Resolution,
  [, callee, argument, parameter]: Extract<Value, readonly ['handed', ...unknown[]]>,
  where: Where,
): readonly Meaning[] {
  const plain = callee[0] === 'typed' ? callee[1] : callee
  if (!isScript(where.file.code.language)) return lambdaReceiver(resolution, plain, where)
  if (plain[0] === 'member') {
    const [, of, method] = plain
    const owners = resolveValue(resolution, of, where)
    const meanings = owners.flatMap(each => passedByContainer(resolution, each, method, argument, parameter))
    if (meanings.length > 0) return meanings
  }
  return resolution.value(callee, where).flatMap(each => {
    const parameterType = each.kind === 'symbol' ? symbolAt(each.at)?.params?.[argument] : undefined
    if (each.kind === 'symbol' && parameterType) {
      const inside = { file: each.at.file, by: each.at.number, bindings: each.bindings }
      return resolveValue(resolution, parameterType, inside).flatMap(given => parameterOf(resolution, given, parameter))
    }
    // A variable or an object whose type has call signatures.
    return resolution
      .settled(each)
      .flatMap(one => (one.kind === 'instance' ? callSignatures(resolution, one) : [one]))
      .flatMap(one => parameterOf(resolution, one, argument))
      .flatMap(resolution.settled)
      .flatMap(one => parameterOf(resolution, one, parameter))
  })
}

/** A function type with a receiver: `Html.() -> Unit`. */
const WITH_RECEIVER = /^[\s(]*(?:@\w+\s+|suspend\s+)*(\w[\w.]*)(?:<[^()]*>)?[?\s]*\.\s*\(/

/** The receiver of a Kotlin lambda, by the type of the last parameter of the function that it is passed to. */
function lambdaReceiver(resolution: Resolution, callee: Value, where: Where): readonly Meaning[] {
  return resolution.value(callee, where).flatMap(each => {
    if (each.kind !== 'symbol') return NONE
    const name = WITH_RECEIVER.exec(symbolAt(each.at)?.takes?.at(-1) ?? '')?.[1]
    if (name === undefined) return NONE
    if (isVariable(name, each.at)) return callee[0] === 'member' ? resolution.value(callee[1], where) : NONE
    return resolution.value(typeNamed(name), { file: each.at.file, by: each.at.number })
  })
}

const types = new Map<string, Value>()

/** The same object for the same name. */
function typeNamed(name: string): Value {
  const cachedType = types.get(name)
  if (cachedType) return cachedType
  const value: Value = ['instance', dottedValue(name)]
  types.set(name, value)
  return value
}

/** The call signatures of an object's type. */
export function callSignatures(
  resolution: Resolution,
  { at, bindings }: Meaning & { kind: 'instance' },
): readonly Meaning[] {
  const { value, kind } = symbolAt(at) ?? {}
  if (!value || kind === 'class') return NONE
  return resolution.value(value, { file: at.file, by: -1, bindings }).filter(each => each.kind === 'shape')
}

/** The meaning of a parameter of a written function type. */
function parameterOf(resolution: Resolution, meaning: Meaning, at: number): readonly Meaning[] {
  const type = meaning.kind === 'shape' && meaning.value[0] === 'function' ? meaning.value[2 + at] : undefined
  return meaning.kind === 'shape' && type && typeof type === 'object' ? resolution.value(type, meaning.where) : NONE
}

function passedByContainer(
  resolution: Resolution,
  owner: Meaning,
  method: string,
  argument: number,
  parameter: number,
): readonly Meaning[] {
  const isElement = method.startsWith('reduce')
    ? parameter === 1
    : EACH.test(method) && parameter <= (/ort/.test(method) ? 1 : 0)
  if (isElement && argument === 0) {
    const isMap = owner.kind === 'outside' && MAPS.test(owner.name)
    return isMap ? argumentOf(resolution, owner, 1) : elementIn(resolution, owner)
  }
  const isThen = owner.kind === 'outside' && owner.name.startsWith('Promise') && method === 'then'
  return isThen && argument + parameter === 0 ? argumentOf(resolution, owner, 0) : NONE
}
