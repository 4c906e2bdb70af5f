import { either, intersect, negate, subtract, union, codePoints, single, type CodePoints } from './code-points.ts'
import { caseSet, pairs, parseEscape } from './parse-escape.ts'
import { passSpace, peek, take, takeMatch, type Reader } from './reader.ts'
import { unsure } from './syntax.ts'

const NAMED: Readonly<Record<string, string>> = {
  alnum: '09AZaz',
  alpha: 'AZaz',
  ascii: '\0\x7f',
  blank: '\t\t  ',
  cntrl: '\0\x1f\x7f\x7f',
  digit: '09',
  graph: '!~',
  lower: 'az',
  print: ' ~',
  punct: '!/:@[`{~',
  space: '\t\r  ',
  upper: 'AZ',
  word: '09AZ__az',
  xdigit: '09AFaf',
}
const OPERATIONS: readonly (readonly [string, (one: CodePoints, other: CodePoints) => CodePoints])[] = [
  ['&&', intersect],
  ['--', subtract],
  ['~~', either],
]
const DEEPEST = 50

/** Reads a class such as `[^a-z&&[:alpha:]]`, starting at its first bracket. */
export function parseClass(reader: Reader): CodePoints {
  if (!take(reader, '[') || ++reader.depth > DEEPEST) unsure()
  passSpace(reader)
  const isNegated = take(reader, '^')
  passSpace(reader)
  const first: CodePoints[] = []
  while (take(reader, '-')) {
    first.push(single(45))
    passSpace(reader)
  }
  if (first.length === 0 && take(reader, ']')) first.push(single(93))
  let set = parseUnion(reader, first)
  while (!take(reader, ']')) {
    const operation = OPERATIONS.find(([sign]) => take(reader, sign))?.[1] ?? unsure()
    set = operation(caseSet(set, reader.flags), caseSet(parseUnion(reader, []), reader.flags))
  }
  reader.depth--
  return finishClass(set, isNegated, reader)
}

/** Reads items up to a closing bracket or an operation. */
function parseUnion(reader: Reader, items: CodePoints[]): CodePoints {
  for (;;) {
    passSpace(reader)
    const char = peek(reader)
    if (char === '') unsure()
    if (char === ']' || OPERATIONS.some(([sign]) => sign[0] === char && peek(reader, 1) === char))
      return union(...items)
    items.push(char === '[' ? parseNested(reader) : parseRange(reader))
  }
}

function parseNested(reader: Reader): CodePoints {
  const posixClass = takeMatch(reader, /^\[:(\^?)([a-z]+):\]/)
  if (posixClass !== undefined)
    return finishClass(pairs(NAMED[posixClass[2] ?? ''] ?? unsure()), posixClass[1] === '^', reader)
  // Text that only resembles a class name is read as a nested class, or refused.
  if (peek(reader, 1) === ':') unsure()
  return parseClass(reader)
}

function parseRange(reader: Reader): CodePoints {
  const first = parseItem(reader)
  passSpace(reader)
  if (peek(reader) !== '-' || /^[\]-]?$/.test(next(reader))) return typeof first === 'number' ? single(first) : first
  reader.at++
  passSpace(reader)
  const last = parseItem(reader)
  if (typeof first !== 'number' || typeof last !== 'number' || first > last) unsure()
  return codePoints([[first, last]])
}

/** Returns the character after the next one. */
function next(reader: Reader): string {
  const ahead: Reader = { ...reader, at: reader.at + 1 }
  passSpace(ahead)
  return peek(ahead)
}

function parseItem(reader: Reader): number | CodePoints {
  const char = peek(reader)
  if (char === '') unsure()
  reader.at++
  if (char !== '\\') return inMode(char.codePointAt(0) ?? 0, reader)
  const escape = parseEscape(reader)
  if ('look' in escape) unsure()
  return 'code' in escape ? escape.code : escape.set
}

function inMode(code: number, { flags }: Reader): number {
  return !flags.unicode && code > 0x7f ? unsure() : code
}

function finishClass(set: CodePoints, isNegated: boolean, { flags }: Reader): CodePoints {
  const withCases = caseSet(set, flags)
  if (!isNegated) return withCases
  // It would match bytes that are not characters.
  return flags.unicode ? negate(withCases) : unsure()
}
