import { changedLines, tellingLine } from './changed-lines.ts'

/** Most characters before the first difference, and those that stay of more. */
const MOST_BEFORE = 60
const KEPT_BEFORE = 30

/**
 * Returns the old and the new line of the first file of which lines change; those of two files are no pair. Omits what
 * would hide the difference from a person: a long beginning that both have, and marks of the file's format.
 */
export function firstChange(diffs: readonly string[]): readonly string[] {
  for (const diff of diffs) {
    const { added, removed } = changedLines(diff)
    const lines = [tellingLine(removed), tellingLine(added)].filter(line => line !== undefined)
    if (lines.length > 0) return fromDifference(withoutMarks(lines, [...removed, ...added]))
  }
  return []
}

const BYTE_ORDER_MARK = '\uFEFF'

/** Omits carriage returns if all changed lines have one, and the byte order mark if both lines have it. */
function withoutMarks(lines: readonly string[], changed: readonly string[]): readonly string[] {
  const isWindows = changed.every(line => line.endsWith('\r'))
  const isMarked = lines.every(line => line[1] === BYTE_ORDER_MARK)
  return lines
    .map(line => (isWindows ? line.slice(0, -1) : line))
    .map(line => (isMarked ? `${line[0]}${line.slice(2)}` : line))
}

/** Cuts a long common beginning, because clients cut the end of a line. */
function fromDifference([old, now, ...none]: readonly string[]): readonly string[] {
  if (old === undefined || now === undefined) return [old, now, ...none].filter(line => line !== undefined)
  let same = 1
  while (same < old.length && old[same] === now[same]) same++
  if (same <= MOST_BEFORE) return [old, now]
  // Not inside a surrogate pair.
  const from = same - KEPT_BEFORE - (/[\uDC00-\uDFFF]/.test(old[same - KEPT_BEFORE] ?? '') ? 1 : 0)
  return [old, now].map(line => `${line[0]}…${line.slice(from)}`)
}
