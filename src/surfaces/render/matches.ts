import { inert } from '../../kernel/inert.ts'
import { highlighted } from './highlight.ts'
import type { Style } from './paint.ts'
import { numberAt, pathAt, textAt, textsIn, type Fields } from './shape.ts'

export interface MatchLine {
  readonly text: string
  readonly isMatch: boolean
}

/** Lines of files under the names of their files, with what was looked for marked. */
export function matchLines(matches: readonly Fields[], style: Style): string[] {
  const { paint } = style
  return [...linesByFile(matches)].flatMap(([path, lines], at) => {
    const width = String(lines.at(-1)?.[0] ?? 0).length
    let last: number | undefined
    const shown = lines.flatMap(([line, { text, isMatch }]) => {
      const isGap = last !== undefined && line > last + 1 && hasContext(matches)
      last = line
      const number = paint(isMatch ? 'green' : 'dim', String(line).padStart(width))
      const own = `${number}${isMatch ? ':' : '-'}${highlighted(text, isMatch ? style : { paint })}`
      return isGap ? [paint('dim', '--'), own] : [own]
    })
    return [...(at > 0 ? [''] : []), paint('bold', inert(path)), ...shown]
  })
}

export const hasContext = ([match]: readonly Fields[]): boolean =>
  match?.['before'] !== undefined || match?.['after'] !== undefined

/** The lines of each file once, matches and what is around them, in their order. */
export function linesByFile(
  matches: readonly Fields[],
): ReadonlyMap<string, readonly (readonly [number, MatchLine])[]> {
  const files = new Map<string, Map<number, MatchLine>>()
  for (const match of matches) {
    const path = pathAt(match) ?? ''
    const lines = files.get(path) ?? new Map<number, MatchLine>()
    files.set(path, lines)
    const before = textsIn(match['before']) ?? []
    const own = (textAt(match, 'text') ?? '').split('\n')
    const around = [...before, ...own, ...(textsIn(match['after']) ?? [])]
    for (const [at, text] of around.entries()) {
      const line = (numberAt(match, 'line') ?? 0) - before.length + at
      const isMatch = at >= before.length && at < before.length + own.length
      if (isMatch || !lines.has(line)) lines.set(line, { text, isMatch })
    }
  }
  return new Map([...files].map(([path, lines]) => [path, [...lines].toSorted(([one], [other]) => one - other)]))
}
