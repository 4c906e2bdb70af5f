import { sanitize } from '../../kernel/sanitize.ts'
import { highlightLine } from './highlight.ts'
import type { Style } from './paint.ts'
import { numberAt, pathAt, textAt, textsIn, type Fields } from './shape.ts'

interface MatchLine {
  readonly text: string
  readonly isMatch: boolean
}

/** Renders matching lines below the names of their files, with hits marked. */
export function matchLines(matches: readonly Fields[], style: Style, isPart = false): string[] {
  const { paint } = style
  return [...linesByFile(matches, isPart)].flatMap(([path, lines], at) => {
    const width = String(lines.at(-1)?.[0] ?? 0).length
    let last: number | undefined
    const fileLines = lines.flatMap(([line, { text, isMatch }]) => {
      const isGap = last !== undefined && line > last + 1 && hasContext(matches)
      last = line
      const number = paint(isMatch ? 'green' : 'dim', String(line).padStart(width))
      const lineText = `${number}${isMatch ? ':' : '-'}${highlightLine(text, isMatch ? style : { paint })}`
      return isGap ? [paint('dim', '--'), lineText] : [lineText]
    })
    return [...(at > 0 ? [''] : []), paint('bold', sanitize(path)), ...fileLines]
  })
}

export const hasContext = ([match]: readonly Fields[]): boolean =>
  match?.['before'] !== undefined || match?.['after'] !== undefined

/**
 * Groups lines by file, matches and context in order, each line once. If a match `isPart` of its line, the line appears
 * once for each match.
 */
export function linesByFile(
  matches: readonly Fields[],
  isPart = false,
): ReadonlyMap<string, readonly (readonly [number, MatchLine])[]> {
  const files = new Map<string, Map<number, MatchLine[]>>()
  for (const match of matches) {
    const path = pathAt(match) ?? ''
    const lines = files.get(path) ?? new Map<number, MatchLine[]>()
    files.set(path, lines)
    const before = textsIn(match['before']) ?? []
    const textLines = (textAt(match, 'text') ?? '').split('\n')
    const around = [...before, ...textLines, ...(textsIn(match['after']) ?? [])]
    for (const [at, text] of around.entries()) {
      const line = (numberAt(match, 'line') ?? 0) - before.length + at
      const isMatch = at >= before.length && at < before.length + textLines.length
      const linesHere = lines.get(line) ?? []
      if (!isMatch && linesHere.length > 0) continue
      const others = linesHere.filter(one => one.isMatch && (isPart || one.text !== text))
      lines.set(line, [...others, { text, isMatch }])
    }
  }
  return new Map([...files].map(([path, lines]) => [path, [...lines].toSorted(byLine).flatMap(eachLine)]))
}

const byLine = ([one]: readonly [number, unknown], [other]: readonly [number, unknown]): number => one - other

const eachLine = ([line, shown]: readonly [number, readonly MatchLine[]]): (readonly [number, MatchLine])[] =>
  shown.map(one => [line, one] as const)
