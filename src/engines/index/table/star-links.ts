import { isRelative } from '../modules/candidates.ts'
import { moduleKey, relativeKey } from '../modules/module-key.ts'
import { modulePlaces, type ModulePlaces } from '../modules/module-places.ts'
import type { ModuleSettings } from '../modules/module-settings.ts'
import { settingsIn } from '../modules/settings-source.ts'
import type { FoundFile } from './entry.ts'

/** Which files look for which modules when they follow their `export *`, kept up while files and settings change. */
export interface StarLinks {
  put(file: FoundFile): void
  remove(path: string): void
  places: ModulePlaces
  /** Files whose exports have to be followed again. */
  stale(): ReadonlySet<string>
  /** Files whose exports may change with this one's. */
  followers(path: string): ReadonlySet<string>
  /** Files that look for a module by a name and not by its place. */
  named(): ReadonlySet<string>
  settings(): ReadonlyMap<string, ModuleSettings>
}

export function createStarLinks(): StarLinks {
  /** By the key of a module: those who look for it. */
  const lookers = new Map<string, Set<string>>()
  /** The keys of what each file looks for, as it was when it was linked. */
  const wanted = new Map<string, ReadonlySet<string>>()
  const stars = new Map<string, readonly string[]>()
  const named = new Set<string>()
  const unlinked = new Set<string>()
  const changed = new Set<string>()
  const settings = new Map<string, ModuleSettings>()
  let places: ModulePlaces | undefined
  /** Names may lead elsewhere; settings come one by one, many at a time. */
  let areOther = false

  const links: StarLinks = {
    put({ path, facts, settings: said }) {
      note(path, said)
      unlink(path)
      changed.add(path)
      if (!facts || facts.stars.length === 0) return
      stars.set(path, facts.stars)
      unlinked.add(path)
      if (!facts.stars.every(isRelative)) named.add(path)
    },
    remove(path) {
      note(path, undefined)
      unlink(path)
      changed.add(path)
    },
    places: (from, specifier) => (places ??= modulePlaces(settingsIn(settings)))(from, specifier),
    stale() {
      if (changed.size === 0) return NOBODY
      link()
      const concerned = new Set<string>()
      for (const path of changed) {
        if (stars.has(path)) concerned.add(path)
        for (const each of lookersFor(path)) concerned.add(each)
      }
      changed.clear()
      for (const path of concerned) for (const each of lookersFor(path)) concerned.add(each)
      return concerned
    },
    followers(path) {
      link()
      const found = new Set(lookersFor(path))
      for (const each of found) for (const further of lookersFor(each)) found.add(further)
      return found
    },
    named: () => named,
    settings: () => settings,
  }
  return links

  function note(path: string, said: ModuleSettings | undefined): void {
    const before = settings.get(path)
    if (before === said || JSON.stringify(before) === JSON.stringify(said)) return
    if (said) settings.set(path, said)
    else settings.delete(path)
    places = undefined
    areOther = true
  }

  function lookersFor(path: string): ReadonlySet<string> {
    return lookers.get(moduleKey(path)) ?? NOBODY
  }

  function unlink(path: string): void {
    for (const each of wanted.get(path) ?? []) {
      const there = lookers.get(each)
      there?.delete(path)
      if (there?.size === 0) lookers.delete(each)
    }
    for (const each of [wanted, stars, named, unlinked]) each.delete(path)
  }

  function link(): void {
    if (areOther) for (const each of named) unlinked.add(each)
    areOther = false
    for (const path of unlinked) {
      const specifiers = stars.get(path) ?? []
      const isNamed = named.has(path)
      unlink(path)
      stars.set(path, specifiers)
      if (isNamed) named.add(path)
      const keys = new Set(specifiers.flatMap(each => keysOf(path, each)))
      wanted.set(path, keys)
      changed.add(path)
      for (const each of keys) {
        const there = lookers.get(each)
        if (there) there.add(path)
        else lookers.set(each, new Set([path]))
      }
    }
  }

  function keysOf(from: string, specifier: string): readonly string[] {
    if (!isRelative(specifier)) return Array.from(links.places(from, specifier).files, moduleKey)
    const key = relativeKey(from, specifier)
    return key === undefined ? [] : [key]
  }
}

const NOBODY: ReadonlySet<string> = new Set()
