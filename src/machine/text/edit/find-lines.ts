import { plainLine, splitLines } from './plain-line.ts'

/** Lines of a text with their start and end positions, excluding the line end. */
export interface Lines {
  readonly lines: readonly string[]
  readonly starts: readonly number[]
}

/** Number of places after which "several" suffices. */
const ENOUGH = 20

export function linesOf(text: string): Lines {
  const lines = splitLines(text)
  const starts: number[] = []
  let at = 0
  for (const _ of lines) {
    starts.push(at)
    at = text.indexOf('\n', at) + 1
  }
  return { lines, starts }
}

/**
 * Returns the first lines (0-based) of the places where these lines occur in sequence, ignoring blanks around them and
 * typographic quotes and dashes. Counts overlapping places, because an edit needs a unique one.
 */
export function findLines(text: readonly string[], old: readonly string[]): number[] {
  const ids = new Map<string, number>()
  const wantedIds = old.map(line => idOf(ids, plainLine(line)))
  const anchor = longest(old)
  if (anchor === -1) return []
  const textIds = Int32Array.from(text, line => ids.get(plainLine(line)) ?? -1)
  const places: number[] = []
  for (
    let at = textIds.indexOf(wantedIds[anchor] ?? 0);
    at !== -1;
    at = textIds.indexOf(wantedIds[anchor] ?? 0, at + 1)
  ) {
    const start = at - anchor
    if (start < 0 || start + wantedIds.length > textIds.length) continue
    if (wantedIds.every((id, i) => textIds[start + i] === id)) places.push(start)
    if (places.length === ENOUGH) break
  }
  return places
}

function idOf(ids: Map<string, number>, line: string): number {
  const id = ids.get(line) ?? ids.size
  ids.set(line, id)
  return id
}

/**
 * Returns the longest line, which is probably the rarest, or -1 if all are blank, since those would match any blank
 * lines.
 */
function longest(lines: readonly string[]): number {
  let best = -1
  let length = 0
  for (const [i, line] of lines.entries()) {
    if (line.trim().length <= length) continue
    best = i
    length = line.trim().length
  }
  return best
}
