import { ToolError } from '../kernel/error.ts'

const MAX_PATTERN = 1_000
const MAX_ALTERNATIVES = 100

type Atom =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'one' }
  | { readonly kind: 'many' }
  | { readonly kind: 'class'; readonly negated: boolean; readonly ranges: readonly (readonly [number, number])[] }

/** One name of a path as it stands or by its atoms, or `**`. */
type Segment = { readonly deep: true } | { readonly literal: string } | { readonly atoms: readonly Atom[] }

const DEEP: Segment = { deep: true }

/** A path pattern ready to be asked; matching never backtracks beyond the last star. */
export interface Glob {
  readonly pattern: string
  matches(path: string): boolean
  /** Every path below this directory, and the directory itself, matches. */
  covers(directory: string): boolean
  /** Some path below this directory could match. */
  reaches(directory: string): boolean
  /** Some path below this directory matches because the pattern spells the way there, not through a leading `**`. */
  names(directory: string): boolean
}

/**
 * Compiles a path pattern: `*` and `?` within a name, `**` across names, `[a-z]`, `[!a]`, `{a,b}`, `\` before a character that
 * stands for itself. `dir/` means `dir/**`, and `dir/**` matches `dir` too. Throws `invalid_input` for anything doubtful.
 */
export function compileGlob(pattern: string): Glob {
  const alternatives = expandBraces(pattern).map(alternative => toSegments(pattern, alternative))
  const some = (test: (segments: readonly Segment[], names: readonly string[]) => boolean) => (path: string) => {
    const names = namesOf(path)
    return alternatives.some(segments => test(segments, names))
  }
  return {
    pattern,
    matches(path) {
      const last = path.slice(path.lastIndexOf('/') + 1)
      let names: readonly string[] | undefined
      return alternatives.some(segments => canEnd(segments, last) && matchSegments(segments, (names ??= namesOf(path))))
    },
    covers: some((segments, names) => segments.at(-1) === DEEP && matchSegments(segments, names)),
    reaches: some((segments, names) => reachesBelow(segments, names)),
    names: some(
      (segments, names) => segments.length > names.length && names.every((name, at) => spells(segments[at], name)),
    ),
  }
}

/** Whether the whole path matches the pattern. */
export const matchGlob = (pattern: string, path: string): boolean => compileGlob(pattern).matches(path)

/** Throws `invalid_input` saying what is wrong with the pattern. */
export const validateGlob = (pattern: string): void => void compileGlob(pattern)

/** The pattern that matches exactly this path. */
export const escapeGlob = (path: string): string => path.replaceAll(/[*?[\]{},\\]/g, '\\$&')

const spells = (segment: Segment | undefined, name: string): boolean =>
  segment !== undefined && segment !== DEEP && matchName(segment, name)

function namesOf(path: string): readonly string[] {
  if (path === '' || path === '.') return []
  return path.split('/')
}

/** The last name alone rules out most paths. */
function canEnd(segments: readonly Segment[], name: string): boolean {
  const last = segments.at(-1)
  return last === undefined || last === DEEP || matchName(last, name)
}

/** Two pointers: on a mismatch only the last `**` takes one more name, which is enough because names match independently. */
function matchSegments(segments: readonly Segment[], names: readonly string[]): boolean {
  let at = 0
  let name = 0
  let deepAt = -1
  let deepName = 0
  while (name < names.length) {
    const segment = segments[at]
    if (segment === DEEP) {
      deepAt = at++
      deepName = name
    } else if (segment !== undefined && matchName(segment, names[name] ?? '')) {
      at++
      name++
    } else if (deepAt >= 0) {
      at = deepAt + 1
      name = ++deepName
    } else return false
  }
  while (segments[at] === DEEP) at++
  return at === segments.length
}

function matchName(segment: Segment, name: string): boolean {
  if ('literal' in segment) return segment.literal === name
  return 'deep' in segment || matchAtoms(segment.atoms, name)
}

function matchAtoms(atoms: readonly Atom[], name: string): boolean {
  const last = atoms.at(-1)
  if (last?.kind === 'char' && !name.endsWith(last.char)) return false
  const chars = [...name]
  let at = 0
  let char = 0
  let starAt = -1
  let starChar = 0
  while (char < chars.length) {
    const atom = atoms[at]
    if (atom?.kind === 'many') {
      starAt = at++
      starChar = char
    } else if (atom !== undefined && matchChar(atom, chars[char] ?? '')) {
      at++
      char++
    } else if (starAt >= 0) {
      at = starAt + 1
      char = ++starChar
    } else return false
  }
  while (atoms[at]?.kind === 'many') at++
  return at === atoms.length
}

function matchChar(atom: Atom, char: string): boolean {
  if (atom.kind === 'char') return atom.char === char
  if (atom.kind !== 'class') return true
  const code = char.codePointAt(0) ?? 0
  return atom.ranges.some(([low, high]) => code >= low && code <= high) !== atom.negated
}

/** Walks all ways at once: a way that has used up the directory and still wants names reaches below it. */
function reachesBelow(segments: readonly Segment[], names: readonly string[]): boolean {
  let ways = new Set([0])
  for (const name of names) {
    const next = new Set<number>()
    for (const way of skipDeep(segments, ways)) {
      const segment = segments[way]
      if (segment === DEEP) next.add(way)
      else if (segment !== undefined && matchName(segment, name)) next.add(way + 1)
    }
    ways = next
  }
  return [...ways].some(way => way < segments.length)
}

