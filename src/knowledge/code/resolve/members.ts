import { isScript, languageNamed } from '../../../languages/registry.ts'
import type { Declaration } from '../../../languages/file-model/file-model.ts'
import type { Bindings, Meaning } from './meaning.ts'
import { isBeside, isCompanion, isSame, isTypeSymbol, childrenNamed, symbolAt, type Found } from './project.ts'
import { asSymbols, NONE, type Resolution } from './resolution.ts'
import { packageMember } from './imports.ts'

/** The meaning of a name after a dot. */
export function memberOf(resolution: Resolution, of: Meaning, name: string): readonly Meaning[] {
  switch (of.kind) {
    case 'module': {
      const exports = resolution.exported(of.file, name)
      if (exports.length > 0 || name === '=') return exports
      return resolution.exported(of.file, '=').flatMap(each => resolution.member(each, name))
    }
    case 'package':
      return packageMember(resolution, of.name, name, of.file)
    case 'instance':
      return inheritedMembers(resolution, of.at, name, false, of.bindings)
    case 'shape': {
      const { value, where } = of
      const part = value[0] === 'object' && Object.hasOwn(value[1], name) ? value[1][name] : undefined
      return part ? resolution.value(part, where) : NONE
    }
    case 'outside': {
      const part = of.name === 'Record' ? of.args[1] : undefined
      return part ? resolution.value(part, of.where) : NONE
    }
    case 'symbol':
      return memberOfSymbol(resolution, of, name)
  }
}

function memberOfSymbol(resolution: Resolution, of: Meaning & { kind: 'symbol' }, name: string): readonly Meaning[] {
  const symbol = symbolAt(of.at)
  if (!symbol) return NONE
  const isOfScript = isScript(of.at.file.code.language)
  if (isOfScript ? symbol.kind === 'class' : isTypeSymbol(symbol))
    return inheritedMembers(resolution, of.at, name, true)
  if (!isOfScript && symbol.kind === 'module')
    return asSymbols(resolution, resolution.names.inModule(symbol.name, name, of.at.file))
  const namespaceMembers = inNamespace(of.at, name)
  if (namespaceMembers.length > 0) return asSymbols(resolution, namespaceMembers)
  return resolution.settled(of).flatMap(each => (each === of ? NONE : resolution.member(each, name)))
}

/** Members of a namespace, of an object variable, or of a namespace merged with a function or class. */
function inNamespace({ file, number }: Found, name: string): readonly Found[] {
  const symbol = file.code.symbols[number]
  if (!symbol) return []
  const spaces = childrenNamed(file, symbol.parent, symbol.name).filter(each => symbolAt(each)?.kind === 'module')
  const holders = symbol.kind === 'variable' ? [...spaces, { file, number }] : spaces
  return holders.flatMap(each => childrenNamed(file, each.number, name))
}

/**
 * The members of a name that a type has or inherits. If the language has overloads, includes those of all ancestors,
 * the nearest first.
 */
export function inheritedMembers(
  resolution: Resolution,
  at: Found,
  name: string,
  isStatic: boolean,
  bindings?: Bindings,
): readonly Meaning[] {
  const isOfScript = isScript(at.file.code.language)
  const directMembers = ownMembers(resolution, at, name, isStatic)
  const isFirst = !languageNamed(at.file.code.language).hasOverloads
  if (directMembers.length > 0 && isFirst)
    return asSymbols(resolution, isOfScript ? directMembers.slice(0, 1) : directMembers, bindings)
  const spaces = isStatic && isOfScript ? inNamespace(at, name) : []
  if (spaces.length > 0) return asSymbols(resolution, spaces)
  const all = [...asSymbols(resolution, directMembers, bindings)]
  const mixinMembers: Meaning[] = []
  for (const base of resolution.above(at, bindings)) {
    const baseMembers =
      base.kind === 'instance'
        ? asSymbols(resolution, ownMembers(resolution, base.at, name, isStatic && isClass(base.at)), base.bindings)
        : isStatic
          ? NONE
          : resolution.member(base, name)
    // Whether a Ruby class includes a module or extends itself by it is not known here.
    if (baseMembers.length > 0 && isModule(base)) mixinMembers.push(...baseMembers)
    else if (baseMembers.length > 0 && isFirst)
      return isOfScript ? baseMembers.slice(0, 1) : [...mixinMembers, ...baseMembers]
    else all.push(...baseMembers)
  }
  return [...mixinMembers, ...all]
}

const isModule = (of: Meaning): boolean => of.kind === 'instance' && symbolAt(of.at)?.kind === 'module'

/** A class may extend a constructable value, whose own members are static then. */
const isClass = (at: Found): boolean =>
  symbolAt(at)?.kind === 'class' || (!isScript(at.file.code.language) && symbolAt(at)?.kind !== 'module')

/**
 * Members of the type alone: all merged parts in a script, the companion of a class, and methods declared outside of
 * it.
 */
