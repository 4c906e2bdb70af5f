import type { Concealer } from '../../kernel/conceal.ts'
import { findSecrets, type Match } from './redact-find.ts'
import { createPatterns, type Patterns } from './redact-patterns.ts'
import { redactValue } from './redact-value.ts'
import { partialBytes } from './redact-pattern.ts'

/** Replaces secrets by `[redacted:KEY]`, in any common encoding. */
export interface Redactor extends Concealer {
  text(text: string): string
  bytes(bytes: Buffer): Buffer
  /** Redacts every string of a value, object keys too; a value without secrets is returned as it is. */
  value<T>(value: T): T
  stream(): RedactStream
}

/** The same over chunks: holds back only text that could start a secret, and flushes it at the end. */
interface RedactStream {
  push(chunk: Buffer): Buffer
  end(): Buffer
}

/**
 * Creates a redactor for these secrets. It finds raw values and base64, hexadecimal, percent, JSON, HTML, shell and
 * UTF-16 forms, also wrapped, mixed, split by invisible sequences, in the other case, and the first half of long
 * values. It does not find values that were reversed, shifted, spaced out, hashed, compressed or encrypted, nor their
 * last characters.
 */
export const createRedactor = (secrets: ReadonlyMap<string, string>): Redactor => {
  const worthwhile = new Map([...secrets].filter(([, value]) => value.trim().length > 1))
  return worthwhile.size === 0 ? identity : redactorOf(createPatterns(worthwhile), worthwhile)
}

const identity: Redactor = {
  text: text => text,
  bytes: bytes => bytes,
  value: value => value,
  stream: () => ({ push: chunk => chunk, end: () => Buffer.alloc(0) }),
  part: (bytes, from, to) => bytes.subarray(from, to),
  reach: 0,
}

const isNumber = (value: string): boolean => /^\s*-?[\d.]+\s*$/.test(value)

const redactorOf = (patterns: Patterns, secrets: ReadonlyMap<string, string>): Redactor => {
  const numbers = [...secrets.values()].some(isNumber)
  const edges = redactEdges(secrets)
  const bytes = (input: Buffer): Buffer => {
    const { matches } = findSecrets(input, patterns, true)
    if (matches.length === 0) return input
    const [only] = matches
    // A JSON document that is entirely the secret must still parse as JSON for its reader.
    if (only?.from === 0 && only.to === input.length && isDocument(input))
      return Buffer.from(`"[redacted:${only.key}]"`)
    return replaceMatches(input, matches, input.length)
  }
  const text = (input: string): string => {
    if (input.length < 2) return input
    const before = Buffer.from(input)
    const after = bytes(before)
    return edges(after === before ? input : after.toString())
  }
  const part: Redactor['part'] = (whole, from, to) =>
    partOf(whole, findSecrets(whole, patterns, true).matches, from, to)
  return {
    text,
    bytes,
    value: value => redactValue(value, { text, bytes, part, numbers }),
    stream: () => streamOf(patterns),
    part,
    reach: patterns.reach,
  }
}

const streamOf = (patterns: Patterns): RedactStream => {
  let pendingBytes: Buffer = Buffer.alloc(0)
  return {
    push: chunk => {
      const bytes = pendingBytes.length === 0 ? chunk : Buffer.concat([pendingBytes, chunk])
      const { matches, hold } = findSecrets(bytes, patterns, false)
      const keep = keepFrom(bytes, matches, Math.min(hold, bytes.length - patterns.window))
      // A copy, because the caller may reuse the memory of the chunk.
      pendingBytes = Buffer.from(bytes.subarray(keep))
      return replaceMatches(bytes, matches, keep)
    },
    end: () => {
      const bytes = pendingBytes
      pendingBytes = Buffer.alloc(0)
      return replaceMatches(bytes, findSecrets(bytes, patterns, true).matches, bytes.length)
    },
  }
}

/** Reports whether this is an object or a list; a bare number may as well be text. */
const isDocument = (bytes: Buffer): boolean => bytes[0] === 0x7b || bytes[0] === 0x5b

/** Returns the last place before `wanted` that splits neither a match nor a character. */
const keepFrom = (bytes: Buffer, matches: readonly Match[], wanted: number): number => {
  let keep = Math.max(0, wanted)
  while (keep > 0 && ((bytes[keep] ?? 0) & 0xc0) === 0x80 && wanted - keep < 4) keep -= 1
  for (const match of matches.toReversed()) if (match.from < keep && match.to >= keep) keep = match.from
  return keep
}

