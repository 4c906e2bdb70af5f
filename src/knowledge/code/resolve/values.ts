import { isScript, languageNamed } from '../../../languages/registry.ts'
import type { Value } from '../../../languages/file-model/file-model.ts'
import { argumentOf, callSignatures, elementIn, passedParameter, resultOfContainer } from './containers.ts'
import { extensionsFor } from './extensions.ts'
import { importMeanings } from './imports.ts'
import type { Meaning, Where } from './meaning.ts'
import { madeOf } from './members.ts'
import { isType, symbolAt, type Found } from './project.ts'
import { NONE, asSymbols, resolveValue, type Resolution } from './resolution.ts'
import { nameIn } from './scopes.ts'

type InstanceValue = Extract<Value, readonly ['instance', ...unknown[]]>

/** Types that stand for their first argument. */
const TRANSPARENT =
  /^(Readonly|Partial|Required|NonNullable|Awaited|Pick|Omit|NoInfer|Optional|Annotated|ClassVar|Final)$/

/** Kotlin types whose operators return the same type. */
const BASIC = /^(String|Int|Long|Short|Byte|Char|Float|Double)$/

/** One step of a value's meaning: the resolution answers for its parts. */
export function meaningOf(resolution: Resolution, value: Value, where: Where): readonly Meaning[] {
  const { meanings } = resolution
  switch (value[0]) {
    case 'symbol':
      return [meanings.symbol({ file: where.file, number: value[1] })]
    case 'import': {
      const from = where.file.code.imports[value[1]]
      const target = from && resolution.moduleOf(where.file, from.module)
      return from && target ? importMeanings(resolution, target, from.name) : NONE
    }
    case 'name':
      return nameIn(resolution, value[1], where)
    case 'member':
      return member(resolution, value[1], value[2], where)
    case 'sign':
      return resolveValue(resolution, value[1], where).length > 0 ? member(resolution, value[1], value[2], where) : NONE
    case 'instance':
      return instance(resolution, value, where)
    case 'super':
      return resolution.above({ file: where.file, number: value[1] })
    case 'result':
      return result(resolution, value[1], where)
    case 'element':
      return resolveValue(resolution, value[1], where).flatMap(each => {
        // `Gen[int](1, 2)` looks like an element access.
        if (
          languageNamed(where.file.code.language).bracketsInstantiate &&
          each.kind === 'symbol' &&
          symbolAt(each.at)?.kind === 'function'
        )
          return [each]
        const elements = operatorResult(resolution, each, 'get')
        return elements.length > 0 ? elements : elementIn(resolution, each)
      })
    case 'awaited':
      return resolveValue(resolution, value[1], where).flatMap(each =>
        each.kind === 'outside' && /^Promise(Like)?$/.test(each.name) ? argumentOf(resolution, each, 0) : [each],
      )
    case 'either':
      return either(resolution, value, where)
    case 'handed':
      return passedParameter(resolution, value, where)
    case 'parameter':
      return parameter(resolution, value, where)
    case 'typed':
      return resolution.value(value[1], where).map(each => {
        const bindings = each.kind === 'symbol' ? meanings.bindings(each.at, value, where, each.bindings) : undefined
        return each.kind === 'symbol' && bindings ? meanings.symbol(each.at, bindings) : each
      })
    case 'list':
    case 'function':
    case 'object':
      return [meanings.shape(value, where)]
  }
}

/** The value of a type parameter in a context, or else its default. */
function parameter(
  resolution: Resolution,
  [, number, index]: readonly ['parameter', number, number],
  where: Where,
): readonly Meaning[] {
  for (let at = where.bindings; at; at = at.outer)
    if (at.at.number === number && at.at.file === where.file) {
      const argument = at.args[index]
      if (argument) return resolution.value(argument, at.where)
    }
  const unsaid = where.file.code.symbols[number]?.typeParameters?.[index]
  return unsaid ? resolution.value(unsaid, where) : NONE
}

type EitherValue = readonly ['either', ...Value[]]

/**
 * Where receivers are implicit, the first one that is found: names in a lambda, or in an extension, are members of its receiver, or
 * else plain names. The same holds for the methods that an operator tries in order.
 */
