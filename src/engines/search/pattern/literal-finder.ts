import type { LineSink } from './types.ts'

const NEWLINE = 10

/** Finds the lines that hold one of these byte sequences. */
export function literalFinder(literals: readonly Buffer[]): (text: Buffer, sink: LineSink) => void {
  const [only, second] = literals
  if (only !== undefined && second === undefined) return (text, sink) => findOne(text, only, sink)
  return (text, sink) => findSome(text, literals, sink)
}

function findOne(text: Buffer, literal: Buffer, sink: LineSink): void {
  for (let hit = text.indexOf(literal); hit >= 0;) {
    const end = lineEnd(text, hit)
    if (sink(lineStart(text, hit), end)) return
    hit = end + 1 < text.length ? text.indexOf(literal, end + 1) : -1
  }
}

function findSome(text: Buffer, literals: readonly Buffer[], sink: LineSink): void {
  let next = literals.map(literal => ({ literal, hit: text.indexOf(literal) })).filter(({ hit }) => hit >= 0)
  while (next.length > 0) {
    const first = next.reduce((least, { hit }) => Math.min(least, hit), text.length)
    const end = lineEnd(text, first)
    if (sink(lineStart(text, first), end)) return
    if (end + 1 >= text.length) return
    for (const one of next) if (one.hit < end) one.hit = text.indexOf(one.literal, end + 1)
    next = next.filter(({ hit }) => hit >= 0)
  }
}

/** Where the line of this byte begins. */
export function lineStart(text: Buffer, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf(NEWLINE, at - 1) + 1
}

/** Where the line feed is that ends the line of this byte, or the end of the text. */
export function lineEnd(text: Buffer, at: number): number {
  const newline = text.indexOf(NEWLINE, at)
  return newline < 0 ? text.length : newline
}
