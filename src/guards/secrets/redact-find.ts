import { foldedBytes, hexDigit, isWord, noDigit } from './redact-alphabet.ts'
import { matchBase64, matchDecimal, matchHex } from './redact-code.ts'
import type { TextPattern } from './redact-pattern.ts'
import type { Patterns } from './redact-patterns.ts'
import { sweep } from './redact-sweep.ts'
import { matchText, more, none, splitsEscape } from './redact-text.ts'

export interface Match {
  readonly from: number
  readonly to: number
  readonly key: string
}

interface Found {
  /** In order, without overlaps. */
  readonly matches: readonly Match[]
  /** Bytes from here on may begin a secret whose end has not arrived yet. */
  readonly hold: number
}

/** Finds secrets in some bytes; `final` says that nothing follows them. */
export const findSecrets = (bytes: Uint8Array, patterns: Patterns, final: boolean): Found => {
  const end = bytes.length
  const matches: Match[] = []
  const passedPositions = new Map<object, number>()
  let hold = end

  const look = <Pattern extends { readonly key: string }>(
    pattern: Pattern,
    from: number,
    to: number,
    match: (bytes: Uint8Array, from: number, end: number, pattern: Pattern, final: boolean) => number,
  ): void => {
    for (let at = Math.max(from, passedPositions.get(pattern) ?? 0); at < to; at += 1) {
      const stop = match(bytes, at, end, pattern, final)
      if (stop === none) continue
      if (stop === more) {
        hold = Math.min(hold, at)
        continue
      }
      matches.push({ from: at, to: stop, key: pattern.key })
      passedPositions.set(pattern, stop)
      return
    }
  }

  const closer = (gram: number, at: number): void => {
    const from = Math.max(0, at - patterns.window)
    for (const pattern of patterns.byGram.get(gram) ?? [])
      if (pattern.kind === 'text') {
        const raw = at - pattern.span
        if (isRaw(bytes, raw, pattern)) look(pattern, raw, raw + 1, matchText)
        else look(pattern, from, at, matchText)
      } else if (pattern.kind === 'base64') look(pattern, from, at, matchBase64)
      else look(pattern, from, at, pattern.kind === 'hex' ? matchHex : matchDecimal)
  }

  sweep(bytes, end, patterns, closer)
  if (patterns.direct.length > 0) {
    const firsts = beginnings(patterns.direct)
    for (let at = 0; at < end; at += 1)
      if (firsts[bytes[at] ?? 0] === 1) for (const pattern of patterns.direct) look(pattern, at, at + 1, matchText)
  }
  for (const { key, bytes: word } of patterns.words)
    for (const from of wholeWords(bytes, word)) matches.push({ from, to: from + word.length, key })
  return { matches: matches.length === 0 ? matches : mergeMatches(matches, bytes), hold }
}

/** Reports whether the first gram of the value appears here unencoded: then no other beginning need be tried. */
const isRaw = (bytes: Uint8Array, from: number, pattern: TextPattern): boolean => {
  if (from < 0) return false
  for (let at = 0; at < pattern.span; at += 1)
    if (foldedBytes[bytes[from + at] ?? 0] !== foldedBytes[pattern.bytes[at] ?? 0]) return false
  return true
}

const beginnings = (patterns: readonly TextPattern[]): Uint8Array => {
  const firsts = new Uint8Array(256)
  for (const byte of Buffer.from('\\%&=\'"')) firsts[byte] = 1
  for (const pattern of patterns) {
    const first = pattern.bytes[0] ?? 0
    for (let byte = 0; byte < 256; byte += 1) if (foldedBytes[byte] === foldedBytes[first]) firsts[byte] = 1
  }
  return firsts
}

const wholeWords = (bytes: Uint8Array, word: Uint8Array): number[] => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const places: number[] = []
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!joins(text[at - 1]) && !joins(text[at + word.length])) places.push(at)
  return places
}

const joins = (byte: number | undefined): boolean =>
  byte !== undefined && (isWord(byte) || byte === 0x5f || byte >= 0x80)

/** Merges overlapping matches, named after the one that began first and reached farthest. */
const mergeMatches = (matches: Match[], bytes: Uint8Array): Match[] => {
  const separateMatches: Match[] = []
  const sortedMatches = matches
    .map(match => ({ ...match, from: wholeEscape(bytes, match.from) }))
    .toSorted((one, other) => one.from - other.from || other.to - one.to)
  for (const match of sortedMatches) {
    const last = separateMatches.at(-1)
    if (last === undefined || match.from >= last.to) separateMatches.push(match)
    else if (match.to > last.to) separateMatches[separateMatches.length - 1] = { ...last, to: match.to }
  }
  return separateMatches
}

/** Extends a match that begins inside an escape to all of it, so that no half is left to corrupt the text before. */
const wholeEscape = (bytes: Uint8Array, from: number): number => {
  const before = String.fromCharCode(...bytes.subarray(Math.max(0, from - 8), from))
  const digit = (hexDigit[bytes[from] ?? 0] ?? noDigit) !== noDigit
  const start = from - (digit ? (begun.exec(before)?.[0].length ?? 0) : 0)
  return splitsEscape(bytes, start) ? start - 1 : start
}

const begun = /(?:\\u[\da-f]{0,3}|\\x[\da-f]?|%[\da-f]?|0x|&#x?[\da-f]{0,5})$/i
