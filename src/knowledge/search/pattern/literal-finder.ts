import type { LineSink } from './types.ts'

const NEWLINE = 10

/** Finds the lines that hold one of these byte sequences. */
export function literalFinder(literals: readonly Buffer[]): (text: Buffer, sink: LineSink) => void {
  const each = literals.map(nextOf)
  const [only, second] = each
  if (only !== undefined && second === undefined) return (text, sink) => findOne(text, only, sink)
  return (text, sink) => findSome(text, each, sink)
}

/** Returns the next offset of a literal in a text, or -1. */
export type Next = (text: Buffer, from: number) => number

/** A longer text is searched with a table of steps, which takes several times as long as looking for its first byte. */
const LONGEST = 7

/** Searches a few bytes from the rarest one of the literal, which takes a fraction of the time. */
export function nextOf(literal: Buffer): Next {
  const lead = rarestPlace(literal)
  const some = literal.subarray(lead, lead + LONGEST)
  if (some.length === literal.length) return (text, from) => text.indexOf(literal, from)
  const end = lead + some.length
  return (text, from) => {
    for (let at = text.indexOf(some, from + lead); at >= 0; at = text.indexOf(some, at + 1)) {
      const start = at - lead
      let place = lead
      while (place > 0 && text[start + place - 1] === literal[place - 1]) place--
      if (place > 0) continue
      place = end
      while (place < literal.length && text[start + place] === literal[place]) place++
      if (place === literal.length) return start
    }
    return -1
  }
}

function findOne(text: Buffer, next: Next, sink: LineSink): void {
  for (let hit = next(text, 0); hit >= 0;) {
    const end = lineEnd(text, hit)
    if (sink(lineStart(text, hit), end)) return
    hit = end + 1 < text.length ? next(text, end + 1) : -1
  }
}

function findSome(text: Buffer, each: readonly Next[], sink: LineSink): void {
  const hits: number[] = []
  for (const next of each) hits.push(next(text, 0))
  for (;;) {
    let first = -1
    for (const hit of hits) if (hit >= 0 && (first < 0 || hit < first)) first = hit
    if (first < 0) return
    const end = lineEnd(text, first)
    if (sink(lineStart(text, first), end) || end + 1 >= text.length) return
    for (let at = 0; at < hits.length; at++) {
      const hit = hits[at] as number
      if (hit >= 0 && hit < end) hits[at] = each[at]?.(text, end + 1) ?? -1
    }
  }
}

/** Most lines are shorter than this. Calling another searcher costs as much as this many bytes. */
const NEAR = 48

/** Returns the start of the line with this byte. */
export function lineStart(text: Buffer, at: number): number {
  const least = Math.max(0, at - NEAR)
  for (let place = at - 1; place >= least; place--) if (text[place] === NEWLINE) return place + 1
  return least === 0 ? 0 : text.lastIndexOf(NEWLINE, least - 1) + 1
}

/** Returns the offset of the line feed that ends the line with this byte, or the end of the text. */
export function lineEnd(text: Buffer, at: number): number {
  const most = Math.min(text.length, at + NEAR)
  for (let place = at; place < most; place++) if (text[place] === NEWLINE) return place
  const newline = text.indexOf(NEWLINE, most)
  return newline < 0 ? text.length : newline
}

/** Bytes of source code in classes, each about half as frequent as the one before; bytes not listed are rarer still. */
const CLASSES = [' ', 'et"', 'nairosl,', 'dcuhmpgf.:[]\n', '*/v0y;b()=MEDCSTIRNA', "{}LwO'-1_PHk|FU$x#"]
/** Shortest text to search for, so that false hits are rare. */
const SHORTEST = 3

const frequency = new Uint8Array(256)
for (const [at, bytes] of CLASSES.entries())
  for (const byte of Buffer.from(bytes)) frequency[byte] = CLASSES.length - at

/** Returns the position of the literal's rarest byte, unless too little would follow. */
function rarestPlace(literal: Uint8Array): number {
  let place = 0
  for (let at = 1; at <= literal.length - SHORTEST; at++)
    if (frequencyAt(literal, at) < frequencyAt(literal, place)) place = at
  return place
}

const frequencyAt = (literal: Uint8Array, at: number): number => frequency[literal[at] as number] as number
