import { codePoints, negate, type CodePoints } from './code-points.ts'
import { withFlags, type Flags } from './flags.ts'
import { parseClass } from './parse-class.ts'
import { characterSet, parseEscape } from './parse-escape.ts'
import { passSpace, peek, take, takeMatch, type Reader } from './reader.ts'
import { choice, concat, unsure, type Syntax } from './syntax.ts'

const DEEPEST = 50
const MOST_REPEATS = 1000

/**
 * Parses one regular expression as ripgrep does. Throws `UNSURE` if it is invalid or unusual. `names` holds the names
 * of groups parsed before and receives its own, because no two may be equal.
 */
export function parseRegex(pattern: string, flags: Flags, names: Set<string>): Syntax {
  if (!pattern.isWellFormed()) unsure()
  const reader: Reader = { chars: [...pattern], at: 0, flags, depth: 0 }
  const syntax = parseChoice(reader, names)
  return reader.at < reader.chars.length ? unsure() : syntax
}

function parseChoice(reader: Reader, names: Set<string>): Syntax {
  if (++reader.depth > DEEPEST) unsure()
  // Flags set inside apply to the end of the group.
  const { flags } = reader
  const branches: Syntax[] = []
  do branches.push(parseConcat(reader, names))
  while (take(reader, '|'))
  reader.flags = flags
  reader.depth--
  return choice(branches)
}

function parseConcat(reader: Reader, names: Set<string>): Syntax {
  const parts: Syntax[] = []
  for (;;) {
    passSpace(reader)
    const char = peek(reader)
    if (char === '' || char === '|' || char === ')') return concat(parts)
    const part = char === '(' ? parseGroup(reader, names) : parseAtom(reader)
    if (part !== undefined) parts.push(parseRepeats(reader, part))
  }
}

/** Returns undefined for a group of flags only, which cannot be repeated. */
function parseGroup(reader: Reader, names: Set<string>): Syntax | undefined {
  reader.at++
  if (peek(reader) === '?') {
    const name = takeMatch(reader, /^\?P?<([A-Za-z_]\w*)>/)?.[1]
    const group = name === undefined ? takeMatch(reader, /^\?([A-Za-z-]*)([:)])/) : undefined
    if (name === undefined && group === undefined) unsure()
    if (name !== undefined && names.size === names.add(name).size) unsure()
    const [, letters = '', end] = group ?? []
    if (end === ')') {
      reader.flags = withFlags(reader.flags, letters)
      passSpace(reader)
      return /^[*+?{]$/.test(peek(reader)) ? unsure() : undefined
    }
    return parseInside(reader, names, letters === '' ? reader.flags : withFlags(reader.flags, letters))
  }
  return reader.flags.spaced && /^\s$/.test(peek(reader)) ? unsure() : parseInside(reader, names, reader.flags)
}

function parseInside(reader: Reader, names: Set<string>, flags: Flags): Syntax {
  const before = reader.flags
  reader.flags = flags
  const inside = parseChoice(reader, names)
  reader.flags = before
  return take(reader, ')') ? inside : unsure()
}

function parseRepeats(reader: Reader, part: Syntax): Syntax {
  let repeatedPart = part
  for (;;) {
    passSpace(reader)
    const bounds = parseBounds(reader)
    if (bounds === undefined) return repeatedPart
    const [min, max] = bounds
    if (min > max || min > MOST_REPEATS || (max !== Infinity && max > MOST_REPEATS)) unsure()
    const lazy = take(reader, '?') !== reader.flags.swap
    repeatedPart = { kind: 'repeat', part: repeatedPart, min, max, lazy }
  }
}

function parseBounds(reader: Reader): readonly [number, number] | undefined {
  if (take(reader, '*')) return [0, Infinity]
  if (take(reader, '+')) return [1, Infinity]
  if (take(reader, '?')) return [0, 1]
  if (peek(reader) !== '{') return undefined
  const [, min, comma, max] = takeMatch(reader, /^\{ *(\d{1,4}) *(?:(,) *(?:(\d{1,4}) *)?)?\}/) ?? unsure()
  const least = Number(min)
  if (comma === undefined) return [least, least]
  return [least, max === undefined ? Infinity : Number(max)]
}

function parseAtom(reader: Reader): Syntax {
  const char = peek(reader)
  if (char === '[') return ofSet(parseClass(reader))
  reader.at++
  if (/^[*+?{]$/.test(char)) unsure()
  if (char === '.') return ofSet(dot(reader.flags))
  if (char === '^' || char === '$') {
    if (!reader.flags.lines) unsure()
    return { kind: 'look', look: char === '^' ? 'line-start' : 'line-end' }
  }
  if (char !== '\\') return ofSet(characterSet(char.codePointAt(0) ?? 0, reader))
  const escape = parseEscape(reader)
  if ('look' in escape) return { kind: 'look', look: escape.look }
  return ofSet('code' in escape ? characterSet(escape.code, reader) : escape.set)
}

const ofSet = (set: CodePoints): Syntax => ({ kind: 'set', set })

const LINE_BREAKS = codePoints([
  [10, 10],
  [13, 13],
])

function dot({ unicode, dotAll }: Flags): CodePoints {
  // Without Unicode it would match bytes that are not characters.
  if (!unicode) unsure()
  return negate(dotAll ? [] : LINE_BREAKS)
}
