import { isRelative } from '../../../languages/javascript/modules/candidates.ts'
import { moduleKey, relativeKey } from '../../../languages/javascript/modules/module-key.ts'
import { modulePlaces, type ModulePlaces } from '../../../languages/javascript/modules/module-places.ts'
import type { ModuleSettings } from '../../../languages/javascript/modules/module-settings.ts'
import { settingsIn } from '../../../languages/javascript/modules/settings-source.ts'
import type { FoundFile } from './entry.ts'

/** Tracks which files look for which modules through `export *`, while files and settings change. */
export interface StarLinks {
  put(file: FoundFile): void
  remove(path: string): void
  places: ModulePlaces
  /** Files whose exports must be resolved again. */
  stale(): ReadonlySet<string>
  /** Files whose exports may change with this one's. */
  followers(path: string): ReadonlySet<string>
  /** Files that import a module by name instead of by path. */
  named(): ReadonlySet<string>
  settings(): ReadonlyMap<string, ModuleSettings>
}

export function createStarLinks(): StarLinks {
  /** By module key: the files that look for it. */
  const importers = new Map<string, Set<string>>()
  /** The keys that each file looked for when it was linked. */
  const keysByPath = new Map<string, ReadonlySet<string>>()
  const stars = new Map<string, readonly string[]>()
  const nameImporters = new Set<string>()
  /** Files that import by name; linked once all settings are known. */
  const unlinkedPaths = new Set<string>()
  const stale = new Set<string>()
  const settings = new Map<string, ModuleSettings>()
  let places: ModulePlaces | undefined
  /** Names may resolve differently. Delayed, because settings often change in groups. */
  let areOther = false

  const links: StarLinks = {
    put({ path, facts, settings: said }) {
      change(path, said)
      if (!facts || facts.stars.length === 0) return
      stars.set(path, facts.stars)
      if (facts.stars.every(isRelative)) return link(path)
      nameImporters.add(path)
      unlinkedPaths.add(path)
    },
    remove: path => change(path, undefined),
    places: (from, specifier) => (places ??= modulePlaces(settingsIn(settings)))(from, specifier),
    stale() {
      linkNamed()
      if (stale.size === 0) return NONE
      const affectedPaths = new Set(stale)
      stale.clear()
      for (const path of affectedPaths) for (const each of importersOf(path)) affectedPaths.add(each)
      return affectedPaths
    },
    followers(path) {
      linkNamed()
      const followerPaths = new Set(importersOf(path))
      for (const each of followerPaths) for (const further of importersOf(each)) followerPaths.add(further)
      return followerPaths
    },
    named: () => nameImporters,
    settings: () => settings,
  }
  return links

  function change(path: string, said: ModuleSettings | undefined): void {
    const before = settings.get(path)
    if (before !== said && JSON.stringify(before) !== JSON.stringify(said)) {
      if (said) settings.set(path, said)
      else settings.delete(path)
      places = undefined
      areOther = true
    }
    for (const each of importersOf(path)) stale.add(each)
    unlink(path)
    for (const each of [stars, nameImporters, unlinkedPaths]) each.delete(path)
  }

  function importersOf(path: string): ReadonlySet<string> {
    return importers.get(moduleKey(path)) ?? NONE
  }

  function linkNamed(): void {
    if (areOther) for (const each of nameImporters) unlinkedPaths.add(each)
    areOther = false
    if (unlinkedPaths.size === 0) return
    for (const path of unlinkedPaths) link(path)
    unlinkedPaths.clear()
  }

  function link(path: string): void {
    unlink(path)
    stale.add(path)
    const keys = new Set((stars.get(path) ?? []).flatMap(each => keysOf(path, each)))
    keysByPath.set(path, keys)
    for (const each of keys) {
      const there = importers.get(each)
      if (there) there.add(path)
      else importers.set(each, new Set([path]))
    }
  }

  function unlink(path: string): void {
    for (const each of keysByPath.get(path) ?? []) {
      const there = importers.get(each)
      there?.delete(path)
      if (there?.size === 0) importers.delete(each)
    }
    keysByPath.delete(path)
  }

  function keysOf(from: string, specifier: string): readonly string[] {
    if (!isRelative(specifier)) return Array.from(links.places(from, specifier).files, moduleKey)
    const key = relativeKey(from, specifier)
    return key === undefined ? [] : [key]
  }
}

const NONE: ReadonlySet<string> = new Set()
