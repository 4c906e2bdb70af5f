import type { Engines } from '../../engines/engines.ts'
import type { Grepped } from '../../knowledge/search/types.ts'
import { MB } from './fields.ts'

/** Candidates are lines with these bytes in any file; most files may be UTF-8. */
export const MOST_CANDIDATES = 10_000
/** Longer lines stay as the search cut them. */
const LONGEST_LINE = 500

/**
 * Returns an expression for the Latin-1 bytes of a pattern. Returns undefined for ASCII, which every search finds, for
 * characters outside Latin-1, and for classes, whose bytes and characters cannot be told apart.
 */
export function latinPattern(pattern: string, isRegex: boolean): string | undefined {
  if (!/^[\0-\u00FF]*[\u0080-\u00FF][\0-\u00FF]*$/.test(pattern) || (isRegex && pattern.includes('['))) return undefined
  const expression = isRegex ? pattern : pattern.replaceAll(/[\\.+*?()|[\]{}^$]/g, String.raw`\$&`)
  return expression.replaceAll(/[\u0080-\u00FF]/g, char => `(?-u:\\x${char.charCodeAt(0).toString(16)})`)
}

type Found = Pick<Grepped['matches'][number], 'path' | 'line' | 'text'>

/** Returns the lines of Latin-1 files, decoded. */
export const linesInLatin = (matches: readonly Found[], { text }: Pick<Engines, 'text'>): readonly Found[] =>
  Object.entries(Object.groupBy(matches, ({ path }) => path)).flatMap(([path, some = []]) => {
    const numbers = some.map(({ line }) => line)
    // Only matched files, because a read counts as seen.
    const lines = { from: Math.min(...numbers), to: Math.max(...numbers) }
    const file = text.read(path, { truncateAt: 10 * MB, binary: 'hex', guess: 'latin-1', lines })
    if (file.binary || file.encoding !== 'latin-1') return []
    const read = file.content.split(/\r?\n/)
    return some.map(match => ({ ...match, text: lineText(read[match.line - lines.from], match.text) }))
  })

const lineText = (line: string | undefined, cut: string): string =>
  line === undefined || line.length > LONGEST_LINE ? cut : line
