import type { DiffLine } from './unified-diff.ts'

/** The part of a line that differs from its counterpart. */
export interface Span {
  readonly from: number
  readonly to: number
}

/**
 * Finds, for removed lines that are followed by as many added ones, the words that differ. Lines that share little are
 * not compared: marks all over say nothing.
 */
export function changedWords(lines: readonly DiffLine[]): ReadonlyMap<DiffLine, Span> {
  const spans = new Map<DiffLine, Span>()
  for (let at = 0; at < lines.length; at++) {
    const removed = run(lines, at, 'remove')
    if (removed.length === 0) continue
    const added = run(lines, at + removed.length, 'add')
    for (const [index, before] of removed.entries()) {
      const after = added[index]
      const pair = after && difference(before.text, after.text)
      if (!pair || !after) continue
      if (pair.before.to > pair.before.from) spans.set(before, pair.before)
      if (pair.after.to > pair.after.from) spans.set(after, pair.after)
    }
    at += removed.length + added.length - 1
  }
  return spans
}

function run(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): readonly DiffLine[] {
  const end = lines.findIndex((line, at) => at >= from && line.kind !== kind)
  return lines.slice(from, end < 0 ? undefined : end)
}

function difference(before: string, after: string): { readonly before: Span; readonly after: Span } | undefined {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const shared = before.slice(0, start).trim().length + end
  if (shared * 3 < shorter) return undefined
  const [from, tail] = [wordStart(before, start), wordTail(before, end)]
  return {
    before: { from, to: before.length - tail },
    after: { from, to: after.length - Math.min(tail, after.length - from) },
  }
}

const WORD = /[\p{L}\p{N}_$]/u

/** Moves back to the beginning of the word that differs. */
function wordStart(text: string, at: number): number {
  let start = at
  while (start > 0 && WORD.test(text[start - 1] ?? '') && WORD.test(text[at] ?? ' ')) start--
  return start
}

/** The length of what follows the last word that differs. */
function wordTail(text: string, tail: number): number {
  let rest = tail
  const edge = text[text.length - tail - 1] ?? ' '
  while (rest > 0 && WORD.test(text[text.length - rest] ?? '') && WORD.test(edge)) rest--
  return rest
}
