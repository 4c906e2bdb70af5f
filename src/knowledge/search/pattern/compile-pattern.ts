import { expandedSize } from '../expanded-size.ts'
import { single, union, codePoints, onlyOf, subtract } from './code-points.ts'
import type { Flags } from './flags.ts'
import { needsOfSyntax } from './needs-of-syntax.ts'
import { caseSet } from './parse-escape.ts'
import { parseRegex } from './parse-regex.ts'
import { regexFinder } from './regex-finder.ts'
import { exactLiterals } from './required-literals.ts'
import { setSequence } from './set-sequence.ts'
import { showLine } from './show-line.ts'
import { choice, concat, UNSURE, unsure, type Syntax } from './syntax.ts'
import type { CompiledPattern, PatternOptions, LineSink } from './types.ts'
import { lineEnd } from './literal-finder.ts'

const LINE_BREAKS = codePoints([
  [10, 10],
  [13, 13],
])
/** Number of ranges, with repetitions expanded, that is certainly below ripgrep's size limit. */
const LARGEST = 100_000

/**
 * Rewrites the expression so that it never matches a carriage return or line feed. Throws `UNSURE` if nothing is left.
 */
function withinLine(syntax: Syntax): Syntax {
  return eachSet(syntax, set => {
    const only = onlyOf(set)
    if (only !== undefined && only !== 10 && only !== 13) return { kind: 'set', set }
    const rest = subtract(set, LINE_BREAKS)
    if (set.length > 0 && rest.length === 0) unsure()
    return { kind: 'set', set: rest }
  })
}

/** Returns the expression. Throws `UNSURE` if ripgrep would refuse it for its size or for a NUL. */
function withinBounds(syntax: Syntax): Syntax {
  if (weight(syntax) > LARGEST) unsure()
  return eachSet(syntax, set => (onlyOf(set) === 0 ? unsure() : { kind: 'set', set }))
}

function eachSet(syntax: Syntax, change: (set: readonly number[]) => Syntax): Syntax {
  switch (syntax.kind) {
    case 'set':
      return change(syntax.set)
    case 'look':
      return syntax
    case 'repeat':
      return { ...syntax, part: eachSet(syntax.part, change) }
    default:
      return { ...syntax, parts: syntax.parts.map(part => eachSet(part, change)) }
  }
}

function weight(syntax: Syntax): number {
  switch (syntax.kind) {
    case 'set':
      return 1 + syntax.set.length / 2
    case 'look':
      return 1
    case 'repeat':
      return weight(syntax.part) * Math.max(1, syntax.max === Infinity ? syntax.min + 1 : syntax.max)
    default:
      return syntax.parts.reduce((sum, part) => sum + weight(part), 1)
  }
}

/**
 * Compiles a pattern to find exactly ripgrep's lines. Returns undefined if only ripgrep can determine them. With
 * `strict`, `find` throws `UNSURE` at a line for which only ripgrep can decide.
 */
export function compilePattern(
  options: PatternOptions,
  strictness: { readonly strict?: boolean } = {},
): CompiledPattern | undefined {
  try {
    return buildPattern(options, strictness.strict ?? false)
  } catch (error) {
    if (error === UNSURE) return undefined
    throw error
  }
}

function buildPattern({ invert = false, ...options }: PatternOptions, strict: boolean): CompiledPattern {
  const syntax = simplify(withinLine(withinBounds(syntaxOf(options))))
  const find = regexFinder(syntax, strict)
  return {
    needs: invert ? 'anything' : needsOfSyntax(syntax),
    byLine: true,
    mostBytes: invert ? Infinity : mostBytes(syntax),
    isSteady: isSteady(syntax),
    isPlain: !invert && (exactLiterals(syntax) !== undefined || setSequence(syntax)?.isWhole === true),
    find: invert ? invertedLines(find) : find,
    show: showLine,
  }
}

function syntaxOf({ patterns, regex, ignoreCase = false, word, multiline }: PatternOptions): Syntax {
  if (multiline || patterns.length === 0) unsure()
  const flags: Flags = { fold: ignoreCase, lines: true, dotAll: false, swap: false, unicode: true, spaced: false }
  const names = new Set<string>()
  const any = choice(patterns.map(one => (regex ? regexSyntax(one, flags, names) : plainSyntax(one, flags))))
  if (!word) return any
  return concat([{ kind: 'look', look: 'word-start-half' }, any, { kind: 'look', look: 'word-end-half' }])
}

const LONGEST_PATTERN = 2_000
const LARGEST_SIZE = 1_500

