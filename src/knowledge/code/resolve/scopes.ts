import { isScript, seesMembers } from './family.ts'
import { importedBy, insideOf } from './imports.ts'
import type { Meaning, Where } from './meaning.ts'
import { inherited } from './members.ts'
import { fits, isType, isTypeSymbol, named, symbolAt, type Found, type ProjectFile } from './project.ts'
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
  for (let at = by; at >= 0; at = file.code.symbols[at]?.parent ?? -1) {
    const found = inScope(resolution, { file, number: at }, name)
    if (found.some(each => each.kind !== 'symbol' || fits(each.at, count)))
      return [...found, ...passedOver(resolution, name, { file, by: at, count })]
    if (other.length === 0) other = found
  }
  const own = names.atTop(file, name).filter(isPlain)
  if (own.some(each => fits(each, count)))
    return asSymbols(resolution, [...own, ...overloadsElsewhere(resolution, own, name, file)])
  const imports = file.code.imports.filter(each => each.local === name)
  const imported = imports.flatMap(each => importedBy(resolution, each, file))
  if (imported.length > 0) return imported
  // Imported from outside: no symbol of the same name in the package is meant.
  if (imports.length > 0) return [meanings.outside(name, { file, by: -1 })]
  const beside = names
    .inPackage(names.packageOf(file), name, file)
    .filter(each => isPlain(each) && isOpenTo(each, file))
  if (beside.length > 0) return asSymbols(resolution, beside)
  const starred = file.code.imports.filter(each => each.name === '*' && each.local === '')
  const through = starred.flatMap(each => insideOf(resolution, each.module, name, file))
  if (through.length > 0) return through
  if (own.length > 0 || other.length > 0) return [...other, ...asSymbols(resolution, own)]
  return names.isPackagePart(name, file) ? [meanings.package(name, file)] : NONE
}

function inScope(resolution: Resolution, at: Found, name: string): readonly Meaning[] {
  const symbol = symbolAt(at)
  if (!symbol) return NONE
  const isOpen = seesMembers(at.file.code.language)
  if (isType(at)) return isOpen ? inherited(resolution, at, name, false) : NONE
  const own = named(at.file, at.number, name)
  const isOutside = symbol.receiver === undefined || at.file.code.language === 'csharp'
  if (own.length > 0 || isOutside || !isOpen) return asSymbols(resolution, own)
  // An extension, or a method outside of its type, sees that type's members.
  return resolution.names
    .inPackage(resolution.names.packageOf(at.file), symbol.receiver, at.file)
    .filter(isType)
    .flatMap(each => inherited(resolution, each, name, false))
}

/** In Kotlin a call means a function outside of the class if no member of it takes the arguments. */
function passedOver(resolution: Resolution, name: string, { file, by, count = -1 }: Where): readonly Meaning[] {
  const around = file.code.symbols[by]
  if (file.code.language !== 'kotlin' || count < 0 || !around || !isTypeSymbol(around)) return NONE
  return nameIn(resolution, name, { file, by: around.parent, count }).filter(
    each => each.kind === 'symbol' && /^(function|method)$/.test(symbolAt(each.at)?.kind ?? '') && fits(each.at, count),
  )
}

/** Languages in which a function of a file may have overloads in others. */
const ACROSS_FILES: Readonly<Record<string, RegExp>> = {
  kotlin: /./,
  swift: /./,
  cpp: /\.(h|hh|hpp|hxx)$/,
}

/** The overloads of a file's own functions that other files declare beside them. */
function overloadsElsewhere(
  resolution: Resolution,
  own: readonly Found[],
  name: string,
  file: ProjectFile,
): readonly Found[] {
  const { names } = resolution
  const paths = ACROSS_FILES[file.code.language]
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

/** Reports whether a file sees a top-level symbol of another one: not a static one of C or a private one of Swift. */
function isOpenTo(at: Found, file: ProjectFile): boolean {
  const symbol = symbolAt(at)
  if (at.file === file || symbol?.kind === 'module') return true
  return !/^(c|cpp|swift)$/.test(file.code.language) || symbol?.exported === true
}
