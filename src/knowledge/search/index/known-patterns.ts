import { compilePattern } from '../pattern/compile-pattern.ts'
import type { CompiledPattern, PatternOptions } from '../pattern/types.ts'

const MOST = 32

/** Compiles patterns and caches those of the last requests. */
export function knownPatterns(): (options: PatternOptions) => CompiledPattern | undefined {
  const patternsByKey = new Map<string, CompiledPattern | undefined>()
  return options => {
    const { patterns, regex, ignoreCase, word, invert, multiline } = options
    const key = JSON.stringify([patterns, regex, ignoreCase, word, invert, multiline])
    if (patternsByKey.has(key)) return patternsByKey.get(key)
    if (patternsByKey.size >= MOST) patternsByKey.clear()
    const pattern = compilePattern(options, { strict: true })
    patternsByKey.set(key, pattern)
    return pattern
  }
}
