import { unknown } from './redact-unit.ts'

/** A longer run of blanks, operators and quotes is no join. */
const longest = 96
const longestMark = 6

/**
 * Returns where the next part of a value may begin after what joins two parts: the quotes and the operator between two
 * strings, as in `"a" + "b"`, or a line end with the indentation, comment or diff mark of the next line. `unknown` is
 * among them if the bytes end inside.
 */
export function joinsAt(bytes: Uint8Array, from: number, end: number): readonly number[] {
  const open = skipBackslashes(bytes, from)
  const first = bytes[open] ?? 0
  if (isLineEnd(first)) return lineStarts(bytes, open, end)
  if (!isQuote(first)) return []
  const between = skipRun(bytes, open + 1, end, operators)
  const close = between === unknown ? end : skipBackslashes(bytes, between)
  if (close >= end) return [unknown]
  return isQuote(bytes[close] ?? 0) ? [close + 1] : []
}

/** The value may begin with what also marks a line, so each place up to the end of the marks counts. */
function lineStarts(bytes: Uint8Array, from: number, end: number): readonly number[] {
  const start = skipRun(bytes, from, end, blanks)
  if (start === unknown) return [unknown]
  const places = [start]
  for (let at = start; at - start < longestMark && margins[bytes[at] ?? 0] === 1; at += 1) places.push(at + 1)
  return places.map(place => (place >= end ? unknown : place))
}

function skipRun(bytes: Uint8Array, from: number, end: number, marks: Uint8Array): number {
  let at = from
  while (at < end && at - from < longest && marks[bytes[at] ?? 0] === 1) at += 1
  return at >= end ? unknown : at
}

function skipBackslashes(bytes: Uint8Array, from: number): number {
  let at = from
  while (bytes[at] === 0x5c && at - from < 4) at += 1
  return at
}

const isLineEnd = (byte: number): boolean => byte === 0x0a || byte === 0x0d
const isQuote = (byte: number): boolean => byte === 0x22 || byte === 0x27 || byte === 0x60

const table = (text: string): Uint8Array => {
  const marks = new Uint8Array(256)
  for (const byte of Buffer.from(text)) marks[byte] = 1
  return marks
}

const blanks = table(' \t\r\n')
const operators = table(' \t\r\n+.&|,~<()')
const margins = table(' \t\r\n+->#/*|;')
