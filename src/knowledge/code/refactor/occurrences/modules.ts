import { posix } from 'node:path'
import { languageAt, isSameFamily } from '../../../../languages/registry.ts'
import { isSettings } from '../../../../languages/javascript/modules/module-settings.ts'
import { visibleText } from '../../visible-text.ts'
import { importersAround, indexedPaths } from '../importers-around.ts'
import type { RefactorParts } from '../refactor-parts.ts'
import type { ComputedImport } from '../../../../languages/reflection.ts'
import { filesWith } from './find-occurrences.ts'

/** Reports whether a module is used as a value, so that any of its names can be looked up in it. */
export async function isHeldWhole(parts: RefactorParts, path: string): Promise<boolean> {
  const { reflection } = languageAt(path)
  if (!reflection || reflection.ownLookups.test(parts.sources(path).text)) return true
  const stem = moduleStem(path).replaceAll(/\W/g, '.')
  const whole = reflection.holdsModule(stem)
  const importers = await importersAround(parts, path, 'all')
  return (
    importers.some(each => parts.mayRead(each) && whole.test(parts.sources(each).text)) ||
    isLoadedByName(parts, path, ownModules(parts))
  )
}

/** The file name without its extension. */
export const moduleStem = (path: string): string => posix.basename(path).replace(/(?:\.d)?\.\w+$/, '')

/** The name of a module for others: the folder's name for an index file. */
export const moduleName = (path: string): string => {
  const stem = moduleStem(path)
  return stem === (languageAt(path).reflection?.folderModule ?? 'index') ? posix.basename(posix.dirname(path)) : stem
}

/** Returns a test of whether a module may be one of the workspace; reads the files on first use. */
export function ownModules(parts: RefactorParts) {
  let names: Promise<ReadonlySet<string>> | undefined
  return async (path: string, module: string): Promise<boolean> => {
    if (/^[.#~/]|^@\//.test(module)) return true
    const [first = ''] = (languageAt(path).reflection?.firstStep ?? /^[^/]*/).exec(module) ?? []
    return (await (names ??= namesIn(parts))).has(first)
  }
}

/** Folders, modules that are found by them, and module names from packages and settings. */
async function namesIn(parts: RefactorParts): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  for await (const path of indexedPaths(parts)) {
    for (const part of path.split('/')) names.add(languageAt(part).findsModulesByFolder ? moduleStem(part) : part)
    if (isSettings(path))
      for (const [, key = '', quotedName = ''] of (visibleText(parts.root, parts.staging, path) ?? '').matchAll(NAMED))
        names.add(quotedName || key.replace(/\/?\*$/, ''))
  }
  return names
}

/** `"name": "pkg"` of a package, and `"alias/*": [` of a compiler's paths. */
const NAMED = /"([^"\n]+)"\s*:\s*(?:"([^"\n]*)"|\[)/g

const COMMENTED = /^\s*(?:\/\/|\*|\/\*|#)/

/** Reports whether any file loads modules by computed names that may be this one's. */
async function isLoadedByName(
  parts: RefactorParts,
  path: string,
  isOurs: (path: string, module: string) => Promise<boolean>,
): Promise<boolean> {
  const { reflection } = languageAt(path)
  if (!reflection) return false
  const files = await Promise.all(reflection.loaderWords.map(word => filesWith(parts, word)))
  for (const file of new Set(files.flat())) {
    if (!isSameFamily(file, path) || !parts.mayRead(file)) continue
    const { text } = parts.sources(file)
    for (const each of reflection.computedImports(text)) {
      if (COMMENTED.test(text.slice(text.lastIndexOf('\n', each.start) + 1, each.start + 2))) continue
      if (reflection.mayLoad(file, each, path) && (await isOwn(file, each))) return true
    }
  }
  return false

  /** A module of a package outside of the workspace is none of ours. */
  async function isOwn(file: string, { prefix }: ComputedImport): Promise<boolean> {
    return !reflection?.namesPackages || prefix === '' || /^\w+:/.test(prefix) || isOurs(file, prefix)
  }
}
