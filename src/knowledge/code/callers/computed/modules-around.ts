import { posix } from 'node:path'
import { ENDING, wordKey, type Import } from '../../../../languages/javascript/imports-in.ts'

/** The files that import a module, by how they name it, and the modules that some file may hold as objects. */
export interface ScriptLinks {
  readonly importers: ReadonlyMap<string, ReadonlySet<string>>
  readonly held: ReadonlySet<string>
}

interface Script {
  readonly path: string
  readonly imports: readonly Import[]
}

export function linksOf(scripts: readonly Script[]): ScriptLinks {
  const importers = new Map<string, Set<string>>()
  const wholeKeys = new Set<string>()
  for (const { path, imports } of scripts)
    for (const { key, isWhole } of imports) {
      if (isWhole) wholeKeys.add(key)
      const files = importers.get(key)
      if (files) files.add(path)
      else importers.set(key, new Set([path]))
    }
  return { importers, held: wholeKeys }
}

/** The scripts that import a module, as their specifiers tell: too many rather than too few. */
interface ModulesAround {
  /** Reports whether a file imports the module itself. */
  isImported(path: string): boolean
  /** The files that import it or one of these, directly or through others. */
  reached(others: readonly string[]): ReadonlySet<string>
  /** Reports whether some file may hold this module as an object. */
  isHeld(path: string): boolean
}

export function modulesAround(path: string, { importers, held }: ScriptLinks): ModulesAround {
  return {
    isImported: file => keysOf(path).some(key => importers.get(key)?.has(file)),
    reached: reachedFrom,
    isHeld: file => keysOf(file).some(key => held.has(key)),
  }

  function reachedFrom(others: readonly string[]): ReadonlySet<string> {
    const reachable = new Set([path, ...others])
    // The loop also visits files added during it.
    for (const file of reachable)
      for (const key of keysOf(file)) for (const from of importers.get(key) ?? []) reachable.add(from)
    return reachable
  }
}

/** How others may import a file. */
function keysOf(path: string): readonly string[] {
  const folder = posix.dirname(path)
  const whole = path.replace(ENDING, '')
  if (!/^:(?:index|main|mod)$/.test(wordKey(path))) return [whole, wordKey(path)]
  return [whole, folder, wordKey(path), ...folder.split('/').map(part => `:${part}`)]
}
