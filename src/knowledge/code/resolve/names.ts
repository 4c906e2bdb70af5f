import { familyOf, languageNamed } from '../../../languages/registry.ts'
import { isPackagePath } from '../../../languages/file-model/path-kind.ts'
import { oncePer } from '../../../kernel/once.ts'
import type { Value } from '../../../languages/file-model/file-model.ts'
import { NO_DEPENDENCIES, type NameDependencies } from './name-dependencies.ts'
import type { Where } from './meaning.ts'
import { OWN_PACKAGES, type Packages } from './packages.ts'
import { holderOf, childrenNamed, symbolAt, type Found, type Project, type ProjectFile } from './project.ts'

/** Symbols of all files of a project by name, per family of languages. */
export interface Names {
  readonly files: readonly ProjectFile[]
  packageOf(file: ProjectFile): string
  /** Top-level symbols of a package. */
  inPackage(name: string, symbol: string, file: ProjectFile): readonly Found[]
  filesOf(name: string, file: ProjectFile): readonly ProjectFile[]
  /** Packages that an import in a file may refer to: of this name, or else with this last part. */
  packages(module: string, file: ProjectFile): readonly string[]
  /** Reports whether a package name begins with this. */
  isPackagePart(name: string, file: ProjectFile): boolean
  /** Top-level symbols of a file. */
  atTop(file: ProjectFile, name: string): readonly Found[]
  /** Extension functions of this name, and methods declared outside of their type. */
  extensions(name: string, file: ProjectFile): readonly Found[]
  /** Members of a module or namespace of this name, in every file that opens it. */
  inModule(module: string, name: string, file: ProjectFile): readonly Found[]
  /** Every function and method of this name. */
  functions(name: string, file: ProjectFile): readonly Found[]
  /** The bases that extensions add to a type of this name. */
  extending(type: string, file: ProjectFile): readonly AddedBase[]
}

/** A base that an extension adds to a type, and the place of that extension. */
interface AddedBase {
  readonly base: Value
  readonly where: Where
}

/** The tables of one family of languages. */
interface Table {
  readonly tops: Map<string, Map<string, Found[]>>
  readonly files: Map<string, ProjectFile[]>
  readonly extensions: Map<string, Found[]>
  readonly functions: Map<string, Found[]>
  readonly extending: Map<string, AddedBase[]>
  /** Packages by the last part of their names. */
  readonly byLast: Map<string, string[]>
  readonly parts: Set<string>
  readonly meant: Map<string, readonly string[]>
}

/** `packages` includes packages of unread files. */
export function namesOf(
  project: Project,
  dependencies: NameDependencies = NO_DEPENDENCIES,
  packages: Packages = OWN_PACKAGES,
): Names {
  const files = [...project.files.values()]
  const packageByFile = new Map<ProjectFile, string>()
  const modulesOf = oncePer(({ code }: ProjectFile) => [
    -1,
    ...code.symbols.flatMap(({ kind }, number) => (kind === 'module' ? number : [])),
  ])
  const tables = new Map<string, Table>()
  for (const file of files) {
    const name = packages.of(file.path, file.code)
    packageByFile.set(file, name)
    enter(tableFor(file), file, name)
  }
  for (const [name, family] of packages.all) addPackage(tableIn(family), name)

  return {
    files,
    packageOf: file => packageByFile.get(file) ?? '',
    inPackage(name, symbol, file) {
      dependencies.declared(symbol)
      return tableFor(file).tops.get(name)?.get(symbol) ?? []
    },
    filesOf: (name, file) => tableFor(file).files.get(name) ?? [],
    packages: (module, file) => packagesFor(tableFor(file), module, file, packageByFile.get(file) ?? ''),
    isPackagePart: (name, file) => tableFor(file).parts.has(name),
    atTop: (file, name) => modulesOf(file).flatMap(parent => childrenNamed(file, parent, name)),
    extensions(name, file) {
      dependencies.declared(name)
      return tableFor(file).extensions.get(name) ?? []
    },
    inModule(module, name, file) {
      dependencies.declared(name)
      const { tops } = tableFor(file)
      return [...tops.values()].flatMap(each => (each.get(name) ?? []).filter(at => isInModule(at, module)))
    },
    functions(name, file) {
      dependencies.declared(name)
      return tableFor(file).functions.get(name) ?? []
    },
    extending(type, file) {
      dependencies.declared(type)
      return tableFor(file).extending.get(type) ?? []
    },
  }

  function tableFor(file: ProjectFile): Table {
    return tableIn(familyOf(file.code.language))
  }

  function tableIn(family: string): Table {
    return entry(tables, family, newTable)
  }
}

