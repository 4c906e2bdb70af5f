/**
 * The parts of a line as written, on which two parsers must agree. Every entry is the texts of its words, joined by a
 * character that no line has.
 */
export interface Outline {
  /** Simple commands without what surrounds them, words of loops, and names of functions. */
  readonly commands: string[]
  readonly assignments: string[]
  readonly redirections: string[]
}

export const newOutline = (): Outline => ({ commands: [], assignments: [], redirections: [] })

/** Joins words as both parsers spell them, with continued lines joined. */
export const entryOf = (words: readonly string[]): string => words.map(word => word.replaceAll('\\\n', '')).join('\0')

export function addCommand({ commands }: Outline, words: readonly string[]): void {
  if (words.length > 0) commands.push(entryOf(words))
}

/** Returns the first entry that only one of the two has; undefined if they are the same. */
export function differenceOf(one: Outline, other: Outline): string | undefined {
  return (
    missing(one.commands, other.commands) ??
    missing(one.assignments, other.assignments) ??
    missing(one.redirections, other.redirections)
  )
}

function missing(one: readonly string[], other: readonly string[]): string | undefined {
  const countByEntry = new Map<string, number>()
  for (const entry of one) countByEntry.set(entry, (countByEntry.get(entry) ?? 0) + 1)
  for (const entry of other) {
    const count = countByEntry.get(entry) ?? 0
    if (count === 0) return entry.replaceAll('\0', ' ')
    if (count === 1) countByEntry.delete(entry)
    else countByEntry.set(entry, count - 1)
  }
  return countByEntry.keys().next().value?.replaceAll('\0', ' ')
}