function regexSyntax(pattern: string, flags: Flags, names: Set<string>): Syntax {
  if (pattern.length > LONGEST_PATTERN || expandedSize(pattern) > LARGEST_SIZE || /[\0\n]/.test(pattern)) unsure()
  return parseRegex(pattern, flags, names)
}

function plainSyntax(pattern: string, flags: Flags): Syntax {
  if (pattern.length > LONGEST_PATTERN || !pattern.isWellFormed()) unsure()
  return concat([...pattern].map(char => ({ kind: 'set', set: caseSet(single(char.codePointAt(0) ?? 0), flags) })))
}

type Find = (text: Buffer, sink: LineSink) => void

/** Finds the lines that `find` does not. */
function invertedLines(find: Find): Find {
  return (text, sink) => {
    let at = 0
    let isDone = false
    const passUntil = (border: number): boolean => {
      while (!isDone && at < border) {
        const end = lineEnd(text, at)
        isDone = sink(at, end) === true
        at = end + 1
      }
      return isDone
    }
    find(text, (start, end) => {
      if (passUntil(start)) return true
      at = end + 1
    })
    passUntil(text.length)
  }
}

/** Reports whether the expression has one way to match at each position, so that its time is linear in the text. */
function isSteady(syntax: Syntax): boolean {
  return syntax.kind === 'choice' ? syntax.parts.every(isSequence) : isSequence(syntax)
}

function isSequence(syntax: Syntax): boolean {
  return syntax.kind === 'concat' ? syntax.parts.every(isStep) : isStep(syntax)
}

const isStep = (syntax: Syntax): boolean =>
  syntax.kind === 'set' ||
  syntax.kind === 'look' ||
  (syntax.kind === 'repeat' && syntax.min === syntax.max && syntax.part.kind === 'set')

/** Returns the most bytes of UTF-8 a match can have; Infinity if unbounded. */
function mostBytes(syntax: Syntax): number {
  switch (syntax.kind) {
    case 'look':
      return 0
    case 'set':
      return utf8Length(syntax.set.at(-1) ?? 0)
    case 'concat':
      return syntax.parts.reduce((sum, part) => sum + mostBytes(part), 0)
    case 'choice':
      return syntax.parts.reduce((most, part) => Math.max(most, mostBytes(part)), 0)
    case 'repeat':
      return syntax.max === 0 ? 0 : mostBytes(syntax.part) * syntax.max
  }
}

function utf8Length(code: number): number {
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x1_00_00 ? 3 : 4
}

/**
 * Returns a shorter expression that matches in the same lines; the extent of a match is lost. Removes first what makes
 * JavaScript's engine backtrack: nested repetitions and those at the edges.
 */
function simplify(syntax: Syntax): Syntax {
  return trimEdge(trimEdge(mergeParts(syntax), 'first'), 'last')
}

function mergeParts(syntax: Syntax): Syntax {
  switch (syntax.kind) {
    case 'set':
    case 'look':
      return syntax
    case 'concat':
      return concat(syntax.parts.map(mergeParts).flatMap(part => (part.kind === 'concat' ? part.parts : [part])))
    case 'choice': {
      const parts = syntax.parts.map(mergeParts).flatMap(part => (part.kind === 'choice' ? part.parts : [part]))
      const sets = parts.flatMap(part => (part.kind === 'set' ? [part.set] : []))
      const others = parts.filter(part => part.kind !== 'set')
      return choice(sets.length > 1 ? [{ kind: 'set', set: union(...sets) }, ...others] : parts)
    }
    case 'repeat': {
      const part = mergeParts(syntax.part)
      const isNested = part.kind === 'repeat' && part.min <= 1 && syntax.min <= 1 && syntax.max === Infinity
      return isNested ? { ...part, min: Math.min(part.min, syntax.min), max: Infinity } : { ...syntax, part }
    }
  }
}

/** At an edge, the fewest repetitions match the same lines as more. */
function trimEdge(syntax: Syntax, edge: 'first' | 'last'): Syntax {
  if (syntax.kind === 'choice') return choice(syntax.parts.map(part => trimEdge(part, edge)))
  if (syntax.kind === 'concat') {
    const { parts } = syntax
    const at = edge === 'first' ? 0 : parts.length - 1
    const part = parts[at]
    if (part === undefined) return syntax
    const rest = edge === 'first' ? parts.slice(1) : parts.slice(0, -1)
    const short = trimEdge(part, edge)
    if (short.kind === 'concat' && short.parts.length === 0) return trimEdge(concat(rest), edge)
    return concat(edge === 'first' ? [short, ...rest] : [...rest, short])
  }
  if (syntax.kind !== 'repeat') return syntax
  if (syntax.min === 0) return concat([])
  return syntax.part.kind === 'set' ? { ...syntax, max: syntax.min } : syntax
}
