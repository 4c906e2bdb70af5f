import { named, type Found, type Project, type ProjectFile } from '../graph/resolve/project.ts'
import { NOBODY, type AskedNames } from './asked-names.ts'
import { facadeOf, familyOf } from './family.ts'
import { isType } from './meaning-words.ts'
import { OWN_PACKAGES, type Packages } from './packages.ts'

/** What is looked up by name in all files of one family of languages. */
export interface Tables {
  readonly files: readonly ProjectFile[]
  packageOf(file: ProjectFile): string
  /** What stands outside of any class in a package. */
  inPackage(name: string, symbol: string): readonly Found[]
  /** Packages that an import may mean: of this name, or else those whose name ends so. */
  packages(name: string): readonly string[]
  isPackagePart(name: string): boolean
  /** Whether Java sees a file of Kotlin as a class of this name, which is taken for a package. */
  isFacade(name: string): boolean
  /** What stands outside of any class in a file. */
  atTop(file: ProjectFile, name: string): readonly Found[]
  /** Functions of this name that extend a type, or are its methods without standing in it. */
  extensions(name: string): readonly Found[]
  /** What stands in a module or namespace of this name, in whatever file that is opened. */
  inModule(module: string, name: string): readonly Found[]
  /** Whether any file has a type of this name outside of others. */
  isTypeSomewhere(name: string): boolean
  /** Every function and method of this name. */
  functions(name: string): readonly Found[]
}

/** `packages` are those of files that are not read as well. */
export function tablesOf(
  project: Project,
  family: string,
  asked: AskedNames = NOBODY,
  packages: Packages = OWN_PACKAGES,
): Tables {
  const files = [...project.files.values()].filter(({ code }) => familyOf(code.language) === family)
  const names = new Map(files.map(file => [file, packages.of(file.path, file.code)]))
  const tops = new Map<string, Map<string, Found[]>>()
  for (const name of packages.all) tops.set(name, new Map())
  const facades = new Set<string>()
  const extensions = new Map<string, Found[]>()
  const functions = new Map<string, Found[]>()
  for (const file of files) {
    const own = entry(tops, names.get(file) ?? '', () => new Map<string, Found[]>())
    const facade = facadeOf(file, names.get(file) ?? '')
    if (facade !== undefined) facades.add(facade)
    const seen = facade === undefined ? undefined : entry(tops, facade, () => new Map<string, Found[]>())
    for (const [number, symbol] of file.code.symbols.entries()) {
      const found = { file, number }
      const isFunction = symbol.kind === 'function' || symbol.kind === 'method'
      if (isFunction) entry(functions, symbol.name, () => []).push(found)
      if (isFunction && symbol.receiver !== undefined) entry(extensions, symbol.name, () => []).push(found)
      if (isAtTop(file, symbol.parent)) entry(own, symbol.name, () => []).push(found)
      if (seen && symbol.parent === -1 && isFunction) entry(seen, symbol.name, () => []).push(found)
    }
  }
  const inSpace = (at: Found, module: string): boolean => {
    const symbol = at.file.code.symbols[at.file.code.symbols[at.number]?.parent ?? -1]
    return symbol?.kind === 'module' && lastPart(symbol.name) === module
  }
  return {
    files,
    inModule(module, name) {
      asked.declared(name)
      return [...tops.values()].flatMap(each => (each.get(name) ?? []).filter(at => inSpace(at, module)))
    },
    packageOf: file => names.get(file) ?? '',
    inPackage(name, symbol) {
      asked.declared(symbol)
      return tops.get(name)?.get(symbol) ?? []
    },
    packages(name) {
      if (tops.has(name)) return [name]
      return name === '' ? [] : [...tops.keys()].filter(each => endsWithParts(each, name) || endsWithParts(name, each))
    },
    isFacade: name => facades.has(name),
    isPackagePart: name => [...tops.keys()].some(each => each === name || each.startsWith(`${name}.`)),
    atTop: (file, name) => [-1, ...modulesOf(file)].flatMap(parent => named(file, parent, name)),
    extensions(name) {
      asked.declared(name)
      return extensions.get(name) ?? []
    },
    functions(name) {
      asked.declared(name)
      return functions.get(name) ?? []
    },
    isTypeSomewhere(name) {
      asked.declared(name)
      return [...tops.values()].some(each => each.get(name)?.some(isType) === true)
    },
  }
}

/** Names that modules lend are no scope of their own. */
const isAtTop = ({ code }: ProjectFile, parent: number): boolean =>
  parent === -1 || code.symbols[parent]?.kind === 'module'

const modulesOf = ({ code }: ProjectFile): readonly number[] =>
  code.symbols.flatMap(({ kind }, number) => (kind === 'module' ? number : []))

const lastPart = (name: string): string => name.replace(/^.*(::|\.|\\)/, '')

const endsWithParts = (name: string, end: string): boolean => end !== '' && name.endsWith(`.${end}`)

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const before = map.get(key)
  if (before !== undefined) return before
  const made = make()
  map.set(key, made)
  return made
}
