import { besideLiteral, type Beside } from './beside-literal.ts'
import { lineEnd, lineStart, nextOf, type Next } from './literal-finder.ts'
import { neededLiterals } from './required-literals.ts'
import { rangesOf } from './code-points.ts'
import type { Syntax } from './syntax.ts'
import type { LineSink } from './types.ts'

/** Above this many ASCII characters, nearly every line is one stretch. */
const MOST_KINDS = 96

/** Reports whether the expression matches in a part of a line. */
type Matches = (part: Buffer) => boolean

/** Text that is read to learn which of the alternatives is rarest. */
const LEARNED_BYTES = 262_144

/**
 * Finds lines by the texts that every match contains: looks for the rarest, and closely only where the others are too.
 * Returns undefined if there are no such texts.
 */
export function candidateFinder(
  syntax: Syntax,
  matches: Matches,
): ((text: Buffer, sink: LineSink) => void) | undefined {
  const every = neededLiterals(syntax).map(texts => needOf(syntax, texts))
  if (every.length === 0) return undefined
  const stretch = stretchOf(syntax)
  const isLine = stretch === LINE
  const order = rarestFirst(every)
  return (text, sink) => {
    const [rarest, ...others] = order(text)
    const next = rarest?.in(text)
    for (let hit = next?.(0) ?? -1; hit >= 0;) {
      if (rarest?.beside?.(text, hit) === false) {
        hit = next?.(hit + 1) ?? -1
        continue
      }
      const end = stretch.end(text, hit)
      // The end of a line decides whether its last character is a line break.
      const part = text.subarray(stretch.start(text, hit), isLine ? end + 1 : end)
      const isMatch = others.every(one => one.in(part)(0) >= 0) && matches(part)
      const last = isMatch && !isLine ? lineEnd(text, end) : end
      if (isMatch && sink(lineStart(text, hit), last)) return
      hit = last + 1 < text.length ? (next?.(last + 1) ?? -1) : -1
    }
  }
}

/** Texts of which every match contains one. */
interface Need {
  in(text: Buffer): Cursor
  /** Looks around one text, which takes a fraction of a closer look. */
  readonly beside?: Beside | undefined
}

function needOf(syntax: Syntax, texts: readonly string[]): Need {
  const [only = '', second] = texts
  return {
    in: anyOf(texts.map(one => nextOf(Buffer.from(one)))),
    beside: second === undefined ? besideLiteral(syntax, only) : undefined,
  }
}

/** Returns the next offset from an offset that only grows, or -1. */
type Cursor = (from: number) => number

/** Finds any of some literals in a text; looks at no byte twice for one of them. */
function anyOf(each: readonly Next[]): (text: Buffer) => Cursor {
  const [only, second] = each
  if (only && !second) return text => from => only(text, from)
  return text => {
    const hits = each.map(() => -2)
    return from => {
      let first = -1
      for (let at = 0; at < each.length; at++) {
        let hit = hits[at] as number
        if (hit !== -1 && hit < from) hits[at] = hit = each[at]?.(text, from) ?? -1
        if (hit >= 0 && (first < 0 || hit < first)) first = hit
      }
      return first
    }
  }
}

/** Orders the alternatives by how often the first texts hold them. */
function rarestFirst(every: readonly Need[]) {
  let order = every
  let bytesRead = 0
  const counts = every.map(() => 0)
  return (text: Buffer): readonly Need[] => {
    if (every.length === 1 || bytesRead >= LEARNED_BYTES) return order
    bytesRead += text.length
    for (const [at, one] of every.entries()) {
      const next = one.in(text)
      for (let hit = next(0); hit >= 0; hit = next(hit + 1)) counts[at] = (counts[at] ?? 0) + 1
    }
    const rank = new Map(every.map((one, at) => [one, counts[at] ?? 0]))
    order = every.toSorted((one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0))
    return order
  }
}

/** The part of a line around a byte in which a match that contains this byte must lie. */
interface Stretch {
  start(text: Buffer, at: number): number
  /** The offset of the byte that ends it, or the end of the text. */
  end(text: Buffer, at: number): number
}

const LINE: Stretch = { start: lineStart, end: lineEnd }

/** A match lies between two bytes that it cannot contain. What looks around is decided by the whole line. */
function stretchOf(syntax: Syntax): Stretch {
  const may = new Uint8Array(256)
  if (!markBytes(syntax, may) || may.subarray(0, 128).reduce((sum, one) => sum + one, 0) > MOST_KINDS) return LINE
  return {
    start(text, at) {
      let place = at
      while (place > 0 && may[text[place - 1] as number] === 1) place--
      return place
    },
    end(text, at) {
      let place = at
      while (place < text.length && may[text[place] as number] === 1) place++
      return place
    },
  }
}

/** Marks the bytes that a match may contain. Returns false if it also depends on others. */
function markBytes(syntax: Syntax, may: Uint8Array): boolean {
  switch (syntax.kind) {
    case 'look':
      return false
    case 'set':
      for (const [first, last] of rangesOf(syntax.set)) {
        may.fill(1, first, Math.min(last, 0x7f) + 1)
        if (last > 0x7f) may.fill(1, 0x80)
      }
      return true
    case 'repeat':
      return markBytes(syntax.part, may)
    default:
      return syntax.parts.every(part => markBytes(part, may))
  }
}
