import type { ExportNamedDeclaration, ImportDeclaration, Node } from 'oxc-parser'
import type { Splice } from '../../../machine/text/edit/splice-text.ts'
import type { Stretch } from '../../../languages/file-model/syntax-file.ts'
import type { Source } from '../source.ts'
import { lineEndOf, lineStartOf } from './declaration-lines.ts'

/** Removes names from an import or export list, and the statement if the list becomes empty. */
export function removeNames(
  source: Source,
  statement: ImportDeclaration | ExportNamedDeclaration,
  removedNames: readonly Node[],
): readonly Splice[] {
  const { text } = source
  const all: readonly Node[] = statement.specifiers
  const remainingNames = all.filter(each => !removedNames.includes(each))
  if (remainingNames.length === 0) return [lineOf(source, statement)]
  if (!removedNames.every(isNamed) || !remainingNames.some(isNamed)) {
    // A default import is removed, or is all that stays.
    const textOf = (node: Stretch) => text.slice(node.start, node.end)
    const clause = clauseOf(
      remainingNames.filter(each => !isNamed(each)).map(textOf),
      remainingNames.filter(isNamed).map(textOf),
    )
    const until = text.slice(0, text.lastIndexOf('from', statement.source?.start)).trimEnd().length
    return [source.splice(all[0]?.start ?? statement.start, until, clause)]
  }
  const names = all.filter(isNamed)
  return removedNames.map(name => {
    const at = names.indexOf(name)
    const next = names[at + 1]
    const hasLeftAfter = remainingNames.some(({ start }) => start > name.start)
    if (hasLeftAfter && next) return source.splice(name.start, next.start, '')
    return source.splice(names[at - 1]?.end ?? name.start, name.end, '')
  })
}

export const isNamed = ({ type }: Node): boolean => type === 'ImportSpecifier' || type === 'ExportSpecifier'

/** The text before `from`. */
export const clauseOf = (whole: readonly string[], names: readonly string[]): string =>
  [...whole, ...(names.length > 0 ? [`{ ${names.join(', ')} }`] : [])].join(', ')

/** A statement, with its whole line if it is alone there. */
export function lineOf(source: Source, { start, end }: Stretch): Splice {
  const { text } = source
  const from = lineStartOf(text, start)
  const until = lineEndOf(text, end)
  const isAlone = text.slice(from, start).trim() === '' && /^[ \t]*;?[ \t]*$/.test(text.slice(end, until))
  if (!isAlone) return source.splice(start, end, '')
  const eol = /^\r?\n/.exec(text.slice(until))?.[0].length ?? 0
  return source.splice(from, until + eol, '')
}
