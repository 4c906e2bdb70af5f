import { setImmediate as breathe } from 'node:timers/promises'
import { languageAt, isSameFamily } from '../../../languages/registry.ts'
import { isSettings } from '../../../languages/javascript/modules/module-settings.ts'
import { moduleFacts, type ModuleFacts } from '../effects/module-facts.ts'
import { moduleLinks } from '../effects/module-links.ts'
import type { ConfigFile } from '../../../languages/javascript/modules/module-finder.ts'
import { visibleText } from '../visible-text.ts'
import { isPast } from '../servers/deadline.ts'
import { notInTime, type Importers, type RefactorParts } from './refactor-parts.ts'

const AT_ONCE = 500

/**
 * The files that import a file, the nearest first: directly, or also through others. Empty for languages whose imports
 * are not read. `only` restricts the search to files with a matching text.
 */
export async function importersAround(
  parts: RefactorParts,
  path: string,
  reach: 'direct' | 'all',
  only?: RegExp,
): Promise<readonly string[]> {
  if (!languageAt(path).importFacts) return []
  const importers = await (only ? importersIn(parts, path, only) : (parts.links.importers ??= importersIn(parts, path)))
  const importerPaths = new Set([path])
  // The loop also visits files added during it.
  for (const file of importerPaths) {
    for (const from of importers.get(file) ?? []) importerPaths.add(from)
    if (reach === 'direct') break
  }
  importerPaths.delete(path)
  return [...importerPaths]
}

/** The importers among the files of a language. */
async function importersIn(parts: RefactorParts, path: string, only?: RegExp): Promise<Importers> {
  const facts = new Map<string, ModuleFacts>()
  const configs: ConfigFile[] = []
  for await (const file of indexedPaths(parts)) {
    const isLike = languageAt(file).importFacts !== undefined && isSameFamily(file, path)
    const text = isLike || isSettings(file) ? visibleText(parts.root, parts.staging, file) : undefined
    if (text === undefined) continue
    // The file's own imports are needed too.
    if (isLike && (!only || only.test(text) || file === path)) facts.set(file, moduleFacts(file, text))
    else if (!isLike) configs.push({ path: file, text })
  }
  const links = moduleLinks(facts, configs)
  const importers = new Map<string, string[]>()
  for (const [from, { requests }] of facts)
    for (const target of new Set(requests.flatMap(request => links(from, request).to))) {
      const list = importers.get(target)
      if (list) list.push(from)
      else importers.set(target, [from])
    }
  return importers
}

/** Every file of the workspace. */
export async function* indexedPaths({ index, deadline }: RefactorParts): AsyncGenerator<string> {
  for (let skip = 0; ; skip += AT_ONCE) {
    const { files, total } = await index.query({ by: 'all' }, { limit: AT_ONCE, skip })
    for (const { path } of files) yield path
    if (skip + AT_ONCE >= total) return
    await breathe()
    if (isPast(deadline)) throw notInTime()
  }
}
