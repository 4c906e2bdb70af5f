import { languageNamed } from '../../../languages/registry.ts'
import type { Declaration, FileModel } from '../../../languages/file-model/file-model.ts'

/** A file's model with lookup tables. */
export interface ProjectFile {
  readonly path: string
  readonly code: FileModel
  /** Child symbols by the number of their parent; -1 for the file. */
  readonly inside: ReadonlyMap<number, readonly number[]>
}

/** All files of a graph. */
export interface Project {
  readonly files: ReadonlyMap<string, ProjectFile>
}

/** A symbol of some file. */
export interface Found {
  readonly file: ProjectFile
  readonly number: number
}

/** Reuses unchanged files of `before`. */
export function projectOf(codes: Iterable<readonly [path: string, code: FileModel]>, before?: Project): Project {
  const files = new Map<string, ProjectFile>()
  for (const [path, code] of codes) {
    const previous = before?.files.get(path)
    files.set(path, previous?.code === code ? previous : { path, code, inside: insideOf(code.symbols) })
  }
  return { files }
}

const insideOf = (symbols: readonly Declaration[]): ReadonlyMap<number, readonly number[]> =>
  Map.groupBy(symbols.keys(), number => symbols[number]?.parent ?? -1)

export const symbolAt = ({ file, number }: Found): Declaration | undefined => file.code.symbols[number]

/** The enclosing symbol; number -1 for the file. */
export const holderOf = ({ file, number }: Found): Found => ({ file, number: file.code.symbols[number]?.parent ?? -1 })

/** The symbol and those around it, the innermost first. */
export function ancestry(at: Found): readonly Declaration[] {
  const declarations: Declaration[] = []
  for (let symbol = symbolAt(at); symbol; symbol = at.file.code.symbols[symbol.parent]) declarations.push(symbol)
  return declarations
}

/**
 * Reports whether it is a companion object, whose members are called on the class; it may have a name of its
 * own.
 */
export const isCompanion = (at: Found): boolean =>
  languageNamed(at.file.code.language).companion?.test(symbolAt(at)?.signature ?? '') === true

/** Fewer symbols are searched one by one. */
const MANY = 12
const byName = new WeakMap<ProjectFile, Map<number, ReadonlyMap<string, readonly Found[]>>>()

/** The child symbols of this name. */
export function childrenNamed(file: ProjectFile, parent: number, name: string): readonly Found[] {
  const inside = file.inside.get(parent) ?? []
  if (inside.length >= MANY) return namesIn(file, parent, inside).get(name) ?? []
  return inside.flatMap(number => (file.code.symbols[number]?.name === name ? [{ file, number }] : []))
}

function namesIn(file: ProjectFile, parent: number, inside: readonly number[]): ReadonlyMap<string, readonly Found[]> {
  const all = byName.get(file) ?? new Map<number, ReadonlyMap<string, readonly Found[]>>()
  byName.set(file, all)
  const cachedNames = all.get(parent)
  if (cachedNames) return cachedNames
  const names = Map.groupBy(
    inside.map(number => ({ file, number })),
    each => symbolAt(each)?.name ?? '',
  )
  all.set(parent, names)
  return names
}

const TYPE = /^(class|interface|enum|type)$/

export const isTypeSymbol = ({ kind }: Declaration): boolean => TYPE.test(kind)

export const isType = (at: Found): boolean => TYPE.test(symbolAt(at)?.kind ?? '')

export const isSame = (one: Found, other: Found): boolean => one.file === other.file && one.number === other.number

/** Reports whether a method outside of any type is in the same namespace as a type. */
export function isBeside(method: Found, type: Found): boolean {
  const namespace = namespaceOf(method)
  return namespace !== undefined && namespace === namespaceOf(type)
}

/** The modules around it; undefined if something else is around it. */
function namespaceOf(at: Found): string | undefined {
  const around = ancestry(holderOf(at))
  return around.every(({ kind }) => kind === 'module') ? dottedPath(around) : undefined
}

/** The dotted names of nested symbols, the outermost first. */
export const dottedPath = (all: readonly Declaration[]): string =>
  all
    .flatMap(({ name }) => (name === '' ? [] : [name]))
    .toReversed()
    .join('.')

const CALLED = /^(function|method|class|interface|enum)$/

/** Reports whether a call with this many arguments can run it; -1 for an unknown count. */
export function takesCount(at: Found, count: number): boolean {
  const symbol = symbolAt(at)
  if (!symbol?.arity || count < 0 || !CALLED.test(symbol.kind)) return true
  const [least, most] = symbol.arity
  return count >= least && (most === null || count <= most)
}
