/**
 * Number of inserted and deleted lines at which the search for the shortest edit stops: its cost grows with their
 * square.
 */
const MOST_EDITS = 1500

/** A run of lines: `keep` in both, `delete` only before, `insert` only after. */
export interface Run {
  readonly kind: 'keep' | 'delete' | 'insert'
  readonly count: number
}

/**
 * Returns the edits between two lists of lines: the shortest after Myers ("An O(ND) Difference Algorithm", 1986) while
 * that is cheap, otherwise a replacement of everything between the common ends. Both are correct; only the length
 * differs.
 */
export function lineEdits(before: readonly string[], after: readonly string[]): Run[] {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head++
  let tail = 0
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const middle = shortest(numberLines(before.slice(head, before.length - tail), after.slice(head, after.length - tail)))
  return mergeRuns([{ kind: 'keep', count: head }, ...middle, { kind: 'keep', count: tail }])
}

/** Numbers compare faster than text. */
function numberLines(before: readonly string[], after: readonly string[]): [Int32Array, Int32Array] {
  const numbers = new Map<string, number>()
  const number = (line: string): number => {
    const knownNumber = numbers.get(line)
    if (knownNumber !== undefined) return knownNumber
    numbers.set(line, numbers.size)
    return numbers.size - 1
  }
  return [Int32Array.from(before, number), Int32Array.from(after, number)]
}

function shortest([a, b]: [Int32Array, Int32Array]): Run[] {
  const replacement: Run[] = [
    { kind: 'delete', count: a.length },
    { kind: 'insert', count: b.length },
  ]
  if (a.length === 0 || b.length === 0) return replacement
  const most = Math.min(a.length + b.length, MOST_EDITS)
  // reached[k + most]: how far into `a` diagonal k got. A copy of the used part is stored for each number of edits.
  const furthest = new Int32Array(2 * most + 2)
  const trace: Int32Array[] = []
  for (let edits = 0; edits <= most; edits++) {
    trace.push(furthest.slice(most - edits, most + edits + 1))
    for (let k = -edits; k <= edits; k += 2) {
      let x = comesFromInsert(furthest, most, k, edits) ? at(furthest, most + k + 1) : at(furthest, most + k - 1) + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      furthest[most + k] = x
      if (x >= a.length && x - k >= b.length) return backtrack(trace, a.length, b.length)
    }
  }
  return replacement
}

const comesFromInsert = (reached: Int32Array, middle: number, k: number, edits: number): boolean =>
  k === -edits || (k !== edits && at(reached, middle + k - 1) < at(reached, middle + k + 1))

function backtrack(trace: readonly Int32Array[], width: number, height: number): Run[] {
  const runs: Run[] = []
  let x = width
  let y = height
  for (let edits = trace.length - 1; edits > 0; edits--) {
    const furthest = trace[edits] ?? new Int32Array()
    const k = x - y
    const insert = comesFromInsert(furthest, edits, k, edits)
    const previous = insert ? k + 1 : k - 1
    const fromX = at(furthest, edits + previous)
    const start = insert ? fromX : fromX + 1
    runs.push({ kind: 'keep', count: x - start }, { kind: insert ? 'insert' : 'delete', count: 1 })
    x = fromX
    y = fromX - previous
  }
  runs.push({ kind: 'keep', count: x })
  return runs.toReversed()
}

/** Merges adjacent runs of a kind, puts deletions before insertions, drops empty runs. */
function mergeRuns(runs: readonly Run[]): Run[] {
  const result: Run[] = []
  let deletedLines = 0
  let insertedLines = 0
  const flush = () => {
    if (deletedLines > 0) result.push({ kind: 'delete', count: deletedLines })
    if (insertedLines > 0) result.push({ kind: 'insert', count: insertedLines })
    deletedLines = 0
    insertedLines = 0
  }
  for (const { kind, count } of runs) {
    if (count === 0) continue
    if (kind === 'delete') deletedLines += count
    else if (kind === 'insert') insertedLines += count
    else {
      flush()
      const last = result.at(-1)
      if (last?.kind === 'keep') result[result.length - 1] = { kind, count: last.count + count }
      else result.push({ kind, count })
    }
  }
  flush()
  return result
}

const at = (numbers: Int32Array, index: number): number => numbers[index] ?? 0
