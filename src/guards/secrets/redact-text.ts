import { foldedBytes, narrow } from './redact-alphabet.ts'
import { readEscape, readEscapeOnce } from './redact-escape.ts'
import { joinsAt } from './redact-join.ts'
import type { TextPattern } from './redact-pattern.ts'
import { codeOf, lengthOf, readHex, readUtf8, skipUnseen, unknown } from './redact-unit.ts'

/** Results of the matchers besides the end of a match. */
export const none = 0
export const more = -1

/**
 * Bytes that can be read in more than one way: as themselves, or as part of an escape, a quotation or an invisible run.
 */
const ambiguous = new Uint8Array(256)
for (const byte of [0, 9, 10, 13, 0x1b, 0x20, 0x22, 0x25, 0x26, 0x27, 0x2b, 0x3d, 0x5c, 0x60]) ambiguous[byte] = 1
ambiguous.fill(1, 0x80)

const longestUnit = 16
/** The first byte of the wide forms of ASCII. */
const WIDE = 0xef

/**
 * Follows every reading of the bytes at `from` at once, and returns where the value ends: raw, percent-encoded,
 * escaped, quoted, as entities, with invisible sequences inside, and any mixture. Returns `more` if the bytes end too
 * early.
 */
export const matchText = (
  bytes: Uint8Array,
  from: number,
  end: number,
  pattern: TextPattern,
  final: boolean,
): number => {
  const want = pattern.bytes
  const size = want.length
  // Bounds the text that is held back, however much of it is invisible.
  const farthest = from + size * 16 + 512
  let search: Search | undefined
  let at = from
  let matchCount = 0
  // Of several ends, takes the first that leaves the next escape whole, so that the rest keeps its meaning.
  let best = none
  let bestWhole = none
  let cut = false
  let far = 0
  let farEnd = from
  for (;;) {
    while (matchCount < size && at < end) {
      const byte = bytes[at] ?? 0
      if (ambiguous[byte] === 1 || !same(byte, want[matchCount] ?? 0, pattern.fold)) break
      matchCount += 1
      at += 1
    }
    if (matchCount > far) {
      far = matchCount
      farEnd = at
    }
    if (matchCount === size) {
      best = Math.max(best, at)
      if (!splitsEscape(bytes, at) && (bestWhole === none || at < bestWhole)) bestWhole = at
    } else if (at >= end) cut ||= matchCount > 0
    else if (at < farthest && (ambiguous[bytes[at] ?? 0] === 1 || bytes[at + 1] === 8)) {
      search ??= { bytes, end, pattern, todo: [], seen: new Set(), cut: false }
      branch(search, at, matchCount)
      cut ||= search.cut || (matchCount > 0 && end - at < longestUnit)
    }
    if (search === undefined || search.todo.length === 0) break
    matchCount = search.todo.pop() ?? 0
    at = search.todo.pop() ?? 0
  }
  if (best > none) return bestWhole || best
  if (cut && !final) return more
  if (far < pattern.partial) return none
  return splitsEscape(bytes, farEnd) ? farEnd - 1 : farEnd
}

/** Reports whether a backslash just before this place belongs to what follows it. */
export const splitsEscape = (bytes: Uint8Array, at: number): boolean => {
  let run = 0
  while (bytes[at - 1 - run] === 0x5c) run += 1
  return run % 2 === 1
}

interface Search {
  readonly bytes: Uint8Array
  readonly end: number
  readonly pattern: TextPattern
  readonly todo: number[]
  readonly seen: Set<number>
  cut: boolean
}

const same = (byte: number, wanted: number, fold: boolean): boolean =>
  byte === wanted || (fold && foldedBytes[byte] === foldedBytes[wanted])

const go = (search: Search, at: number, known: number): void => {
  const state = at * (search.pattern.bytes.length + 1) + known
  if (search.seen.has(state)) return
  search.seen.add(state)
  search.todo.push(at, known)
}

