import { ToolError } from '../../../../kernel/error.ts'
import { wordsIn } from '../../../../languages/javascript/words-in.ts'
import type { ServerClient } from '../../servers/types.ts'
import type { Source } from '../../source.ts'
import { importersAround } from '../importers-around.ts'
import type { ServedParts } from '../refactor-parts.ts'
import type { Use } from '../uses-of.ts'
import { moduleFile, type ImportedName, type ListedName, type ModuleFile } from './module-file.ts'

/** A module that imports the moved symbol from its old file. */
export interface Importer {
  readonly file: ModuleFile
  readonly names: readonly (ImportedName | ListedName)[]
}

/**
 * Modules that import or re-export a symbol from a file, found by its uses. `isReached` if one reaches it other than by
 * its name from its file: through `*`, a namespace, or import().
 */
export async function importersOf(
  { server, sources }: ServedParts,
  path: string,
  name: string,
  uses: readonly Use[],
): Promise<{ readonly importers: readonly Importer[]; readonly isReached: boolean }> {
  const importers: Importer[] = []
  const passing = new Set<string>()
  const sourcePaths: string[] = []
  let isReached = false
  for (const [from, places] of Map.groupBy(uses, use => use.path)) {
    if (from === path) continue
    const file = await moduleFile(sources(from))
    const starts = new Set(places.map(({ start }) => start))
    const names: (ImportedName | ListedName)[] = []
    for (const each of [...file.imports, ...file.passed]) {
      const { specifier, statement } = each
      if (specifier.type !== 'ImportSpecifier' && specifier.type !== 'ExportSpecifier') continue
      const outer = specifier.type === 'ImportSpecifier' ? specifier.imported : specifier.exported
      if (!starts.has(specifier.local.start) && !starts.has(outer.start)) continue
      if (specifier.type === 'ExportSpecifier') passing.add(from)
      const of = await moduleAt(sources(from), server, statement.source?.start ?? 0)
      if (of === path && each.name === name) names.push(each)
      else if (of !== undefined && of !== path) sourcePaths.push(of)
    }
    // Names that are imported and then exported.
    const locals = new Set(file.imports.filter(each => each.name === name).map(({ local }) => local))
    if (file.listed.some(each => locals.has(each.name))) passing.add(from)
    const words = new Map(file.program.body.flatMap(wordsIn).map(word => [word.start, word]))
    const isName = (start: number) =>
      [...file.imports, ...file.passed].some(({ specifier }) => specifier.start <= start && specifier.end >= start)
    if (places.some(({ start }) => !isName(start) && words.get(start)?.role !== 'use')) isReached = true
    if (names.length > 0) importers.push({ file, names })
  }
  // Imported from a module that does not name it: that one re-exports everything.
  return { importers, isReached: isReached || sourcePaths.some(of => !passing.has(of)) }
}

/** Reports whether a module re-exports all of one file (`export *`), but not of the move's target. */
export async function isReexportedByStar(parts: ServedParts, path: string, to: string): Promise<boolean> {
  for (const from of await importersAround(parts, path, 'direct', /\bexport\s*(?:type\s*)?\*/)) {
    if (from === to) continue
    const file = await moduleFile(parts.sources(from))
    const modules = new Set<string | undefined>()
    for (const statement of file.program.body)
      if (statement.type === 'ExportAllDeclaration')
        modules.add(await moduleAt(file.source, parts.server, statement.source.start))
    if (modules.has(path) && !modules.has(to)) return true
  }
  return false
}

/** The file of the module specifier whose quote is at this offset. */
async function moduleAt(source: Source, server: ServerClient, quote: number): Promise<string | undefined> {
  const definitions = await server.definition(source.path, source.positionOf(quote + 1))
  const paths = new Set(definitions.map(({ uri }) => server.pathOf(uri)))
  if (paths.size > 1)
    throw new ToolError('unavailable', `An import of ${source.path} means several files`, { hint: 'Edit by text' })
  return [...paths][0]
}
