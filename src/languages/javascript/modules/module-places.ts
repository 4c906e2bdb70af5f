import { candidates, isRelative, isScript, meantFiles } from './candidates.ts'
import { compilerPaths } from './compiler-paths.ts'
import { folderOf, foldersUp } from './folder-paths.ts'
import { targetsOf } from './mapped-names.ts'
import type { PackageSettings } from './module-settings.ts'
import { packageFiles, targetFiles } from './package-files.ts'
import { nearestManifest, type SettingsSource } from './settings-source.ts'

/** Possible locations of a module. */
interface Places {
  /** In lookup order. */
  readonly files: Iterable<string>
  /** The settings of the workspace that name them. */
  readonly settings: readonly string[]
}

export type ModulePlaces = (from: string, specifier: string) => Places

/**
 * Returns the files of the workspace that a specifier may mean in a file: by relative path, or by settings of packages
 * and compilers.
 */
export function modulePlaces(source: SettingsSource): ModulePlaces {
  const compiler = compilerPaths(source)
  return (from, specifier) => {
    if (isRelative(specifier))
      return { files: { [Symbol.iterator]: () => candidates(from, specifier) }, settings: NOWHERE.settings }
    // A URL, or a module of the platform.
    if (/^(\/|[a-z]+:)/i.test(specifier)) return NOWHERE
    const importPlaces = specifier.startsWith('#') ? placesOfImport(from, specifier) : NOWHERE
    const compilerPlaces = compiler(from, specifier)
    const packagePlaces = specifier.startsWith('#') ? NOWHERE : ofPackage(from, specifier)
    const files = compilerPlaces.paths.flatMap(path => [...meantFiles(path, isScript(from))])
    return {
      files: [...new Set([...importPlaces.files, ...files, ...packagePlaces.files])],
      settings: [...new Set([...importPlaces.settings, ...compilerPlaces.settings, ...packagePlaces.settings])],
    }
  }

  /** Resolves `#name`, which only the file's own package defines. */
  function placesOfImport(from: string, specifier: string): Places {
    for (const folder of foldersUp(folderOf(from))) {
      const path = `${folder}package.json`
      const settings = packageAt(path)
      if (!settings) continue
      const parts = (targetsOf(settings.imports, specifier) ?? []).map(each =>
        isRelative(each)
          ? { files: targetFiles(folder, each, isScript(from)), settings: [] }
          : each.startsWith('#')
            ? NOWHERE
            : ofPackage(from, each),
      )
      return {
        files: parts.flatMap(each => [...each.files]),
        settings: [path, ...parts.flatMap(each => each.settings)],
      }
    }
    return NOWHERE
  }

  function ofPackage(from: string, specifier: string): Places {
    const [, name = '', below = ''] = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(specifier) ?? []
    const path = nearestManifest(source, from, name)
    const settings = path === undefined ? undefined : packageAt(path)
    if (path === undefined || !settings) return NOWHERE
    return { files: packageFiles(folderOf(path), settings, below, isScript(from)), settings: [path] }
  }

  function packageAt(path: string): PackageSettings | undefined {
    const settings = source.at(path)
    return settings?.kind === 'package' ? settings : undefined
  }
}

const NOWHERE: Places = { files: [], settings: [] }