export const isFirstOf = ([, ...all]: EitherValue, { file }: Where): boolean =>
  languageNamed(file.code.language).firstReceiverCounts === true || all.every(([form]) => form === 'sign')

function either(resolution: Resolution, value: EitherValue, where: Where): readonly Meaning[] {
  const [, ...all] = value
  if (!isFirstOf(value, where)) return all.flatMap(each => resolution.value(each, where))
  for (const each of all) {
    const meanings = resolution.value(each, where).filter(({ kind }) => kind !== 'outside')
    if (meanings.length > 0) return meanings
  }
  return NONE
}

function member(resolution: Resolution, of: Value, name: string, where: Where): readonly Meaning[] {
  if (of[0] === 'super') {
    const { classIsReceiver, hasOverloads } = languageNamed(where.file.code.language)
    const isStatic = classIsReceiver && symbolAt({ file: where.file, number: where.by })?.isStatic
    const above = inheritedBy(resolution, { file: where.file, number: of[1] })
    const all = above.map(each => resolution.member(isStatic ? classOf(resolution, each) : each, name))
    return hasOverloads ? all.flat() : (all.find(each => each.length > 0) ?? NONE)
  }
  const owners = resolution.value(of, where)
  const members = owners.flatMap(each => resolution.member(each, name))
  if (members.length > 0 || isScript(where.file.code.language)) return members
  return asSymbols(resolution, extensionsFor(resolution, owners.flatMap(resolution.settled), name, where.file))
}

/** The ancestors of a type; the name of the base may mean none of its own traits. */
function inheritedBy(resolution: Resolution, type: Found): readonly Meaning[] {
  const above = resolution.above(type)
  if (!languageNamed(type.file.code.language).parentSkipsTraits) return above
  const first = above.findIndex(each => each.kind !== 'instance' || !isTrait(each.at))
  return first < 0 ? NONE : above.slice(first)
}

