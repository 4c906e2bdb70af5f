import type { Flags } from './flags.ts'

/** Parser state: the pattern's characters, the position, and the flags that apply there. */
export interface Reader {
  readonly chars: readonly string[]
  at: number
  flags: Flags
  depth: number
}

export const peek = (reader: Reader, ahead = 0): string => reader.chars[reader.at + ahead] ?? ''

/** Consumes these characters if they come next. */
export function take(reader: Reader, text: string): boolean {
  const chars = [...text]
  if (!chars.every((char, place) => peek(reader, place) === char)) return false
  reader.at += chars.length
  return true
}

/** Matches the expression here and consumes the match. */
export function takeMatch(reader: Reader, expression: RegExp): RegExpExecArray | undefined {
  const match = expression.exec(reader.chars.slice(reader.at, reader.at + LONGEST).join(''))
  if (match === null) return undefined
  reader.at += [...match[0]].length
  return match
}

const LONGEST = 200

/** Skips white space and comments under `x`. */
export function passSpace(reader: Reader): void {
  if (!reader.flags.spaced) return
  for (;;) {
    if (/^[ \t\v\f\x85\u200e\u200f\u2028\u2029]$/.test(peek(reader))) reader.at++
    // A pattern has no line breaks: a comment runs to its end.
    else if (peek(reader) === '#') reader.at = reader.chars.length
    else return
  }
}