function ownMembers(resolution: Resolution, at: Found, name: string, isStatic: boolean): readonly Found[] {
  const { file, number } = at
  const symbol = symbolAt(at)
  if (isScript(file.code.language)) {
    const parts = isStatic ? [at] : partsOf(at)
    return parts
      .flatMap(each => childrenNamed(file, each.number, name))
      .filter(each => (symbolAt(each)?.isStatic ?? false) === isStatic)
  }
  // A constructor has the name of its class, and is no member.
  const reopenedMembers =
    name === symbol?.name
      ? []
      : openedAgain(resolution, at).flatMap(each => childrenNamed(each.file, each.number, name))
  if (languageNamed(file.code.language).classIsReceiver) return reopenedMembers.filter(each => isOnSide(each, isStatic))
  const companions = (file.inside.get(number) ?? []).flatMap(each =>
    isCompanion({ file, number: each }) ? childrenNamed(file, each, name) : [],
  )
  const { names } = resolution
  const beside = names.extensions(name, file).filter(found => {
    const method = symbolAt(found)
    return (
      method?.kind === 'method' &&
      method.receiver === symbol?.name &&
      isBeside(found, at) &&
      names.packageOf(found.file) === names.packageOf(file)
    )
  })
  return [...reopenedMembers, ...companions, ...beside]
}

/** A Ruby class and its instances have methods of their own. */
function isOnSide(at: Found, isStatic: boolean): boolean {
  const method = symbolAt(at)
  return method?.kind !== 'method' || (method.isStatic ?? false) === isStatic
}

/** The type, with its other parts: a partial one of C#, a class or module that Ruby opens again. */
function openedAgain({ names }: Resolution, at: Found): readonly Found[] {
  const { name = '', signature = '', kind, parent = -1 } = symbolAt(at) ?? {}
  const { reopens } = languageNamed(at.file.code.language)
  const isPartial = ({ signature: head = '' }: Partial<Declaration> = {}) => /\bpartial\b/.test(head)
  const isOpen = reopens === 'everywhere' ? parent === -1 : reopens === 'partial' && isPartial({ signature })
  if (!isOpen || name === '') return [at]
  const others = names
    .inPackage(names.packageOf(at.file), name, at.file)
    .filter(
      each =>
        !isSame(each, at) && symbolAt(each)?.kind === kind && (reopens === 'everywhere' || isPartial(symbolAt(each))),
    )
  return [at, ...others]
}

/** Interfaces of one name merge, also with a class of that name. */
export function partsOf(at: Found): readonly Found[] {
  const symbol = symbolAt(at)
  const mergedParts = childrenNamed(at.file, symbol?.parent ?? -1, symbol?.name ?? '').filter(
    each => each.number !== at.number && /^(interface|class)$/.test(symbolAt(each)?.kind ?? ''),
  )
  return [at, ...mergedParts]
}

/** Limit on ancestors. */
const MOST_ABOVE = 200

/** Instances of a type's ancestors, the nearest first. A shared ancestor comes after its descendants where the language linearizes. */
export function typesAbove(resolution: Resolution, type: Found, bindings?: Bindings): readonly Meaning[] {
  const isLinear = languageNamed(type.file.code.language).linearizes === true
  const order: Meaning[] = []
  const visitedTypes = new Set<Meaning>([resolution.meanings.instance(type, bindings)])
  const open = basesOf(resolution, type, bindings).toReversed()
  for (let next = open.pop(), steps = 0; next && steps < MOST_ABOVE; next = open.pop(), steps++) {
    const isKnown = visitedTypes.has(next)
    if (!isKnown || isLinear) order.push(next)
    visitedTypes.add(next)
    if (next.kind === 'instance' && (!isKnown || isLinear))
      open.push(
        ...basesOf(resolution, next.at, next.bindings)
          .filter(each => each.kind !== 'instance' || !isSame(each.at, type))
          .toReversed(),
      )
  }
  return isLinear ? order.filter((each, at) => order.lastIndexOf(each) === at) : order
}

function basesOf(resolution: Resolution, type: Found, bindings?: Bindings): readonly Meaning[] {
  const parts = isScript(type.file.code.language) ? partsOf(type) : openedAgain(resolution, type)
  return parts.flatMap(part => {
    const symbol = symbolAt(part)
    const where = { file: part.file, by: symbol?.parent ?? -1, bindings }
    const extensionBases = languageNamed(part.file.code.language).extensionsAddBases
      ? resolution.names.extending(symbol?.name ?? '', part.file)
      : []
    return [...(symbol?.extends ?? []), ...(symbol?.implements ?? [])]
      .map(base => ({ base, where }))
      .concat(extensionBases.map(each => ({ ...each, where: { ...each.where, bindings } })))
      .flatMap(each => resolution.value(each.base, each.where))
      .flatMap(each => madeOf(resolution, each))
  })
}

/** Instances of a class or type. */
export function madeOf(resolution: Resolution, meaning: Meaning): readonly Meaning[] {
  if (meaning.kind !== 'symbol') return [meaning]
  const { at, bindings } = meaning
  const symbol = symbolAt(at)
  switch (symbol?.kind) {
    case 'class':
    case 'interface':
    case 'enum':
      return [resolution.meanings.instance(at, bindings)]
    case 'type':
      // A type alias with members of its own acts as an interface.
      if (at.file.inside.has(at.number)) return [resolution.meanings.instance(at, bindings)]
      return symbol.value ? resolution.value(symbol.value, { file: at.file, by: symbol.parent, bindings }) : NONE
    case 'module':
      // Ruby includes modules.
      return isScript(at.file.code.language) ? NONE : [resolution.meanings.instance(at)]
    case 'variable':
      return resolution
        .settled(meaning)
        .flatMap(each =>
          each.kind === 'symbol' && symbolAt(each.at)?.kind === 'variable' ? NONE : madeOf(resolution, each),
        )
    default:
      return NONE
  }
}
