import { languageOf } from '../../../index/facts/languages.ts'
import type { Splice } from '../../../text/edit/splice-text.ts'
import type { Source } from '../source.ts'
import type { Stretch } from '../syntax/syntax-file.ts'
import { lineOf, withoutNames } from '../without-names.ts'

/** A statement that only hands out what the file declares. */
export interface OwnExport {
  /** The names, with those that they are handed out under. */
  readonly names: readonly Stretch[]
  without(names: readonly Stretch[]): readonly Splice[]
}

/** `export { a, b }` and `export default a` of a module. */
export async function ownExports(source: Source): Promise<readonly OwnExport[]> {
  const language = languageOf(source.path)
  if (language !== 'typescript' && language !== 'javascript') return []
  const { parseModule } = await import('../syntax/parse-module.ts')
  return parseModule(source.path, source.text).program.body.flatMap((statement): OwnExport[] => {
    if (statement.type === 'ExportDefaultDeclaration' && statement.declaration.type === 'Identifier')
      return [{ names: [statement.declaration], without: () => [lineOf(source, statement)] }]
    if (statement.type !== 'ExportNamedDeclaration' || statement.source || statement.specifiers.length === 0) return []
    const names = statement.specifiers
    return [{ names, without: gone => withoutNames(source, { statement, names }, gone) }]
  })
}
