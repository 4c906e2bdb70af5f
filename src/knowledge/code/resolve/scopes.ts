import { isScript, languageNamed } from '../../../languages/registry.ts'
import { importedBy, insideOf } from './imports.ts'
import type { Meaning, Where } from './meaning.ts'
import { inheritedMembers } from './members.ts'
import {
  takesCount,
  holderOf,
  isType,
  isTypeSymbol,
  childrenNamed,
  symbolAt,
  type Found,
  type ProjectFile,
} from './project.ts'
import { areOverloads } from './overloads.ts'
import { NONE, asSymbols, type Resolution } from './resolution.ts'

/**
 * The meaning of a name that the file does not bind: from the innermost scope outwards, then the file, its imports, its
 * package, and imported whole packages.
 */
export function nameIn(resolution: Resolution, name: string, { file, by, count = -1 }: Where): readonly Meaning[] {
  if (name === '' || isScript(file.code.language)) return NONE
  const { names, meanings } = resolution
  let other: readonly Meaning[] = NONE
  let isStatic = false
  for (let at = by; at >= 0; at = file.code.symbols[at]?.parent ?? -1) {
    const scope = { file, number: at }
    const members = inScope(resolution, scope, name, isStatic || (at === by && isOnClass(scope)))
    isStatic ||= hidesInstance(scope)
    if (members.some(each => each.kind !== 'symbol' || takesCount(each.at, count)))
      return [...members, ...passedOver(resolution, name, { file, by: at, count })]
    if (other.length === 0) other = members
  }
  const fileSymbols = names.atTop(file, name).filter(isPlain)
  if (fileSymbols.some(each => takesCount(each, count)))
    return asSymbols(resolution, [...fileSymbols, ...overloadsElsewhere(resolution, fileSymbols, name, file)])
  const imports = file.code.imports.filter(each => each.local === name)
  const importMeanings = imports.flatMap(each => importedBy(resolution, each, file))
  if (importMeanings.length > 0) return importMeanings
  // Imported from outside: no symbol of the same name in the package is meant.
  if (imports.length > 0) return [meanings.outside(name, { file, by: -1 })]
  const beside = names
    .inPackage(names.packageOf(file), name, file)
    .filter(each => isPlain(each) && isOpenTo(each, file))
  if (beside.length > 0) return asSymbols(resolution, beside)
  const starImports = file.code.imports.filter(each => each.name === '*' && each.local === '')
  const through = starImports.flatMap(each => insideOf(resolution, each.module, name, file))
  if (through.length > 0) return through
  if (fileSymbols.length > 0 || other.length > 0) return [...other, ...asSymbols(resolution, fileSymbols)]
  return names.isPackagePart(name, file) ? [meanings.package(name, file)] : NONE
}

function inScope(resolution: Resolution, at: Found, name: string, isStatic: boolean): readonly Meaning[] {
  const symbol = symbolAt(at)
  if (!symbol) return NONE
  const language = languageNamed(at.file.code.language)
  const isOpen = !language.needsReceivers
  if (isType(at)) return isOpen ? seenIn(resolution, at, name, isStatic) : NONE
  const all = childrenNamed(at.file, at.number, name)
  const visibleMembers = language.resolvesLocalTypes ? all.filter(each => !isType(each)) : all
  const isOutside = symbol.receiver === undefined || language.extensionsSeeNoMembers
  if (visibleMembers.length > 0 || isOutside || !isOpen) return asSymbols(resolution, visibleMembers)
  // An extension, or a method outside of its type, sees that type's members.
  return resolution.names
    .inPackage(resolution.names.packageOf(at.file), symbol.receiver, at.file)
    .filter(isType)
    .flatMap(each => inheritedMembers(resolution, each, name, false))
}

/** The members of a type that a bare name may mean, from code with or without an instance of it. */
function seenIn(resolution: Resolution, at: Found, name: string, isStatic: boolean): readonly Meaning[] {
  const { classIsReceiver = false } = languageNamed(at.file.code.language)
  const members = inheritedMembers(resolution, at, name, classIsReceiver && isStatic)
  return isStatic && !classIsReceiver
    ? members.filter(each => each.kind !== 'symbol' || needsNoInstance(each.at))
    : members
}

/** Reports whether code directly inside of it runs on the class. */
const isOnClass = (at: Found): boolean => languageNamed(at.file.code.language).classIsReceiver === true && isType(at)

/** Reports whether code inside of it has no instance of the types around: a static method, a class that is not inner. */
function hidesInstance(at: Found): boolean {
  const symbol = symbolAt(at)
  const { staticsSeeMembers, hidesInstance: hides } = languageNamed(at.file.code.language)
  if (!symbol || staticsSeeMembers) return false
  if (!isTypeSymbol(symbol)) return symbol.isStatic === true
  if (symbol.name === '' || !isType(holderOf(at))) return false
  return hides?.(symbol, symbolAt(holderOf(at))) ?? true
}

/** A member of an object is called without an instance too. */
function needsNoInstance(at: Found): boolean {
  const symbol = symbolAt(at)
  if (symbol?.kind !== 'method' || symbol.isStatic) return true
  const { singleton } = languageNamed(at.file.code.language)
  return singleton?.test(symbolAt(holderOf(at))?.signature ?? '') === true
}

/** A call may mean a function outside of the class if no member of it takes the arguments. */
function passedOver(resolution: Resolution, name: string, { file, by, count = -1 }: Where): readonly Meaning[] {
  const around = file.code.symbols[by]
  if (!languageNamed(file.code.language).membersFirst || count < 0 || !around || !isTypeSymbol(around)) return NONE
  return nameIn(resolution, name, { file, by: around.parent, count }).filter(
    each =>
      each.kind === 'symbol' && /^(function|method)$/.test(symbolAt(each.at)?.kind ?? '') && takesCount(each.at, count),
  )
}

/** The overloads of a file's own functions that other files declare beside them. */
function overloadsElsewhere(
  resolution: Resolution,
  own: readonly Found[],
  name: string,
  file: ProjectFile,
): readonly Found[] {
  const { names } = resolution
  const paths = languageNamed(file.code.language).overloadsAcross
  if (!paths) return []
  return names
    .inPackage(names.packageOf(file), name, file)
    .filter(
      each =>
        each.file !== file &&
        paths.test(each.file.path) &&
        isPlain(each) &&
        isOpenTo(each, file) &&
        own.every(one => areOverloads(resolution, one, each)),
    )
}

/** Callable or readable without a receiver. */
const isPlain = (at: Found): boolean => symbolAt(at)?.receiver === undefined

/** Reports whether a file sees a top-level symbol of another one. */
function isOpenTo(at: Found, file: ProjectFile): boolean {
  const symbol = symbolAt(at)
  if (at.file === file || symbol?.kind === 'module') return true
  return !languageNamed(file.code.language).hidesUnexported || symbol?.exported === true
}
