import type { AskedServer } from '../../servers/types.ts'
import type { Use } from '../remove/uses-of.ts'
import type { Sources } from '../../source.ts'
import { moduleAt } from './module-at.ts'
import { moduleFile, type ImportedName, type ModuleFile, type PassedName } from './module-file.ts'
import { wordsIn } from '../../../model/syntax/words-in.ts'

/** A module that takes the moved symbol from its old file. */
export interface Importer {
  readonly file: ModuleFile
  readonly imports: readonly ImportedName[]
  readonly passed: readonly PassedName[]
}

export interface Importers {
  readonly importers: readonly Importer[]
  /** Somebody reaches it in another way than by its name from its file: through `*`, a namespace, or import(). */
  readonly isReached: boolean
}

/** Whoever imports or re-exports a symbol from a file, by its uses. */
export async function importersOf(
  path: string,
  name: string,
  uses: readonly Use[],
  sources: Sources,
  server: Pick<AskedServer, 'definition' | 'pathOf'>,
): Promise<Importers> {
  const importers: Importer[] = []
  const others = Map.groupBy(
    uses.filter(use => use.path !== path),
    use => use.path,
  )
  const passing = new Set<string>()
  const asked: { readonly from: string; readonly of: string }[] = []
  let isReached = false
  for (const [from, places] of others) {
    const source = sources(from)
    const file = await moduleFile(source)
    const isPlace = (start: number) => places.some(({ offset }) => offset === start)
    const imports: ImportedName[] = []
    const passed: PassedName[] = []
    for (const each of file.imports) {
      const { specifier } = each
      if (
        specifier.type !== 'ImportSpecifier' ||
        !(isPlace(specifier.imported.start) || isPlace(specifier.local.start))
      )
        continue
      const of = await moduleAt(server, sources, from, each.statement.source.start + 1)
      if (of === path && each.imported === name) imports.push(each)
      else if (of !== undefined && of !== path) asked.push({ from, of })
    }
    for (const each of file.passed) {
      if (!isPlace(each.specifier.local.start) && !isPlace(each.specifier.exported.start)) continue
      passing.add(from)
      const of = await moduleAt(server, sources, from, each.statement.source?.start ?? 0)
      if (of === path && each.name === name) passed.push(each)
      else if (of !== undefined && of !== path) asked.push({ from, of })
    }
    if (handsOn(file)) passing.add(from)
    const words = new Map(file.program.body.flatMap(wordsIn).map(word => [word.start, word]))
    const isName = (start: number) =>
      file.imports.some(({ specifier }) => specifier.start <= start && specifier.end >= start) ||
      file.passed.some(({ specifier }) => specifier.start <= start && specifier.end >= start)
    if (places.some(({ offset }) => !isName(offset) && words.get(offset)?.role !== 'use')) isReached = true
    if (imports.length > 0 || passed.length > 0) importers.push({ file, imports, passed })
  }
  // Taken from a module that does not name it: that one hands on everything.
  if (asked.some(({ of }) => !passing.has(of))) isReached = true
  return { importers, isReached }

  /** What is imported and then exported by name. */
  function handsOn(file: ModuleFile): boolean {
    const locals = new Set(file.imports.filter(({ imported }) => imported === name).map(({ local }) => local))
    return file.program.body.some(
      each =>
        each.type === 'ExportNamedDeclaration' &&
        !each.source &&
        each.specifiers.some(({ local }) => local.type !== 'Literal' && locals.has(local.name)),
    )
  }
}
