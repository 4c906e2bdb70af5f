import { folderOf, foldersUp, joinPath } from './folder-paths.ts'
import { targetsOf, type Mapped } from './mapped-names.ts'
import { nearestManifest, type SettingsSource } from './settings-source.ts'

/** Places where compiler settings look for a name. */
interface CompilerPlaces {
  /** Paths in the workspace; extensions are optional. */
  readonly paths: readonly string[]
  /** The settings files that name them. */
  readonly settings: readonly string[]
}

/** Settings merged with those they extend. */
interface MergedSettings {
  readonly maps: readonly Mapped[]
  /** Folder of the file that defines `maps`. */
  readonly folder: string
  readonly base: string | undefined
  /** The settings file in force; it may lie elsewhere than those it extends. */
  readonly leaf: string
  readonly settings: readonly string[]
}

/** Resolves a name by `paths` and `baseUrl` of the settings above a file, the nearest first. */
export function compilerPaths(source: SettingsSource): (from: string, specifier: string) => CompilerPlaces {
  const byFolder = new Map<string, readonly MergedSettings[]>()
  return (from, specifier) => {
    const paths: string[] = []
    const settings: string[] = []
    for (const folder of foldersUp(folderOf(from)))
      for (const whole of inFolder(folder)) {
        const { maps, folder: mapFolder, base, leaf } = whole
        const targets = targetsOf(maps, specifier) ?? []
        const below = [
          ...targets.map(each => pathFrom(each, base ?? mapFolder, leaf)),
          ...(base === undefined ? [] : [joinPath(base, specifier)]),
        ].filter(each => each !== undefined)
        if (below.length === 0) continue
        paths.push(...below)
        settings.push(...whole.settings)
      }
    return { paths, settings }
  }

  function inFolder(folder: string): readonly MergedSettings[] {
    const cachedSettings = byFolder.get(folder)
    if (cachedSettings) return cachedSettings
    const all = ['tsconfig.json', 'jsconfig.json'].flatMap(name => {
      const folderSettings = wholeOf(folder + name, folder, new Set())
      if (!folderSettings) return []
      if (folderSettings.maps.length > 0 || folderSettings.base !== undefined) return [folderSettings]
      // A file that only lists references leaves names to them.
      const references = compilerAt(folder + name)?.references ?? []
      return references.flatMap(
        each => wholeOf(fileAt(joinPath(folder, each)), folderAt(folder, each), new Set()) ?? [],
      )
    })
    byFolder.set(folder, all)
    return all
  }

  function wholeOf(path: string | undefined, leaf: string, seen: Set<string>): MergedSettings | undefined {
    const ownSettings = path === undefined || seen.has(path) ? undefined : compilerAt(path)
    if (path === undefined || !ownSettings) return undefined
    seen.add(path)
    const folder = folderOf(path)
    let mergedSettings: MergedSettings = { maps: [], folder, base: undefined, leaf, settings: [] }
    for (const each of ownSettings.extends) {
      const above = wholeOf(baseConfigFile(folder, each), leaf, seen)
      if (above)
        mergedSettings = {
          ...above,
          base: above.base ?? mergedSettings.base,
          settings: [...mergedSettings.settings, ...above.settings],
        }
    }
    const base = ownSettings.baseUrl === undefined ? undefined : pathFrom(ownSettings.baseUrl, folder, leaf)
    return {
      ...mergedSettings,
      ...(ownSettings.paths && { maps: ownSettings.paths, folder }),
      base: base === undefined ? mergedSettings.base : base === '' ? '' : `${base}/`,
      settings: [path, ...mergedSettings.settings],
    }
  }

  /** Resolves `extends`, also from a package of the workspace. */
  function baseConfigFile(folder: string, written: string): string | undefined {
    if (/^\.\.?(\/|$)/.test(written)) return fileAt(joinPath(folder, written))
    const [, name = '', rest = ''] = /^((?:@[^/]+\/)?[^/]+)(?:\/(.*))?$/.exec(written) ?? []
    const manifest = nearestManifest(source, folder, name)
    return manifest === undefined ? undefined : fileAt(joinPath(folderOf(manifest), rest))
  }

  /** The extension and the file name are optional. */
  function fileAt(path: string | undefined): string | undefined {
    if (path === undefined) return undefined
    const below = path === '' ? 'tsconfig.json' : `${path}/tsconfig.json`
    return [path, `${path}.json`, below].find(each => compilerAt(each))
  }

  function folderAt(folder: string, written: string): string {
    const path = fileAt(joinPath(folder, written))
    return path === undefined ? folder : folderOf(path)
  }

  function compilerAt(path: string) {
    const settings = source.at(path)
    return settings?.kind === 'compiler' ? settings : undefined
  }
}

const CONFIG_FOLDER = '${configDir}'

const pathFrom = (written: string, folder: string, leaf: string): string | undefined =>
  written.startsWith(CONFIG_FOLDER) ? joinPath(leaf, written.slice(CONFIG_FOLDER.length)) : joinPath(folder, written)