const branch = (search: Search, at: number, known: number): void => {
  const { bytes, end, pattern } = search
  const byte = bytes[at] ?? 0
  const wantedByte = pattern.bytes[known] ?? 0
  if (same(byte, wantedByte, pattern.fold)) go(search, at + 1, known + 1)
  if (isBlank(wantedByte)) blanks(search, at, known)
  if (byte === 0x5c && wantedByte === 0x5c) backslashes(search, at, known)
  if (byte === 0x25 && wantedByte === 0x25) percents(search, at, known)
  if (byte === 0x27 && wantedByte === 0x27)
    for (const width of quoteWidths(bytes, at)) go(search, at + width, known + 1)
  if (byte === 0x22 && wantedByte === 0x22 && bytes[at + 1] === 0x22) go(search, at + 2, known + 1)
  if (byte === 0x3d && readHex(bytes, at + 1, 2, end) === wantedByte) go(search, at + 3, known + 1)
  const escapeCode = readEscape(bytes, at, end)
  character(search, at, known, escapeCode)
  character(search, at, known, readEscapeOnce(bytes, at, end))
  if (byte === WIDE) character(search, at, known, readUtf8(bytes, at, end))
  if (known === 0) return
  if (bytes[at + 1] === 8) go(search, at + 2, known)
  if (byte === 0x3d && bytes[at + 1] === 0x0a) go(search, at + 2, known)
  if (byte === 0x3d && bytes[at + 1] === 0x0d) go(search, at + 3, known)
  const next = skipUnseen(bytes, at, end, escapeCode || readUtf8(bytes, at, end))
  if (next === unknown) search.cut = true
  else if (next > at) go(search, next, known)
  if (!pattern.joins) return
  for (const joinEnd of joinsAt(bytes, at, end))
    if (joinEnd === unknown) search.cut = true
    else go(search, joinEnd, known)
}

const isBlank = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 9

/** Any run of blanks matches any other, and a plus matches a blank. */
const blanks = (search: Search, at: number, known: number): void => {
  const want = search.pattern.bytes
  if (search.bytes[at] === 0x2b) go(search, at + 1, known + 1)
  let next = at
  while (next < search.end && next - at < 64 && isBlank(search.bytes[next] ?? 0)) next += 1
  let wantedAt = known
  while (isBlank(want[wantedAt] ?? 0)) wantedAt += 1
  if (next > at) go(search, next, wantedAt)
}

/** One backslash of the value is one, two, four or eight in the text, depending on the levels of quoting. */
const backslashes = (search: Search, at: number, known: number): void => {
  let run = 1
  while (search.bytes[at + run] === 0x5c && run < 8) run += 1
  for (let width = 2; width <= run; width *= 2) go(search, at + width, known + 1)
}

/** One percent sign of the value is `%25`, `%2525` and so on, depending on the levels of encoding. */
const percents = (search: Search, at: number, known: number): void => {
  let next = at + 1
  while (search.bytes[next] === 0x32 && search.bytes[next + 1] === 0x35 && next - at < 9) {
    next += 2
    go(search, next, known + 1)
  }
}

/** A single quote inside single quotes, as a shell, SQL or PowerShell writes it. */
const quoteWidths = (bytes: Uint8Array, at: number): number[] => {
  const widths: number[] = []
  const next = [bytes[at + 1], bytes[at + 2], bytes[at + 3], bytes[at + 4]]
  if (next[0] === 0x27) widths.push(2)
  if (next[0] === 0x5c && next[1] === 0x27 && next[2] === 0x27) widths.push(4)
  if (next[0] === 0x5c && next[1] === 0x5c && next[2] === 0x27 && next[3] === 0x27) widths.push(5)
  if (next[0] === 0x22 && next[1] === 0x27 && next[2] === 0x22 && next[3] === 0x27) widths.push(5)
  return widths
}

const character = (search: Search, at: number, known: number, read: number): void => {
  if (read === 0) return
  const { bytes: want, fold } = search.pattern
  const code = narrow(codeOf(read))
  const next = at + lengthOf(read)
  if (code < 0x80) {
    if (same(code, want[known] ?? 0, fold)) go(search, next, known + 1)
    return
  }
  // Outside UTF-8, an escaped byte may also be a character of Latin-1 or a byte of UTF-16.
  if (code < 0x100 && want[known] === code) go(search, next, known + 1)
  const utf8Bytes = Buffer.from(String.fromCodePoint(code))
  if (utf8Bytes.every((byte, place) => want[known + place] === byte)) go(search, next, known + utf8Bytes.length)
}
