import { isRelative, unwrittenFiles, writtenFiles } from './candidates.ts'
import { compilerPaths } from './compiler-paths.ts'
import { folderOf, foldersUp, joinPath } from './folder-paths.ts'
import { isData, jsonData, type JsonData } from './json-text.ts'
import { targetsOf } from './mapped-names.ts'
import { moduleSettings, type PackageSettings } from './module-settings.ts'
import { targetFiles } from './package-files.ts'
import { nearestManifest, settingsIn } from './settings-source.ts'
import type { ConfigFile } from './module-finder.ts'

/** Facts about workspace packages that other packages import by name. */
export interface BuiltPackages {
  /** The folder of the workspace package that a specifier refers to. */
  folderOf(from: string, specifier: string): string | undefined
  /** Reports whether a compiler resolves a specifier to the last build, or to nothing, instead of the source. */
  isBuilt(from: string, specifier: string): boolean
  /** Reports whether a compiler finds the package only if it is installed. */
  isInstalled(from: string, specifier: string): boolean
  /** The possible sources of a built file; undefined if it is not built. */
  sourcesOf(path: string): readonly string[] | undefined
}

/** Folders of built files. Source may be there too, if no other file could be its source. */
const BUILT = /(?:^|\/)(?:dist|lib|build|out)\//

export const isBuiltPath = (path: string): boolean => BUILT.test(path)

/** `has` tells which files are in the tree, which mostly lacks built files. */
export function builtPackages(has: (path: string) => boolean, configs: readonly ConfigFile[]): BuiltPackages {
  const data = new Map(configs.map(({ path, text }) => [path, jsonData(text) ?? {}]))
  const conditions = [...data.values()].flatMap(each => conditionsOf(each))
  const settings = new Map(
    [...data].flatMap(([path, each]) => {
      const parsedSettings = moduleSettings(path, JSON.stringify(compilerManifest(each, conditions)))
      return parsedSettings ? [[path, parsedSettings] as const] : []
    }),
  )
  const source = settingsIn(settings)
  const pathMapping = compilerPaths(source)
  const builtByKey = new Map<string, boolean>()

  return {
    folderOf(from, specifier) {
      const path = manifestOf(from, specifier)
      return path === undefined ? undefined : folderOf(path)
    },
    isBuilt(from, specifier) {
      const path = manifestOf(from, specifier)
      if (path === undefined) return false
      const key = `${folderOf(from)}\0${specifier}`
      const before = builtByKey.get(key)
      if (before !== undefined) return before
      const isIt = !isMapped(from, specifier) && !isReferred(from, folderOf(path)) && !isSource(path, specifier)
      builtByKey.set(key, isIt)
      return isIt
    },
    isInstalled(from, specifier) {
      const path = manifestOf(from, specifier)
      return path !== undefined && packageAround(from) !== folderOf(path) && !isMapped(from, specifier)
    },
    sourcesOf,
  }

  function manifestOf(from: string, specifier: string): string | undefined {
    if (isRelative(specifier) || /^(\/|#|[a-z]+:)/i.test(specifier)) return undefined
    return nearestManifest(source, from, packageName(specifier))
  }

  function sourcesOf(path: string): readonly string[] | undefined {
    if (/(?:^|\/)node_modules\//.test(path) || (has(path) && !BUILT.test(path))) return undefined
    const folder = packageAround(path) ?? ''
    const sourceFiles = targetFiles(folder, path.slice(folder.length), false).filter(
      each => has(each) && !BUILT.test(each),
    )
    return has(path) && sourceFiles.length === 0 ? undefined : sourceFiles
  }

  /** The folder of the package around a file. */
  function packageAround(path: string): string | undefined {
    return [...foldersUp(folderOf(path))].find(folder => settings.has(`${folder}package.json`))
  }

  /** By `paths` of a compiler, which lead to files. */
  function isMapped(from: string, specifier: string): boolean {
    return pathMapping(from, specifier).paths.some(path => firstOf(path) !== undefined)
  }

  /** Reports whether the file that a compiler resolves the name to is source. */
  function isSource(manifest: string, specifier: string): boolean {
    const packageSettings = settings.get(manifest)
    if (packageSettings?.kind !== 'package') return false
    const folder = folderOf(manifest)
    const [target] = targetsFor(packageSettings, specifier.slice(packageName(specifier).length))
    const path = target === undefined ? undefined : joinPath(folder, target)
    const file = path === undefined ? undefined : firstOf(path)
    return file !== undefined && sourcesOf(file) === undefined
  }

  function firstOf(path: string): string | undefined {
    return [...writtenFiles(path, false), ...unwrittenFiles(path, false)].find(has)
  }

  /** Reports whether a file's settings reference a package as a project, whose source is then read; also its own. */
  function isReferred(from: string, folder: string): boolean {
    const open = nearestSettings(from)
    if (packageAround(from) === folder && open.some(path => hasOutput(data.get(path)))) return true
    const visitedConfigs = new Set<string>()
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      const compilerSettings = settings.get(path)
      if (compilerSettings?.kind !== 'compiler' || visitedConfigs.has(path)) continue
      if (visitedConfigs.size > 0 && packageAround(path) === folder) return true
      visitedConfigs.add(path)
      for (const each of compilerSettings.references) {
        const place = joinPath(folderOf(path), each)
        if (place !== undefined) open.push(place, `${place}/tsconfig.json`)
      }
    }
    return false
  }

  function nearestSettings(from: string): string[] {
    for (const folder of foldersUp(folderOf(from))) {
      const there = [...settings].flatMap(([path, { kind }]) =>
        kind === 'compiler' && folderOf(path) === folder ? [path] : [],
      )
      if (there.length > 0) return there
    }
    return []
  }
}

/** The package name in a module specifier. */
export const packageName = (specifier: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ''

function targetsFor({ exports, main }: PackageSettings, below: string): readonly string[] {
  const targets = targetsOf(exports, `.${below}`)
  if (targets || exports.length > 0) return targets ?? []
  return below === '' ? [...main, 'index'] : [below]
}

const conditionsOf = ({ compilerOptions }: JsonData): readonly string[] => {
  const customConditions = isData(compilerOptions) ? compilerOptions['customConditions'] : undefined
  return Array.isArray(customConditions) ? customConditions.filter(each => typeof each === 'string') : []
}

const hasOutput = (data: JsonData | undefined): boolean =>
  isData(data?.['compilerOptions']) && typeof data['compilerOptions']['outDir'] === 'string'

const CONDITIONS = new Set(['types', 'import', 'require', 'node', 'default', 'module-sync'])

/** A manifest without fields that compilers ignore, unless their settings add a condition. */
function compilerManifest(data: JsonData, own: readonly string[]): JsonData {
  const { source: _, module: __, exports, ...rest } = data
  return { ...rest, ...(exports !== undefined && { exports: visibleExports(exports) }) }

  function visibleExports(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(visibleExports)
    if (!isData(value)) return value
    const condition = own.find(each => Object.hasOwn(value, each))
    if (condition !== undefined) return visibleExports(value[condition])
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => key.startsWith('.') || CONDITIONS.has(key) || key.startsWith('types@'))
        .map(([key, each]) => [key, visibleExports(each)]),
    )
  }
}
