import type { ModuleSettings } from './module-settings.ts'

/** The settings of a workspace. */
export interface SettingsSource {
  at(path: string): ModuleSettings | undefined
  /** Returns the package.json files of packages with this name. */
  named(name: string): readonly string[]
}

/** Creates a source from settings in memory. */
export function settingsIn(all: ReadonlyMap<string, ModuleSettings>): SettingsSource {
  const byName = new Map<string, string[]>()
  for (const [path, settings] of all) {
    if (settings.kind !== 'package' || settings.name === undefined) continue
    const there = byName.get(settings.name)
    if (there) there.push(path)
    else byName.set(settings.name, [path])
  }
  return { at: path => all.get(path), named: name => byName.get(name) ?? [] }
}

/** Among packages of one name, such as test fixtures, returns the one that shares most folders with the file. */
export function nearestManifest(source: SettingsSource, from: string, name: string): string | undefined {
  const manifests = source.named(name)
  if (manifests.length < 2) return manifests[0]
  const folders = from.split('/').slice(0, -1)
  const sharedFolders = (path: string) => {
    const names = path.split('/')
    const at = folders.findIndex((folder, place) => folder !== names[place])
    return at < 0 ? folders.length : at
  }
  const [first] = manifests.toSorted(
    (one, other) => sharedFolders(other) - sharedFolders(one) || one.length - other.length || (one < other ? -1 : 1),
  )
  return first
}
