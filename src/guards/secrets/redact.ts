import { findSecrets } from './redact-find.ts'
import type { Match } from './redact-find.ts'
import { createPatterns } from './redact-patterns.ts'
import type { Patterns } from './redact-patterns.ts'
import { redactValue } from './redact-value.ts'

/** Puts `[redacted:KEY]` where a secret stands, whatever common encoding it stands in. */
export interface Redactor {
  text(text: string): string
  bytes(bytes: Buffer): Buffer
  /** Every string of a value, object keys too; what holds no secret is returned as it is. */
  value<T>(value: T): T
  stream(): RedactStream
}

/** The same over chunks: it holds back only what may be the beginning of a secret, and gives the rest at the end. */
interface RedactStream {
  push(chunk: Buffer): Buffer
  end(): Buffer
}

/**
 * A redactor for these secrets. It sees raw values and base64, hexadecimal, percent, JSON, HTML, shell and UTF-16 forms,
 * also wrapped, mixed, split by sequences that nobody sees, in the other case, and the first half of long values.
 * It does not see values that were reversed, shifted, spaced out, hashed, compressed or encrypted, nor their last characters.
 */
export const createRedactor = (secrets: ReadonlyMap<string, string>): Redactor => {
  const worthwhile = new Map([...secrets].filter(([, value]) => value.trim().length > 1))
  return worthwhile.size === 0
    ? identity
    : redactorOf(createPatterns(worthwhile), [...worthwhile.values()].some(isNumber))
}

const identity: Redactor = {
  text: text => text,
  bytes: bytes => bytes,
  value: value => value,
  stream: () => ({ push: chunk => chunk, end: () => Buffer.alloc(0) }),
}

const isNumber = (value: string): boolean => /^\s*-?[\d.]+\s*$/.test(value)

const redactorOf = (patterns: Patterns, numbers: boolean): Redactor => {
  const bytes = (input: Buffer): Buffer => {
    const { matches } = findSecrets(input, patterns, true)
    if (matches.length === 0) return input
    const [only] = matches
    // A JSON document that is the secret from end to end is still read as JSON by whoever gets it.
    if (only?.from === 0 && only.to === input.length && isDocument(input))
      return Buffer.from(`"[redacted:${only.key}]"`)
    return replaced(input, matches, input.length)
  }
  const text = (input: string): string => {
    if (input.length < 2) return input
    const before = Buffer.from(input)
    const after = bytes(before)
    return after === before ? input : after.toString()
  }
  return { text, bytes, value: value => redactValue(value, { text, bytes, numbers }), stream: () => streamOf(patterns) }
}

const streamOf = (patterns: Patterns): RedactStream => {
  let held: Buffer = Buffer.alloc(0)
  return {
    push: chunk => {
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      const { matches, hold } = findSecrets(bytes, patterns, false)
      const keep = keepFrom(bytes, matches, Math.min(hold, bytes.length - patterns.window))
      // A copy: the caller may use the memory of the chunk again.
      held = Buffer.from(bytes.subarray(keep))
      return replaced(bytes, matches, keep)
    },
    end: () => {
      const bytes = held
      held = Buffer.alloc(0)
      return replaced(bytes, findSecrets(bytes, patterns, true).matches, bytes.length)
    },
  }
}

/** An object or a list; a bare number may as well be text. */
const isDocument = (bytes: Buffer): boolean => bytes[0] === 0x7b || bytes[0] === 0x5b

/** The last place before `wanted` that splits neither a match nor a character. */
const keepFrom = (bytes: Buffer, matches: readonly Match[], wanted: number): number => {
  let keep = Math.max(0, wanted)
  while (keep > 0 && ((bytes[keep] ?? 0) & 0xc0) === 0x80 && wanted - keep < 4) keep -= 1
  for (const match of matches.toReversed()) if (match.from < keep && match.to >= keep) keep = match.from
  return keep
}

const replaced = (bytes: Buffer, matches: readonly Match[], end: number): Buffer => {
  const pieces: Buffer[] = []
  let done = 0
  for (const match of matches) {
    if (match.from >= end) break
    pieces.push(bytes.subarray(done, match.from), Buffer.from(marker(bytes, match)))
    done = match.to
  }
  if (done === 0) return bytes.subarray(0, end)
  pieces.push(bytes.subarray(done, Math.max(done, end)))
  return Buffer.concat(pieces)
}

/** Where the secret was a whole JSON value, such as a number, the marker is a JSON string. */
const marker = (bytes: Buffer, match: Match): string => {
  const plain = `[redacted:${match.key}]`
  const first = bytes[match.from] ?? 0
  const valueLike = (first > 0x2f && first < 0x3a) || first === 0x7b || first === 0x5b || first === 0x22
  if (!valueLike) return plain
  const before = /(?:"\s*:|[[,])\s*$/.test(bytes.toString('latin1', Math.max(0, match.from - 16), match.from))
  const after = /^\s*[,\]}]/.test(bytes.toString('latin1', match.to, match.to + 16))
  return before && after ? `"${plain}"` : plain
}
