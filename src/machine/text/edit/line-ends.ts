import type { Place } from './find-text.ts'

/**
 * Converts the new text's line ends to those of the place. Inserts it as given if the edit names carriage returns and
 * matched exactly.
 */
export function withEndsOf(text: string, place: Place, edit: { old: string; new: string; loose: boolean }): string {
  if (!edit.loose && (edit.old.includes('\r') || edit.new.includes('\r'))) return edit.new
  if (!edit.new.includes('\n')) return edit.new
  const ends = text.slice(place.start, place.end).match(/\r?\n/g) ?? [endNear(text, place)]
  let count = 0
  return edit.new.replaceAll(/\r?\n/g, () => ends[Math.min(count++, ends.length - 1)] ?? '\n')
}

/** Returns the line end for a new line here: that of its own line, otherwise of the line before. */
export function endNear(text: string, { start, end }: Place): '\n' | '\r\n' {
  const next = text.indexOf('\n', end)
  const at = next === -1 ? text.lastIndexOf('\n', start) : next
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n'
}
