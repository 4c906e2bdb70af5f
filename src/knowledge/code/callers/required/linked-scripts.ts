import { isBuiltin } from 'node:module'
import { isComponentFile } from '../../../../languages/registry.ts'
import { once, oncePer } from '../../../../kernel/once.ts'
import { folderOf, foldersUp } from '../../../../languages/javascript/modules/folder-paths.ts'
import type { CodeParts } from '../../code-parts.ts'
import {
  builtPackages,
  isBuiltPath,
  packageName,
  type BuiltPackages,
} from '../../../../languages/javascript/modules/built-packages.ts'
import { moduleFinder } from '../../../../languages/javascript/modules/module-finder.ts'
import { visibleText } from '../../visible-text.ts'
import type { ModuleOf } from './exported-names.ts'
import { scriptRequests } from './script-requests.ts'

/** The import graph of the workspace's scripts. */
export interface LinkedScripts {
  readonly moduleOf: ModuleOf
  /** Files with requests that no server follows, and their targets. */
  readonly requirers: ReadonlyMap<string, readonly string[]>
  /** Files with unresolved requests for this file's package. */
  lost(path: string): readonly string[]
  /** The possible sources of a built file; undefined if it is source. */
  sourcesOf(path: string): readonly string[] | undefined
  /** Texts of components by path: they may use names that they do not import. */
  readonly components: ReadonlyMap<string, string>
  importersOf(path: string): readonly string[]
}

/** Reads them on the first call only. */
export type Scripts = () => Promise<LinkedScripts>

export const scriptsOf = (parts: CodeParts): Scripts => once(() => linkScripts(parts))

async function linkScripts(parts: CodeParts): Promise<LinkedScripts> {
  const { requests, configs } = await scriptRequests(parts)
  const components = new Map(
    [...requests.keys()]
      .filter(isComponentFile)
      .map(path => [path, visibleText(parts.root, parts.staging, path) ?? '']),
  )
  const has = (file: string) => requests.has(file)
  const packages = builtPackages(has, configs)
  const isUnfollowed = unfollowedIn(parts, packages)
  const unfollowedRequests = new Map(
    [...requests].flatMap(([path, { required, named }]) => {
      const all = [...required, ...named.filter(each => isUnfollowed(path, each))]
      return all.some(isOurs) ? [[path, all] as const] : []
    }),
  )
  const anywhere = moduleFinder(has, configs)
  const inSource = moduleFinder(file => has(file) && !isBuiltPath(file), configs)
  const moduleOf: ModuleOf = (from, specifier) =>
    (packages.folderOf(from, specifier) === undefined ? undefined : inSource(from, specifier)) ??
    anywhere(from, specifier)
  const modulesIn = (path: string, specifiers: readonly string[]) => [
    ...new Set(specifiers.flatMap(each => moduleOf(path, each) ?? [])),
  ]
  const requirers = new Map<string, readonly string[]>()
  for (const [path, specifiers] of unfollowedRequests) {
    const modules = modulesIn(path, specifiers)
    if (modules.length > 0) requirers.set(path, modules)
  }
  const importers = once(importersIn)
  return {
    moduleOf,
    requirers,
    lost: filesMissing,
    components,
    sourcesOf: packages.sourcesOf,
    importersOf: path => importers().get(path) ?? [],
  }

  function filesMissing(path: string): readonly string[] {
    const isLost = (from: string, specifier: string) =>
      path.startsWith(packages.folderOf(from, specifier) ?? '\0') && moduleOf(from, specifier) === undefined
    return [...unfollowedRequests].flatMap(([from, all]) => (all.some(each => isLost(from, each)) ? [from] : []))
  }

  function importersIn(): ReadonlyMap<string, readonly string[]> {
    const links = [...requests].flatMap(([path, { all }]) => modulesIn(path, all).map(module => ({ path, module })))
    const linksByModule = Map.groupBy(links, ({ module }) => module)
    return new Map([...linksByModule].map(([module, all]) => [module, all.map(({ path }) => path)]))
  }
}

/** Not a built-in module. */
const isOurs = (specifier: string): boolean => !isBuiltin(specifier)

/** Reports whether a server resolves a workspace package to something else than its source. */
function unfollowedIn({ root, staging }: CodeParts, packages: BuiltPackages) {
  /** Reports whether the package is installed for files of the folder. */
  const isLinked = oncePer(
    ({ folder, name }: { folder: string; name: string }) =>
      [...foldersUp(folder)].some(
        each => visibleText(root, staging, `${each}node_modules/${name}/package.json`) !== undefined,
      ),
    ({ folder, name }) => `${folder}\0${name}`,
  )
  return (from: string, specifier: string): boolean => {
    if (packages.folderOf(from, specifier) === undefined) return false
    if (packages.isBuilt(from, specifier)) return true
    return packages.isInstalled(from, specifier) && !isLinked({ folder: folderOf(from), name: packageName(specifier) })
  }
}