const newTable = (): Table => ({
  tops: new Map(),
  files: new Map(),
  extensions: new Map(),
  functions: new Map(),
  extending: new Map(),
  byLast: new Map(),
  parts: new Set(),
  meant: new Map(),
})

function addPackage(table: Table, name: string): Map<string, Found[]> {
  const before = table.tops.get(name)
  if (before) return before
  const symbolsByName = new Map<string, Found[]>()
  table.tops.set(name, symbolsByName)
  entry(table.byLast, lastPart(name), () => []).push(name)
  for (let end = name.length; end > 0; end = name.lastIndexOf('.', end - 1)) table.parts.add(name.slice(0, end))
  return symbolsByName
}

function enter(table: Table, file: ProjectFile, name: string): void {
  const tops = addPackage(table, name)
  entry(table.files, name, () => []).push(file)
  for (const { type, bases } of file.code.extensions ?? [])
    entry(table.extending, type, () => []).push(...bases.map(base => ({ base, where: { file, by: -1 } })))
  for (const [number, symbol] of file.code.symbols.entries()) {
    const at = { file, number }
    if (symbol.kind === 'function' || symbol.kind === 'method') {
      entry(table.functions, symbol.name, () => []).push(at)
      if (symbol.receiver !== undefined) entry(table.extensions, symbol.name, () => []).push(at)
    }
    if (isAtTop(file, symbol.parent)) entry(tops, symbol.name, () => []).push(at)
  }
}

/** Packages of this name; else relative to the folders around the file, innermost first; else by the last part. */
function packagesFor(table: Table, module: string, file: ProjectFile, own: string): readonly string[] {
  const isByFolder = languageNamed(file.code.language).findsModulesByFolder === true
  const dots = isByFolder ? (/^\.+/.exec(module)?.[0].length ?? 0) : 0
  if (dots > 0) {
    const folders = own.split('.').slice(0, own === '' ? 0 : undefined)
    const up = isPackagePath(file.path) ? dots - 1 : dots
    const whole = [...folders.slice(0, folders.length - up), module.slice(dots)].filter(each => each !== '').join('.')
    return table.parts.has(whole) ? [whole] : []
  }
  const key = isByFolder ? `${own} ${module}` : module
  const before = table.meant.get(key)
  if (before) return before
  const packageNames = search()
  table.meant.set(key, packageNames)
  return packageNames

  function search(): readonly string[] {
    if (table.tops.has(module)) return [module]
    if (module === '') return []
    if (isByFolder)
      for (let end = own.lastIndexOf('.'); end > 0; end = own.lastIndexOf('.', end - 1)) {
        const near = `${own.slice(0, end)}.${module}`
        // A package folder is not on the module search path.
        if (table.parts.has(near) && !table.files.has(own.slice(0, end))) return [near]
      }
    const namesakes = table.byLast.get(lastPart(module)) ?? []
    const endings = namesakes.filter(each => each.endsWith(`.${module}`))
    if (isByFolder) {
      const roots = endings.filter(each => !table.files.has(each.slice(0, -module.length - 1)))
      return roots.length === 1 ? roots : []
    }
    return endings.length > 0 ? endings : namesakes.filter(each => each !== '' && module.endsWith(`.${each}`))
  }
}

/** Modules open no scope of their own. */
const isAtTop = ({ code }: ProjectFile, parent: number): boolean =>
  parent === -1 || code.symbols[parent]?.kind === 'module'

function isInModule(at: Found, module: string): boolean {
  const around = symbolAt(holderOf(at))
  return around?.kind === 'module' && lastPart(around.name) === module
}

const lastPart = (name: string): string => name.replace(/^.*(::|\.|\\)/, '')

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const before = map.get(key)
  if (before !== undefined) return before
  const value = make()
  map.set(key, value)
  return value
}
