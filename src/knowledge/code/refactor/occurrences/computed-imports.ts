import { isSameFamily, languageAt } from '../../../../languages/registry.ts'
import type { ComputedImport } from '../../../../languages/reflection.ts'
import type { RefactorParts } from '../refactor-parts.ts'
import { filesWith } from './find-occurrences.ts'

const COMMENTED = /^\s*(?:\/\/|\*|\/\*|#)/

/** Reports whether any file loads modules by computed names that may be this one's. */
export async function isLoadedByName(
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
