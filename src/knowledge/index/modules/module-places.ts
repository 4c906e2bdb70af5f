import { candidates, isRelative, isScript, meantFiles } from './candidates.ts'
import { compilerPaths } from './compiler-paths.ts'
import { folderOf, foldersUp } from './joined.ts'
import { targetsOf } from './mapped-names.ts'
import type { PackageSettings } from './module-settings.ts'
import { packageFiles, targetFiles } from './package-files.ts'
import { nearestManifest, type SettingsSource } from './settings-source.ts'

/** Where a module may be found. */
interface Places {
  /** In the order in which they are looked for. */
  readonly files: Iterable<string>
  /** The settings of the workspace that say so. */
  readonly settings: readonly string[]
}

export type ModulePlaces = (from: string, specifier: string) => Places

/** Which files of the workspace a specifier may mean in a file: by a relative path, or by the settings of packages and compilers. */
export function modulePlaces(source: SettingsSource): ModulePlaces {
  const compiler = compilerPaths(source)
  return (from, specifier) => {
    if (isRelative(specifier))
      return { files: { [Symbol.iterator]: () => candidates(from, specifier) }, settings: NOWHERE.settings }
    // An address, or a module of the platform.
    if (/^(\/|[a-z]+:)/i.test(specifier)) return NOWHERE
    const own = specifier.startsWith('#') ? imported(from, specifier) : NOWHERE
    const mapped = compiler(from, specifier)
    const packaged = specifier.startsWith('#') ? NOWHERE : ofPackage(from, specifier)
    const files = mapped.paths.flatMap(path => [...meantFiles(path, isScript(from))])
    return {
      files: [...new Set([...own.files, ...files, ...packaged.files])],
      settings: [...new Set([...own.settings, ...mapped.settings, ...packaged.settings])],
    }
  }

  /** `#name`, which is known to the package of the file alone. */
  function imported(from: string, specifier: string): Places {
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
