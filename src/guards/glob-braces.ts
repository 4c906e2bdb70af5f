import { ToolError } from '../kernel/error.ts'

const MAX_PATTERN = 1_000
const MAX_ALTERNATIVES = 100

/** Expands a pattern with braces to patterns without; throws `invalid_input` for a doubtful one. */
export function expandBraces(pattern: string): readonly string[] {
  if (typeof pattern !== 'string' || pattern === '') throw invalidGlob(String(pattern), 'it is empty')
  if (pattern.length > MAX_PATTERN) throw invalidGlob(pattern, `it is longer than ${MAX_PATTERN} characters`)
  if (pattern.includes('\0')) throw invalidGlob(pattern, 'it holds a NUL character')
  const [alternatives, end] = expandFrom(pattern, 0, false)
  if (end < pattern.length)
    throw invalidGlob(pattern, "'}' has no '{' before it", "write '\\}' for the character itself")
  return alternatives
}

/** Expands from one place to the end, or to the `,` or `}` that ends this alternative. */
function expandFrom(pattern: string, start: number, inside: boolean): [string[], number] {
  let heads = ['']
  let at = start
  const append = (tails: readonly string[]): void => {
    if (heads.length * tails.length > MAX_ALTERNATIVES)
      throw invalidGlob(
        pattern,
        `its braces make more than ${MAX_ALTERNATIVES} alternatives`,
        'split it into several rules',
      )
    heads = heads.flatMap(head => tails.map(tail => head + tail))
  }
  while (at < pattern.length) {
    const char = pattern.charAt(at)
    if (char === '}' || (char === ',' && inside)) break
    if (char === '{') {
      const [tails, end] = expandGroup(pattern, at)
      append(tails)
      at = end
      continue
    }
    const end = char === '\\' ? at + 2 : char === '[' ? classEnd(pattern, at) : at + 1
    if (end > pattern.length) throw invalidGlob(pattern, "it ends in a lone '\\'")
    append([pattern.slice(at, end)])
    at = end
  }
  return [heads, at]
}

function expandGroup(pattern: string, open: number): [string[], number] {
  const all: string[] = []
  let at = open
  let count = 0
  do {
    const [some, end] = expandFrom(pattern, at + 1, true)
    if (end >= pattern.length) throw invalidGlob(pattern, "'{' is not closed", "write '\\{' for the character itself")
    all.push(...some)
    count++
    at = end
    if (all.length > MAX_ALTERNATIVES)
      throw invalidGlob(pattern, `its braces make more than ${MAX_ALTERNATIVES} alternatives`)
  } while (pattern.charAt(at) === ',')
  if (count < 2)
    throw invalidGlob(pattern, "'{ }' holds one alternative only", "write {a,b}, or '\\{' for the character itself")
  return [all, at + 1]
}

function classEnd(pattern: string, open: number): number {
  let at = open + 1
  if (pattern.charAt(at) === '!' || pattern.charAt(at) === '^') at++
  const first = at
  while (at < pattern.length && (pattern.charAt(at) !== ']' || at === first)) at += pattern.charAt(at) === '\\' ? 2 : 1
  if (pattern.slice(open, at).includes('/')) throw invalidGlob(pattern, "'[ ]' cannot hold '/'")
  if (at >= pattern.length) throw invalidGlob(pattern, "'[' is not closed", "write '\\[' for the character itself")
  return at + 1
}

export const invalidGlob = (pattern: string, what: string, hint?: string): ToolError =>
  new ToolError(
    'invalid_input',
    `Glob '${pattern.slice(0, 80)}' is refused: ${what}`,
    hint === undefined ? {} : { hint },
  )