const isTrait = (at: Found): boolean => /^(#\[.*\]\s*)?trait\b/.test(symbolAt(at)?.signature ?? '')

/** Reports whether a type is that of the called class. */
const isCalledClass = (value: Value | undefined, { file }: Where): boolean =>
  value?.[0] === 'instance' && value[1][0] === 'name' && value[1][1] === languageNamed(file.code.language).calledClass

/** Instances of the class around. */
function instanceAround({ meanings }: Resolution, { file, by }: Where): readonly Meaning[] {
  let at = by
  while (at >= 0 && !isType({ file, number: at })) at = file.code.symbols[at]?.parent ?? -1
  return at < 0 ? NONE : [meanings.instance({ file, number: at })]
}

/** The class of an instance; a module that extends a class stays one of its instances. */
const classOf = ({ meanings }: Resolution, of: Meaning): Meaning =>
  of.kind === 'instance' && symbolAt(of.at)?.kind === 'class' ? meanings.symbol(of.at) : of

function instance(resolution: Resolution, value: InstanceValue, where: Where): readonly Meaning[] {
  const [, of, first] = value
  const name = of[0] === 'name' || of[0] === 'member' ? String(of.at(-1)) : ''
  if (of[0] === 'name' && first) {
    if (TRANSPARENT.test(name)) return resolution.value(first, where)
    if (name === 'ReturnType') return resolution.value(first, where).flatMap(resolution.result)
    if (name === 'InstanceType') return resolution.value(first, where).flatMap(each => madeOf(resolution, each))
  }
  if (of[0] === 'parameter') return resolution.value(of, where)
  if (isCalledClass(value, where)) return instanceAround(resolution, where)
  const typeMeanings = resolution.value(of, where).map(each => withArguments(resolution, each, value, where))
  const types = typeMeanings.filter(each => each.kind !== 'symbol' || isType(each.at))
  const instances = (types.length > 0 ? types : typeMeanings).flatMap(each => madeOf(resolution, each))
  const projectInstances = instances.filter(({ kind }) => kind !== 'package' && kind !== 'outside')
  if (projectInstances.length > 0 || name === '') return projectInstances
  return isScript(where.file.code.language) && of[0] !== 'name'
    ? instances
    : [resolution.meanings.outside(name, where, value)]
}

function withArguments({ meanings }: Resolution, meaning: Meaning, value: InstanceValue, where: Where): Meaning {
  const bindings =
    meaning.kind === 'symbol' && value.length > 2 ? meanings.bindings(meaning.at, value, where) : undefined
  return meaning.kind === 'symbol' && bindings ? meanings.symbol(meaning.at, bindings) : meaning
}

function result(resolution: Resolution, callee: Value, where: Where): readonly Meaning[] {
  const plain = callee[0] === 'typed' ? callee[1] : callee
  if (plain[0] === 'member' && isScript(where.file.code.language)) {
    const [, of, method] = plain
    const containerResults = resolveValue(resolution, of, where).flatMap(each =>
      resultOfContainer(resolution, each, method),
    )
    if (containerResults.length > 0) return containerResults
  }
  const callees = resolution.value(callee, where)
  if (
    plain[0] === 'member' &&
    callees.some(each => each.kind === 'symbol' && isCalledClass(symbolAt(each.at)?.value, where))
  )
    return resolution.value(plain[1], where).flatMap(each => madeOf(resolution, each))
  const results = callees.flatMap(resolution.result)
  if (callee[0] === 'typed' && results.every(({ kind }) => kind === 'outside')) {
    // `dual<(that: B) => …, (self: A, that: B) => …>(…)` returns its type argument.
    const functions = callee
      .slice(2)
      .flatMap(each => (Array.isArray(each) && each[0] === 'function' ? [each as Value] : []))
    if (functions.length > 0) return functions.map(each => resolution.meanings.shape(each, where))
  }
  if (callee[0] !== 'sign' || results.length > 0) return results
  return resolveValue(resolution, callee[1], where).filter(each => each.kind === 'outside' && BASIC.test(each.name))
}

/** The result of a call. */
export function resultOf(resolution: Resolution, meaning: Meaning): readonly Meaning[] {
  if (meaning.kind === 'shape') {
    const { value, where } = meaning
    return value[0] === 'function' && value[1] ? resolution.value(value[1], where) : NONE
  }
  if (meaning.kind === 'instance') {
    const invokeResults = operatorResult(resolution, meaning, 'invoke')
    if (invokeResults.length > 0) return invokeResults
    if (languageNamed(meaning.at.file.code.language).namesMayCall) return [meaning]
    // An object whose type has call signatures.
    return callSignatures(resolution, meaning).flatMap(resolution.result)
  }
  if (meaning.kind !== 'symbol') return NONE
  const symbol = symbolAt(meaning.at)
  if (symbol?.kind === 'function' || (symbol?.kind === 'method' && !symbol.accessor)) {
    const where = { file: meaning.at.file, by: meaning.at.number, bindings: meaning.bindings }
    return symbol.value ? resolution.value(symbol.value, where) : NONE
  }
  if (symbol?.kind === 'class') return madeOf(resolution, meaning)
  return resolution.settled(meaning).flatMap(each => (each === meaning ? NONE : resolution.result(each)))
}

/** The result of a function that is called by its operator. */
function operatorResult(resolution: Resolution, meaning: Meaning, name: string): readonly Meaning[] {
  if (meaning.kind !== 'instance') return NONE
  const { operatorModifier } = languageNamed(meaning.at.file.code.language)
  if (!operatorModifier) return NONE
  return resolution
    .member(meaning, name)
    .filter(each => each.kind === 'symbol' && operatorModifier.test(symbolAt(each.at)?.signature ?? ''))
    .flatMap(resolution.result)
}

/** Follows a variable, property or accessor to its value. */
export function settledOf(resolution: Resolution, meaning: Meaning): readonly Meaning[] {
  if (meaning.kind !== 'symbol') return [meaning]
  const symbol = symbolAt(meaning.at)
  const isName = symbol?.kind === 'variable' || symbol?.kind === 'property' || symbol?.accessor
  if (!symbol || !isName) return [meaning]
  if (!symbol.value) return NONE
  const where = { file: meaning.at.file, by: symbol.parent, bindings: meaning.bindings }
  return resolution.value(symbol.value, where).flatMap(resolution.settled)
}
