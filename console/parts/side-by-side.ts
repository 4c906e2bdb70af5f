import type { DiffLine } from './unified-diff.ts'

/** Puts removed lines beside the added ones that replace them. */
export function sideBySide(
  lines: readonly DiffLine[],
): readonly (readonly [DiffLine | undefined, DiffLine | undefined])[] {
  const rows: [DiffLine | undefined, DiffLine | undefined][] = []
  let open = 0
  for (const line of lines) {
    if (line.kind === 'context') {
      rows.push([line, line])
      open = rows.length
    } else if (line.kind === 'remove') rows.push([line, undefined])
    else {
      const free = rows.findIndex((row, at) => at >= open && row[1] === undefined)
      const row = free < 0 ? undefined : rows[free]
      if (row) row[1] = line
      else rows.push([undefined, line])
    }
  }
  return rows
}
