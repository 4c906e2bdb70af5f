import { posix } from 'node:path'

/** The scripts that import a module, as their specifiers tell: too many rather than too few. */
interface ModulesAround {
  add(path: string, text: string): void
  /** Reports whether a file imports the module itself. */
  isImported(path: string): boolean
  /** The files that import it or one of these, directly or through others. */
  reached(others: readonly string[]): ReadonlySet<string>
}

const SPECIFIERS = /(?:\bfrom|\bimport|\brequire\s*\(|\bimport\s*\()\s*(['"`])([^'"`\n]+)\1/g

export function modulesAround(path: string): ModulesAround {
  /** The files by what they import: a path without its ending, or the last word of a package or an alias. */
  const importers = new Map<string, Set<string>>()
  return { add, isImported: file => keysOf(path).some(key => importers.get(key)?.has(file)), reached }

  function add(file: string, text: string): void {
    for (const [, , specifier = ''] of text.matchAll(SPECIFIERS)) {
      const isRelative = specifier.startsWith('.')
      const key = isRelative
        ? posix.join(posix.dirname(file), specifier).replace(ENDING, '').replace(/\/$/, '')
        : wordOf(specifier)
      const files = importers.get(key)
      if (files) files.add(file)
      else importers.set(key, new Set([file]))
    }
  }

  function reached(others: readonly string[]): ReadonlySet<string> {
    const found = new Set([path, ...others])
    // The loop also visits files added during it.
    for (const file of found)
      for (const key of keysOf(file)) for (const from of importers.get(key) ?? []) found.add(from)
    return found
  }
}

const ENDING = /(?:\.d)?\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/

/** An alias or a package begins with another character, so that no path is taken for one. */
const wordOf = (specifier: string): string => `:${posix.basename(specifier).replace(ENDING, '')}`

/** How others may import a file. */
function keysOf(path: string): readonly string[] {
  const folder = posix.dirname(path)
  const whole = path.replace(ENDING, '')
  if (!/^:(?:index|main|mod)$/.test(wordOf(path))) return [whole, wordOf(path)]
  return [whole, folder, wordOf(path), ...folder.split('/').map(part => `:${part}`)]
}
