import { languageOf } from '../../../model/languages.ts'
import type { Splice } from '../../../../machine/text/edit/splice-text.ts'
import type { Source } from '../../source.ts'
import type { Stretch } from '../../../model/syntax/syntax-file.ts'
import { lineOf, withoutNames } from '../without-names.ts'

/** A statement that only hands out what the file declares. */
export interface ExportBinding {
  /** The names, with those that they are handed out under. */
  readonly names: readonly Stretch[]
  without(names: readonly Stretch[]): readonly Splice[]
}

/** `export { a, b }` and `export default a` of a module. */
export async function ownExports(source: Source): Promise<readonly ExportBinding[]> {
  const language = languageOf(source.path)
  if (language !== 'typescript' && language !== 'javascript') return []
  const { parseModule } = await import('../../../model/syntax/parse-module.ts')
  const { program } = await parseModule(source.path, source.text)
  return program.body.flatMap((statement): ExportBinding[] => {
    if (statement.type === 'ExportDefaultDeclaration' && statement.declaration.type === 'Identifier')
      return [{ names: [statement.declaration], without: () => [lineOf(source, statement)] }]
    if (statement.type !== 'ExportNamedDeclaration' || statement.source || statement.specifiers.length === 0) return []
    const names = statement.specifiers
    return [{ names, without: gone => withoutNames(source, { statement, names }, gone) }]
  })
}
