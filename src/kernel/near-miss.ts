/**
 * Returns the known word that was probably meant: one with few letters wrong, missing, extra or swapped. The first wins
 * a tie.
 */
export function nearMiss(typedWord: string, candidates: Iterable<string>): string | undefined {
  let best: { readonly word: string; readonly steps: number } | undefined
  for (const word of candidates) {
    const most = Math.min(2, Math.floor(Math.max(word.length, typedWord.length) / 3))
    const steps = stepsBetween(typedWord.toLowerCase(), word.toLowerCase())
    if (steps <= most && steps < (best?.steps ?? Infinity)) best = { word, steps }
  }
  return best?.word
}

/** Counts the letters to insert, delete, change or swap with their neighbour. */
function stepsBetween(one: string, other: string): number {
  let before: readonly number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      next.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          row > 1 && column > 1 && isSwapped ? (before[column - 2] ?? 0) + 1 : Infinity,
        ),
      )
    }
    ;[before, last] = [last, next]
  }
  return last[other.length] ?? 0
}