function skipDeep(segments: readonly Segment[], ways: ReadonlySet<number>): ReadonlySet<number> {
  const all = new Set(ways)
  for (const way of all) if (segments[way] === DEEP) all.add(way + 1)
  return all
}

function toSegments(pattern: string, alternative: string): readonly Segment[] {
  const whole = alternative.endsWith('/') ? `${alternative}**` : alternative
  const parts = whole.startsWith('./') ? whole.slice(2).split('/') : whole.split('/')
  if (parts[0] === '') throw invalid(pattern, 'it must be relative to the workspace', "leave the leading '/' out")
  return parts.map(part => {
    if (part === '') throw invalid(pattern, "it has an empty name ('//' or an empty alternative)")
    if (part === '.' || part === '..') throw invalid(pattern, `'${part}' is no name`, 'write the path without it')
    return part === '**' ? DEEP : toSegment(pattern, part)
  })
}

function toSegment(pattern: string, part: string): Segment {
  const atoms = toAtoms(pattern, part)
  const chars = atoms.filter(atom => atom.kind === 'char')
  return chars.length === atoms.length ? { literal: chars.map(atom => atom.char).join('') } : { atoms }
}

function toAtoms(pattern: string, part: string): readonly Atom[] {
  const chars = [...part]
  const atoms: Atom[] = []
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? ''
    if (char === '*') atoms.push({ kind: 'many' })
    else if (char === '?') atoms.push({ kind: 'one' })
    else if (char === '\\') atoms.push({ kind: 'char', char: chars[++at] ?? '' })
    else if (char === '[') {
      const [atom, end] = toClass(pattern, chars, at + 1)
      atoms.push(atom)
      at = end
    } else atoms.push({ kind: 'char', char })
  }
  return atoms
}

function toClass(pattern: string, chars: readonly string[], start: number): [Atom, number] {
  const negated = chars[start] === '!' || chars[start] === '^'
  const ranges: [number, number][] = []
  let at = negated ? start + 1 : start
  const first = at
  while (chars[at] !== undefined && (chars[at] !== ']' || at === first)) {
    const [low, afterLow] = classChar(chars, at)
    const isRange = chars[afterLow] === '-' && chars[afterLow + 1] !== undefined && chars[afterLow + 1] !== ']'
    const [high, after] = isRange ? classChar(chars, afterLow + 1) : [low, afterLow]
    if (high < low) throw invalid(pattern, 'a range in [ ] runs backwards')
    ranges.push([low, high])
    at = after
  }
  if (chars[at] === undefined) throw invalid(pattern, "'[' is not closed", "write '\\[' for the character itself")
  return [{ kind: 'class', negated, ranges }, at]
}

function classChar(chars: readonly string[], at: number): [number, number] {
  const start = chars[at] === '\\' ? at + 1 : at
  return [chars[start]?.codePointAt(0) ?? 0, start + 1]
}

function expandBraces(pattern: string): readonly string[] {
  if (typeof pattern !== 'string' || pattern === '') throw invalid(String(pattern), 'it is empty')
  if (pattern.length > MAX_PATTERN) throw invalid(pattern, `it is longer than ${MAX_PATTERN} characters`)
  if (pattern.includes('\0')) throw invalid(pattern, 'it holds a NUL character')
  const [alternatives, end] = expandFrom(pattern, 0, false)
  if (end < pattern.length) throw invalid(pattern, "'}' has no '{' before it", "write '\\}' for the character itself")
  return alternatives
}

/** Expands from one place to the end, or to the `,` or `}` that ends this alternative. */
function expandFrom(pattern: string, start: number, inside: boolean): [string[], number] {
  let heads = ['']
  let at = start
  const append = (tails: readonly string[]): void => {
    if (heads.length * tails.length > MAX_ALTERNATIVES)
      throw invalid(
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
    if (end > pattern.length) throw invalid(pattern, "it ends in a lone '\\'")
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
    if (end >= pattern.length) throw invalid(pattern, "'{' is not closed", "write '\\{' for the character itself")
    all.push(...some)
    count++
    at = end
    if (all.length > MAX_ALTERNATIVES)
      throw invalid(pattern, `its braces make more than ${MAX_ALTERNATIVES} alternatives`)
  } while (pattern.charAt(at) === ',')
  if (count < 2)
    throw invalid(pattern, "'{ }' holds one alternative only", "write {a,b}, or '\\{' for the character itself")
  return [all, at + 1]
}

function classEnd(pattern: string, open: number): number {
  let at = open + 1
  if (pattern.charAt(at) === '!' || pattern.charAt(at) === '^') at++
  const first = at
  while (at < pattern.length && (pattern.charAt(at) !== ']' || at === first)) at += pattern.charAt(at) === '\\' ? 2 : 1
  if (pattern.slice(open, at).includes('/')) throw invalid(pattern, "'[ ]' cannot hold '/'")
  if (at >= pattern.length) throw invalid(pattern, "'[' is not closed", "write '\\[' for the character itself")
  return at + 1
}

const invalid = (pattern: string, what: string, hint?: string): ToolError =>
  new ToolError(
    'invalid_input',
    `Glob '${pattern.slice(0, 80)}' is refused: ${what}`,
    hint === undefined ? {} : { hint },
  )
