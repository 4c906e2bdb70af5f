import { candidates } from './candidates.ts'
import type { FoundFile } from './entry.ts'

/** Everything that a file exports, `export *` followed through the files that `get` knows. */
export function followedExports(file: FoundFile, get: (path: string) => FoundFile | undefined): readonly string[] {
  const { facts } = file
  if (!facts) return []
  if (facts.stars.length === 0 && facts.defaultName === undefined) return facts.exports
  const names = new Set<string>()
  for (const name of facts.exports) {
    names.add(name)
    // People look for a component by its name, whichever way it is exported.
    if (name === 'default' && facts.defaultName !== undefined) names.add(facts.defaultName)
  }
  const seen = new Set([file.path])
  const follow = (from: FoundFile) => {
    for (const specifier of from.facts?.stars ?? []) {
      const target = starTarget(from.path, specifier, get)
      if (!target || seen.has(target.path)) continue
      seen.add(target.path)
      for (const name of target.facts?.exports ?? []) if (name !== 'default') names.add(name)
      follow(target)
    }
  }
  follow(file)
  return [...names]
}

/** The files whose names a file passes on, itself included. */
export function leadsTo(path: string, get: (path: string) => FoundFile | undefined): readonly string[] {
  const seen = new Set([path])
  for (const each of seen) {
    const file = get(each)
    for (const specifier of file?.facts?.stars ?? []) {
      const target = starTarget(each, specifier, get)
      if (target) seen.add(target.path)
    }
  }
  return [...seen]
}

function starTarget(
  from: string,
  specifier: string,
  get: (path: string) => FoundFile | undefined,
): FoundFile | undefined {
  for (const path of candidates(from, specifier)) {
    const file = get(path)
    if (file) return file
  }
  return undefined
}
