import { isAscii, isUtf8 } from 'node:buffer'
import { candidateFinder } from './candidate-finder.ts'
import { lineEnd, lineStart, literalFinder } from './literal-finder.ts'
import { nextOther } from './next-other.ts'
import { exactLiterals } from './required-literals.ts'
import { setSequence, type SetSequence, type ByteSet } from './set-sequence.ts'
import { unsure, type Syntax } from './syntax.ts'
import { toRegExp, type Texts } from './to-reg-exp.ts'
import type { LineSink } from './types.ts'
import { utf8Units } from './utf8-units.ts'

const [NEWLINE, RETURN] = [10, 13]

/**
 * Finds the lines in which the expression matches; it never matches a line break. With `strict`, throws for some lines.
 */
export function regexFinder(syntax: Syntax, strict: boolean): (text: Buffer, sink: LineSink) => void {
  const regexesByTexts = new Map<Texts, RegExp>()
  const expression = (texts: Texts): RegExp => {
    const before = regexesByTexts.get(texts)
    if (before !== undefined) return before
    const fresh = toRegExp(syntax, texts)
    regexesByTexts.set(texts, fresh)
    return fresh
  }
  const exact = exactLiterals(syntax)
  if (exact !== undefined) return literalFinder(exact.map(text => Buffer.from(text)))

  const asksOfWords = strict && looksAtWords(syntax)
  const matches = (line: Buffer): boolean => {
    const texts = !isAscii(line) ? 'any' : line.includes(RETURN) ? 'ascii' : 'plain'
    // ripgrep's engines disagree on word boundaries next to bytes that are not text.
    if (texts === 'any' && asksOfWords && !isUtf8(line)) unsure()
    return hits(expression(texts), texts === 'any' ? utf8Units(line) : line.toString('latin1'), 0) >= 0
  }
  const byLiterals = candidateFinder(syntax, matches)
  if (byLiterals) return byLiterals
  const sequence = setSequence(syntax)
  if (sequence) return sequenceFinder(sequence, matches)
  const findPlain = (text: Buffer, sink: LineSink): boolean =>
    findInAscii(text, expression(text.includes(RETURN) ? 'ascii' : 'plain'), sink)

  return (text, sink) => {
    if (isAscii(text)) return void findPlain(text, sink)
    for (const [start, end, hasOthers] of pieces(text)) {
      const piece = text.subarray(start, end)
      const isDone = hasOthers
        ? matches(piece) && sink(start, lineEnd(text, start))
        : findPlain(piece, (from, to) => sink(start + from, start + to))
      if (isDone) return
    }
  }
}

function sequenceFinder({ sets, isWhole }: SetSequence, matches: (line: Buffer) => boolean) {
  const next = setFinder(sets)
  return (text: Buffer, sink: LineSink): void => {
    for (let hit = next(text, 0); hit >= 0;) {
      const [start, end] = [lineStart(text, hit), lineEnd(text, hit)]
      if ((isWhole || matches(text.subarray(start, end + 1))) && sink(start, end)) return
      hit = next(text, end + 1)
    }
  }
}

/** Reports whether the sink is done. */
function findInAscii(text: Buffer, expression: RegExp, sink: LineSink): boolean {
  const units = text.toString('latin1')
  for (let at = 0; at < text.length;) {
    const hit = hits(expression, units, at)
    if (hit < 0) return false
    const end = lineEnd(text, hit)
    if (sink(lineStart(text, hit), end)) return true
    at = end + 1
  }
  return false
}

/** Returns the end of the next match. No line follows the last line break. */
function hits(expression: RegExp, units: string, from: number): number {
  let at = from
  do {
    expression.lastIndex = at
    if (!expression.test(units)) return -1
    at = expression.lastIndex + 1
    // The engine also tries positions inside a surrogate pair.
  } while (isInside(units, at - 1))
  const { lastIndex } = expression
  return lastIndex === units.length && units.charCodeAt(lastIndex - 1) === NEWLINE ? -1 : lastIndex
}

const isInside = (units: string, at: number): boolean =>
  at > 0 &&
  at < units.length &&
  (units.charCodeAt(at) & 0xfc00) === 0xdc00 &&
  (units.charCodeAt(at - 1) & 0xfc00) === 0xd800

/** Yields runs of lines that are all ASCII, and single lines that are not. */
function* pieces(text: Buffer): Generator<readonly [start: number, end: number, hasOthers: boolean]> {
  let at = 0
  for (let hit = nextOther(text, 0); hit >= 0; hit = nextOther(text, at)) {
    const start = lineStart(text, hit)
    const end = Math.min(text.length, lineEnd(text, hit) + 1)
    if (start > at) yield [at, start, false]
    yield [start, end, true]
    at = end
  }
  if (at < text.length) yield [at, text.length, false]
}

/** Reports whether it has a word boundary for any script. */
function looksAtWords(syntax: Syntax): boolean {
  switch (syntax.kind) {
    case 'set':
      return false
    case 'look':
      return syntax.look.startsWith('word') || syntax.look === 'not-word'
    case 'repeat':
      return looksAtWords(syntax.part)
    default:
      return syntax.parts.some(looksAtWords)
  }
}

/** Returns the next offset of the sequence in a text, or -1. */
type SetFinder = (text: Uint8Array, from: number) => number

/** Checks the byte at which the sequence would end, and steps as far as that byte allows. */
function setFinder(sets: readonly ByteSet[]): SetFinder {
  const { length } = sets
  const isAt = new Uint8Array(length * 256)
  const steps = new Uint8Array(256).fill(length)
  for (const [place, set] of sets.entries()) {
    isAt.set(set, place * 256)
    if (place < length - 1) for (const [byte, isIn] of set.entries()) if (isIn === 1) steps[byte] = length - 1 - place
  }
  const lastSet = (length - 1) * 256

  return (text, from) => {
    const end = text.length
    for (let at = from + length - 1; at < end;) {
      const byte = text[at] as number
      if (isAt[lastSet + byte] === 1) {
        let place = length - 2
        while (place >= 0 && isAt[place * 256 + (text[at - length + 1 + place] as number)] === 1) place--
        if (place < 0) return at - length + 1
      }
      at += steps[byte] as number
    }
    return -1
  }
}
