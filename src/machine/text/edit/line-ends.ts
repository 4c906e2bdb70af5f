import type { Place } from './find-text.ts'

/** Where the caller spoke of carriage returns and they were found as spoken, the new text goes in as given. */
export function withEndsOf(text: string, place: Place, given: { old: string; new: string; loose: boolean }): string {
  if (!given.loose && (given.old.includes('\r') || given.new.includes('\r'))) return given.new
  if (!given.new.includes('\n')) return given.new
  const ends = text.slice(place.start, place.end).match(/\r?\n/g) ?? [endNear(text, place)]
  let count = 0
  return given.new.replaceAll(/\r?\n/g, () => ends[Math.min(count++, ends.length - 1)] ?? '\n')
}

/** The line end that a line put here should have: that of its own line, else of the line before. */
export function endNear(text: string, { start, end }: Place): '\n' | '\r\n' {
  const next = text.indexOf('\n', end)
  const at = next === -1 ? text.lastIndexOf('\n', start) : next
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n'
}
