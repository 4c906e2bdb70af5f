import type { Splice } from '../../../machine/text/edit/splice-text.ts'
import { lineEndOf, lineStartOf } from './leading.ts'
import type { Source } from '../source.ts'
import type { Stretch } from '../../model/syntax/syntax-file.ts'

export interface NameList {
  /** The whole statement. */
  readonly statement: Stretch
  /** Names in braces, in order. */
  readonly names: readonly Stretch[]
  /** Something else stands in the statement that has to stay, such as a default import. */
  readonly keeps?: Stretch | undefined
}

/** Takes names out of an import or export list, and the statement where none is left in it. */
export function withoutNames(
  source: Source,
  { statement, names, keeps }: NameList,
  gone: readonly Stretch[],
): readonly Splice[] {
  const { text } = source
  const isGone = (name: Stretch) => gone.some(({ start }) => start === name.start)
  const left = names.filter(name => !isGone(name))
  if (left.length === 0 && !keeps) return [lineOf(source, statement)]
  if (left.length === 0 && keeps) {
    // `import a, { b } from` becomes `import a from`.
    const last = names.at(-1)
    const close = text.indexOf('}', last?.end ?? keeps.end)
    return [source.splice(keeps.end, close + 1, '')]
  }
  return names.filter(isGone).map(name => {
    const at = names.indexOf(name)
    const next = names[at + 1]
    const hasLeftAfter = left.some(({ start }) => start > name.start)
    if (hasLeftAfter && next) return source.splice(name.start, next.start, '')
    return source.splice(names[at - 1]?.end ?? name.start, name.end, '')
  })
}

/** A statement with its line where it has that for itself. */
export function lineOf(source: Source, { start, end }: Stretch): Splice {
  const { text } = source
  const from = lineStartOf(text, start)
  const until = lineEndOf(text, end)
  const isAlone = text.slice(from, start).trim() === '' && /^[ \t]*;?[ \t]*$/.test(text.slice(end, until))
  if (!isAlone) return source.splice(start, end, '')
  const eol = /^\r?\n/.exec(text.slice(until))?.[0].length ?? 0
  return source.splice(from, until + eol, '')
}