const replaceMatches = (bytes: Buffer, matches: readonly Match[], end: number): Buffer => {
  const pieces: Buffer[] = []
  let copiedTo = 0
  for (const match of matches) {
    if (match.from >= end) break
    pieces.push(bytes.subarray(copiedTo, match.from), Buffer.from(markerFor(bytes, match)))
    copiedTo = match.to
  }
  if (copiedTo === 0) return bytes.subarray(0, end)
  pieces.push(bytes.subarray(copiedTo, Math.max(copiedTo, end)))
  return Buffer.concat(pieces)
}

/** Line ends stay, so that lines keep their numbers. */
const partOf = (bytes: Buffer, matches: readonly Match[], from: number, to: number): Buffer => {
  const pieces: Buffer[] = []
  let copiedTo = from
  for (const match of matches) {
    if (match.to <= from) continue
    if (match.from >= to) break
    const start = Math.max(from, match.from)
    const end = Math.min(to, match.to)
    const inside = bytes.toString('latin1', start, end)
    const lines = inside.replaceAll(/[^\r\n]+/g, () => markerFor(bytes, match))
    pieces.push(bytes.subarray(copiedTo, start), Buffer.from(lines))
    copiedTo = end
  }
  if (pieces.length === 0) return bytes.subarray(from, to)
  pieces.push(bytes.subarray(copiedTo, to))
  return Buffer.concat(pieces)
}

/** The marker is a JSON string if the secret was a whole JSON value, such as a number. */
const markerFor = (bytes: Buffer, match: Match): string => {
  const plain = `[redacted:${match.key}]`
  const first = bytes[match.from] ?? 0
  const valueLike = (first > 0x2f && first < 0x3a) || first === 0x7b || first === 0x5b || first === 0x22
  if (!valueLike) return plain
  const before = /(?:"\s*:|[[,])\s*$/.test(bytes.toString('latin1', Math.max(0, match.from - 16), match.from))
  const after = /^\s*[,\]}]/.test(bytes.toString('latin1', match.to, match.to + 16))
  return before && after ? `"${plain}"` : plain
}

/** A shorter piece of a value may be any word. */
const SHORTEST = 6

/** What stands in place of the rest of a text that was cut. */
const CUT_END = /(?:\s?(?:…|\.{3}|\[\.{3})[^\n]{0,80})?$/
const CUT_START = /^(?:…|\.{3})?\s?/

/**
 * Returns a function that redacts what a cut may have left of these values at the beginning or end of a text. The texts
 * that we cut are redacted before; this is for those that come cut from programs and servers, and for messages.
 */
function redactEdges(secrets: ReadonlyMap<string, string>): (text: string) => string {
  const values = [...secrets]
    .map(([key, value]) => ({ marker: `[redacted:${key.replace(/[^\w.-]/g, '_')}]`, value: value.trim() }))
    .filter(({ value }) => partialBytes(value) !== Infinity)
  if (values.length === 0) return text => text
  return text => {
    if (text.length < SHORTEST) return text
    let result = text
    for (const { marker, value } of values) result = withoutEnd(withoutStart(result, value, marker), value, marker)
    return result
  }
}

function withoutEnd(text: string, value: string, marker: string): string {
  const end = CUT_END.exec(text)?.index ?? text.length
  const first = value.slice(0, SHORTEST)
  for (
    let at = text.indexOf(first, Math.max(0, end - value.length));
    at >= 0 && at < end;
    at = text.indexOf(first, at + 1)
  )
    if (value.startsWith(text.slice(at, end)) && givesAway(text.slice(at, end)))
      return text.slice(0, at) + marker + text.slice(end)
  return text
}

function withoutStart(text: string, value: string, marker: string): string {
  const start = CUT_START.exec(text)?.[0].length ?? 0
  const last = value.slice(-SHORTEST)
  for (
    let at = text.lastIndexOf(last, start + value.length);
    at >= start;
    at = at === 0 ? -1 : text.lastIndexOf(last, at - 1)
  ) {
    const piece = text.slice(start, at + SHORTEST)
    if (value.endsWith(piece) && givesAway(piece))
      return text.slice(0, start) + marker + text.slice(start + piece.length)
  }
  return text
}

/** Reports whether a piece looks random, not like a word or the beginning that all keys of a service share. */
const givesAway = (piece: string): boolean =>
  piece.length >= SHORTEST && [/[a-z]/, /[A-Z]/, /\d/].filter(kind => kind.test(piece)).length > 1
