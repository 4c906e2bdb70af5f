import { codePoints, intersect, negate, single, type CodePoints } from './code-points.ts'
import { peek, takeMatch, type Reader } from './reader.ts'
import { unsure, type Look } from './syntax.ts'
import { digit, foldCase, property, space, word } from './unicode.ts'

const LOOKS: Readonly<Record<string, Look>> = {
  b: 'word',
  B: 'not-word',
  '<': 'word-start',
  '>': 'word-end',
  'b{start}': 'word-start',
  'b{end}': 'word-end',
  'b{start-half}': 'word-start-half',
  'b{end-half}': 'word-end-half',
}
const ASCII_LOOKS: Partial<Record<Look, Look>> = {
  word: 'ascii-word',
  'word-start': 'ascii-word-start',
  'word-end': 'ascii-word-end',
}
const CONTROLS: Readonly<Record<string, number>> = { a: 7, t: 9, n: 10, v: 11, f: 12, r: 13 }

/** Meaning of an escape: an assertion, one character, or a set of characters. */
type Escape = { readonly look: Look } | { readonly code: number } | { readonly set: CodePoints }

/** Reads the escape after a backslash that was just consumed. */
export function parseEscape(reader: Reader): Escape {
  const { unicode } = reader.flags
  const hex = takeMatch(reader, /^(?:x[\da-f]{2}|u[\da-f]{4}|U[\da-f]{8}|[xuU]\{[\da-f]{1,8}\})/i)
  if (hex !== undefined) return { code: character(Number.parseInt(hex[0].replace(/^.\{?/, ''), 16), unicode) }
  const propertyMatch = takeMatch(reader, /^([pP])(?:([A-Z])|\{([A-Za-z]+)\})/)
  if (propertyMatch !== undefined) return { set: propertySet(propertyMatch, reader) }
  const look = LOOKS[takeMatch(reader, /^(?:b\{(?:start|end)(?:-half)?\}|[bB<>])/)?.[0] ?? '']
  if (look !== undefined) {
    if (look === 'word' && peek(reader) === '{') unsure()
    return { look: unicode ? look : (ASCII_LOOKS[look] ?? unsure()) }
  }
  const char = peek(reader)
  reader.at++
  const control = CONTROLS[char]
  if (control !== undefined) return { code: control }
  if (/^[dsw]$/i.test(char)) return { set: perlSet(char, unicode) }
  if (!/^[!-/:-@[-`{-~ ]$/.test(char) || char === '') unsure()
  return { code: char.charCodeAt(0) }
}

function character(code: number, unicode: boolean): number {
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) || (!unicode && code > 0x7f)) unsure()
  return code
}

function propertySet([, letter, short, long]: RegExpExecArray, { flags }: Reader): CodePoints {
  const set = property(short ?? long ?? '') ?? unsure()
  if (!flags.unicode) unsure()
  const withCases = flags.fold ? foldCase(set) : set
  return letter === 'P' ? negate(withCases) : withCases
}

const ASCII = { d: '09', s: '\t\r  ', w: '09AZ__az' }

function perlSet(letter: string, unicode: boolean): CodePoints {
  const small = letter.toLowerCase()
  const isNegated = letter !== small
  if (unicode) {
    const set = small === 'd' ? digit() : small === 's' ? space() : word()
    return isNegated ? negate(set) : set
  }
  // It would also match bytes that are not characters.
  if (isNegated) unsure()
  return pairs(small === 'd' ? ASCII.d : small === 's' ? ASCII.s : ASCII.w)
}

/** Returns the set of ranges written as first and last characters. */
export function pairs(text: string): CodePoints {
  const ranges: [number, number][] = []
  for (let at = 0; at < text.length; at += 2) ranges.push([text.charCodeAt(at), text.charCodeAt(at + 1)])
  return codePoints(ranges)
}

/** Returns the set for one character under the flags. */
export function characterSet(code: number, { flags }: Reader): CodePoints {
  if (!flags.unicode && code > 0x7f) unsure()
  return caseSet(single(code), flags)
}

/** Adds characters that differ only in case, if case is ignored. */
export function caseSet(set: CodePoints, flags: Reader['flags']): CodePoints {
  if (!flags.fold) return set
  if (flags.unicode) return foldCase(set)
  const ascii = codePoints([[0, 0x7f]])
  return intersect(foldCase(set), ascii)
}
