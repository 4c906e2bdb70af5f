import { invertedLines } from './inverted-lines.ts'
import { literalFinder } from './literal-finder.ts'
import { needsOfLiterals } from './needs-of-literals.ts'
import { showLine } from './show-line.ts'
import type { CompiledPattern, PatternOptions } from './types.ts'

/** The pattern as something that finds exactly ripgrep's lines; undefined where only ripgrep itself is sure to know. */
export function compilePattern(options: PatternOptions): CompiledPattern | undefined {
  const { patterns, regex = false, ignoreCase = false, word = false, invert = false, multiline = false } = options
  if (regex || ignoreCase || word || multiline || patterns.length === 0 || !patterns.every(isPlain)) return undefined
  const literals = patterns.map(pattern => Buffer.from(pattern))
  const find = literalFinder(literals)
  return {
    needs: invert ? 'anything' : needsOfLiterals(literals),
    byLine: true,
    find: invert ? invertedLines(find) : find,
    show: showLine,
  }
}

/** Bytes that stand for themselves wherever they are: no line break, no NUL, no half of a character. */
const isPlain = (pattern: string): boolean => pattern !== '' && !/[\0\r\n]/.test(pattern) && pattern.isWellFormed()
