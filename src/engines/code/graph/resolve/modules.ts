import { candidates } from '../../../index/table/candidates.ts'
import { packagesIn, type ConfigFile, type PackagePlace } from './packages-in.ts'

/** Says which file of the tree an import of a script means; undefined where it is none of them. */
export function moduleFinder(
  has: (path: string) => boolean,
  configs: readonly ConfigFile[],
): (from: string, specifier: string) => string | undefined {
  const known = new Map<string, string | undefined>()
  const places = packagesIn(configs)
  return (from, specifier) => {
    const key = `${from.slice(0, from.lastIndexOf('/') + 1)}\0${/\.[cm]?jsx?$/i.test(from)}\0${specifier}`
    if (!known.has(key)) known.set(key, find(from, specifier))
    return known.get(key)
  }

  function find(from: string, specifier: string): string | undefined {
    if (/^\.\.?(\/|$)/.test(specifier)) return candidates(from, specifier).find(has)
    for (const place of places) {
      const found = inPlace(place, from, specifier)
      if (found !== undefined) return found
    }
    return undefined
  }

  function inPlace(place: PackagePlace, from: string, specifier: string): string | undefined {
    if (place.isOwn && !from.startsWith(place.folder)) return undefined
    const [before, after] = place.pattern
    if (after === undefined ? specifier !== before : !specifier.startsWith(before) || !specifier.endsWith(after))
      return undefined
    const rest = after === undefined ? '' : specifier.slice(before.length, specifier.length - after.length)
    for (const target of place.targets) {
      const path = target.replace('*', rest)
      const found = candidates(`${place.folder}x.ts`, `./${path}`).find(has)
      if (found !== undefined) return found
    }
    return undefined
  }
}
