/** The old line for a new line: the same text (`kept`), or the line it replaces (`instead`). */
interface Aligned {
  readonly kept?: number
  readonly instead?: number
}

/** Aligns new lines with old ones: unchanged lines first, then the lines between them in order. */
export function alignLines(old: readonly string[], now: readonly string[]): Aligned[] {
  const oldLineOf = keptLines(old, now)
  const alignment: Aligned[] = []
  let nextOld = 0
  for (let i = 0; i < now.length; i++) {
    const same = oldLineOf[i]
    if (same !== undefined) {
      alignment.push({ kept: same })
      nextOld = same + 1
      continue
    }
    const nextKept = oldLineOf.slice(i).find(line => line !== undefined) ?? old.length
    alignment.push(nextOld < nextKept ? { instead: nextOld++ } : {})
  }
  return alignment
}

/** Above this many comparisons only the common beginning and end are matched. */
const MOST_CELLS = 1_000_000

/** Returns for each new line the old line that it keeps, by a longest common subsequence. */
function keptLines(old: readonly string[], now: readonly string[]): (number | undefined)[] {
  const oldLineOf: (number | undefined)[] = now.map(() => undefined)
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) oldLineOf[head] = head++
  let tail = 0
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) {
    oldLineOf[now.length - 1 - tail] = old.length - 1 - tail
    tail++
  }
  const rows = old.length - head - tail
  const columns = now.length - head - tail
  if (rows === 0 || columns === 0 || rows * columns > MOST_CELLS) return oldLineOf
  const width = columns + 1
  const longest = new Uint32Array((rows + 1) * width)
  const at = (row: number, column: number): number => longest[row * width + column] ?? 0
  for (let row = rows - 1; row >= 0; row--)
    for (let column = columns - 1; column >= 0; column--)
      longest[row * width + column] =
        old[head + row] === now[head + column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
  for (let row = 0, column = 0; row < rows && column < columns;) {
    if (old[head + row] === now[head + column]) oldLineOf[head + column++] = head + row++
    else if (at(row + 1, column) >= at(row, column + 1)) row++
    else column++
  }
  return oldLineOf
}
