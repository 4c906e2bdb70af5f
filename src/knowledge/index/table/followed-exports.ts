import { isRelative } from '../../../languages/javascript/modules/candidates.ts'
import type { ModulePlaces } from '../../../languages/javascript/modules/module-places.ts'
import type { FoundFile, PackedFacts } from './entry.ts'

/** Finds files that others name. */
interface Lookup {
  get(path: string): FoundFile | undefined
  readonly places: ModulePlaces
}

/** Returns all exports of files with `export *` resolved. Valid until a file changes. */
export function followedExports(lookup: Lookup): (file: FoundFile) => readonly string[] {
  const targetsByFile = new Map<FoundFile, readonly FoundFile[]>()
  return file => {
    const { facts } = file
    if (!facts) return []
    if (facts.stars.length === 0) return ownExports(facts)
    const names = new Set(ownExports(facts))
    const visitedPaths = new Set([file.path])
    const follow = (from: FoundFile) => {
      for (const target of targetsOf(from)) {
        if (visitedPaths.has(target.path)) continue
        visitedPaths.add(target.path)
        for (const name of target.facts?.exports ?? []) if (name !== 'default') names.add(name)
        follow(target)
      }
    }
    follow(file)
    return [...names]
  }

  /** Cached, because many files re-export the same ones. */
  function targetsOf(file: FoundFile): readonly FoundFile[] {
    const before = targetsByFile.get(file)
    if (before) return before
    const stars = file.facts?.stars ?? []
    const targets = stars.flatMap(specifier => starTarget(file.path, specifier, lookup) ?? [])
    targetsByFile.set(file, targets)
    return targets
  }
}

/** Returns a file's own exports. */
export function ownExports({ exports, defaultName }: PackedFacts): readonly string[] {
  if (defaultName === undefined) return exports
  // People search for a component by its name, however it is exported.
  return [...new Set(exports.flatMap(name => (name === 'default' ? [name, defaultName] : name)))]
}

export interface Led {
  /** The file itself and all files whose names it re-exports. */
  readonly files: readonly string[]
  /** The settings that located some of them. */
  readonly settings: readonly string[]
  /** Some were imported by name; any settings file may change its meaning. */
  readonly isNamed: boolean
}

/** Returns the sources of a file's exports. */
export function leadsTo(path: string, lookup: Lookup): Led {
  const files = new Set([path])
  const settings = new Set<string>()
  let isNamed = false
  for (const each of files) {
    const file = lookup.get(each)
    for (const specifier of file?.facts?.stars ?? []) {
      isNamed ||= !isRelative(specifier)
      const target = starTarget(each, specifier, lookup)
      if (target) files.add(target.path)
      for (const setting of lookup.places(each, specifier).settings) settings.add(setting)
    }
  }
  return { files: [...files], settings: [...settings], isNamed }
}

function starTarget(from: string, specifier: string, { get, places }: Lookup): FoundFile | undefined {
  for (const path of places(from, specifier).files) {
    const file = get(path)
    if (file) return file
  }
  return undefined
}
