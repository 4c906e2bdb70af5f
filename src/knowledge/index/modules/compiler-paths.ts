import { folderOf, foldersUp, joined } from './folder-paths.ts'
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
        const { maps, folder: written, base, leaf } = whole
        const targets = targetsOf(maps, specifier) ?? []
        const below = [
          ...targets.map(each => placed(each, base ?? written, leaf)),
          ...(base === undefined ? [] : [joined(base, specifier)]),
        ].filter(each => each !== undefined)
        if (below.length === 0) continue
        paths.push(...below)
        settings.push(...whole.settings)
      }
    return { paths, settings }
  }

  function inFolder(folder: string): readonly MergedSettings[] {
    const known = byFolder.get(folder)
    if (known) return known
    const all = ['tsconfig.json', 'jsconfig.json'].flatMap(name => {
      const own = wholeOf(folder + name, folder, new Set())
      if (!own) return []
      if (own.maps.length > 0 || own.base !== undefined) return [own]
      // A file that only lists references leaves names to them.
      const listed = compilerAt(folder + name)?.references ?? []
      return listed.flatMap(each => wholeOf(fileAt(joined(folder, each)), folderAt(folder, each), new Set()) ?? [])
    })
    byFolder.set(folder, all)
    return all
  }

  function wholeOf(path: string | undefined, leaf: string, seen: Set<string>): MergedSettings | undefined {
    const own = path === undefined || seen.has(path) ? undefined : compilerAt(path)
    if (path === undefined || !own) return undefined
    seen.add(path)
    const folder = folderOf(path)
    let taken: MergedSettings = { maps: [], folder, base: undefined, leaf, settings: [] }
    for (const each of own.extends) {
      const above = wholeOf(extended(folder, each), leaf, seen)
      if (above) taken = { ...above, base: above.base ?? taken.base, settings: [...taken.settings, ...above.settings] }
    }
    const base = own.baseUrl === undefined ? undefined : placed(own.baseUrl, folder, leaf)
    return {
      ...taken,
      ...(own.paths && { maps: own.paths, folder }),
      base: base === undefined ? taken.base : base === '' ? '' : `${base}/`,
      settings: [path, ...taken.settings],
    }
  }

  /** Resolves `extends`, also from a package of the workspace. */
  function extended(folder: string, written: string): string | undefined {
    if (/^\.\.?(\/|$)/.test(written)) return fileAt(joined(folder, written))
    const [, name = '', rest = ''] = /^((?:@[^/]+\/)?[^/]+)(?:\/(.*))?$/.exec(written) ?? []
    const manifest = nearestManifest(source, folder, name)
    return manifest === undefined ? undefined : fileAt(joined(folderOf(manifest), rest))
  }

  /** The extension and the file name are optional. */
  function fileAt(path: string | undefined): string | undefined {
    if (path === undefined) return undefined
    const below = path === '' ? 'tsconfig.json' : `${path}/tsconfig.json`
    return [path, `${path}.json`, below].find(each => compilerAt(each))
  }

  function folderAt(folder: string, written: string): string {
    const path = fileAt(joined(folder, written))
    return path === undefined ? folder : folderOf(path)
  }

  function compilerAt(path: string) {
    const settings = source.at(path)
    return settings?.kind === 'compiler' ? settings : undefined
  }
}

const CONFIG_FOLDER = '${configDir}'

const placed = (written: string, folder: string, leaf: string): string | undefined =>
  written.startsWith(CONFIG_FOLDER) ? joined(leaf, written.slice(CONFIG_FOLDER.length)) : joined(folder, written)
