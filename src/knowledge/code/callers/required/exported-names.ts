import type { FileModel, Value } from '../../../../languages/file-model/file-model.ts'
import type { Meaning } from '../../resolve/meaning.ts'
import { namesOf } from '../../resolve/names.ts'
import { isSame, childrenNamed, projectOf, symbolAt } from '../../resolve/project.ts'
import { createResolution } from '../../resolve/resolver.ts'

/** The names under which modules export a symbol; `=` if it is the whole export of a module. */
type ExportedNames = ReadonlyMap<string, ReadonlySet<string>>

/** Resolves a request of a file to a file. */
export type ModuleOf = (from: string, specifier: string) => string | undefined

/** Reports whether a value of a file is the symbol. */
export type IsSymbol = (path: string, value: Value) => boolean

/** Depth limit for variables that hold variables. */
const DEEPEST = 20

/** Returns a test of whether a value is the symbol that a file declares under a name. */
export function symbolFinder(
  codes: Iterable<readonly [path: string, code: FileModel]>,
  moduleOf: ModuleOf,
  target: { readonly path: string; readonly name: string },
): IsSymbol {
  const { files } = projectOf(codes)
  const resolution = createResolution(namesOf({ files }), (from, specifier) =>
    files.get(moduleOf(from.path, specifier) ?? ''),
  )
  const targetFile = files.get(target.path)
  const targets = targetFile ? childrenNamed(targetFile, -1, target.name) : []
  return (path, value) => {
    const file = files.get(path)
    return file !== undefined && resolution.value(value, { file, by: -1 }).some(each => isWanted(each, 0))
  }

  function isWanted(meaning: Meaning, depth: number): boolean {
    if (meaning.kind !== 'symbol' || depth > DEEPEST) return false
    const { at } = meaning
    if (targets.some(each => isSame(each, at))) return true
    const { kind, value } = symbolAt(at) ?? {}
    if (kind !== 'variable' || !value) return false
    return resolution.value(value, { file: at.file, by: -1 }).some(each => isWanted(each, depth + 1))
  }
}

/** The names under which a file exports the symbol: its own, or re-exported from other modules. */
export function exportedNames(
  path: string,
  { exports, stars }: FileModel,
  isIt: IsSymbol,
  namesByModule: ExportedNames,
  moduleOf: ModuleOf,
): ReadonlySet<string> {
  const directNames = exports.flatMap(({ name, value }) => (isIt(path, value) ? [name] : []))
  const starNames = stars.flatMap(star => [...(namesByModule.get(moduleOf(path, star) ?? '') ?? [])])
  return new Set([...directNames, ...starNames.filter(name => name !== 'default' && name !== '=')])
}
