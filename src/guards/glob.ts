import { expandBraces, invalidGlob } from './glob-braces.ts'

type Atom =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'one' }
  | { readonly kind: 'many' }
  | { readonly kind: 'class'; readonly negated: boolean; readonly ranges: readonly (readonly [number, number])[] }

/** One name of a path: literal, split at its stars, as atoms, or `**`. */
type Segment =
  | { readonly deep: true }
  | { readonly literal: string }
  | { readonly between: readonly string[] }
  | { readonly atoms: readonly Atom[] }

const DEEP: Segment = { deep: true }

/** A compiled path pattern; matching never backtracks beyond the last star. */
export interface Glob {
  readonly pattern: string
  matches(path: string): boolean
  /** Reports whether every path below this directory, and the directory itself, matches. */
  covers(directory: string): boolean
  /** Reports whether some path below this directory could match. */
  reaches(directory: string): boolean
  /**
   * Reports whether some path below this directory matches because the pattern spells it, not through a leading `**`.
   */
  names(directory: string): boolean
  /** For each alternative, texts that the last name of every matching path contains. */
  readonly lastTexts: readonly (readonly string[])[]
}

/**
 * Compiles a path pattern: `*` and `?` within a name, `**` across names, `[a-z]`, `[!a]`, `{a,b}`, `\` before a literal
 * character. `dir/` means `dir/**`, and `dir/**` matches `dir` too. Throws `invalid_input` for anything doubtful.
 */
export const compileGlob = (pattern: string): Glob => globOf(pattern, alternativesOf(pattern))

/** Compiles a path pattern that takes along what a path that it names holds: `secrets` matches `secrets/k` too. */
export const compileWithContents = (pattern: string): Glob => globOf(pattern, alternativesOf(pattern).map(addContents))

const alternativesOf = (pattern: string): Alternatives =>
  expandBraces(pattern).map(alternative => toSegments(pattern, alternative))

type Alternatives = readonly (readonly Segment[])[]

function globOf(pattern: string, alternatives: Alternatives): Glob {
  const some = (test: (segments: readonly Segment[], names: readonly string[]) => boolean) => (path: string) => {
    const names = namesOf(path)
    return alternatives.some(segments => test(segments, names))
  }
  return {
    pattern,
    matches: matcherOf(alternatives),
    covers: some((segments, names) => segments.at(-1) === DEEP && matchSegments(segments, names)),
    reaches: some((segments, names) => reachesBelow(segments, names)),
    names: some(
      (segments, names) => segments.length > names.length && names.every((name, at) => spells(segments[at], name)),
    ),
    lastTexts: alternatives.map(segments => textsOf(segments.at(-1) ?? DEEP)),
  }
}

/** A last `*` alone means what is directly in a directory, and nothing below that. */
const addContents = (segments: readonly Segment[]): readonly Segment[] =>
  textsOf(segments.at(-1) ?? DEEP).join('') === '' ? segments : [...segments, DEEP]

/** Reports whether the whole path matches the pattern. */
export const matchGlob = (pattern: string, path: string): boolean => compileGlob(pattern).matches(path)

/** Returns the pattern that matches exactly this path, written so that a rule does not refuse it as a slip. */
export const escapeGlob = (path: string): string => path.replaceAll(SPECIAL, '\\$&')

const SPECIAL =
  /[*?[\]{},\\\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]|^[!~$%^\s]|[\s$]$|(?<=^(?:exec|fs|net|secret)):|(?<=^\w+)\((?=.*\)$)/gu

const spells = (segment: Segment | undefined, name: string): boolean =>
  segment !== undefined && segment !== DEEP && matchName(segment, name)

function namesOf(path: string): readonly string[] {
  if (path === '' || path === '.') return []
  return path.split('/')
}

/** The last name alone rules out most paths, and after a leading `**` it is all that counts. */
function matcherOf(alternatives: Alternatives): (path: string) => boolean {
  const endings = alternatives.map(segments => {
    const last = segments.at(-1) ?? DEEP
    return {
      segments,
      canEnd: endTest(last, segments.at(-2)),
      isLastAlone: segments.length === 2 && segments[0] === DEEP && last !== DEEP,
    }
  })
  return path => {
    const isNamed = path !== '' && path !== '.'
    let names: readonly string[] | undefined
    for (const { segments, canEnd, isLastAlone } of endings)
      if (canEnd(path) && ((isNamed && isLastAlone) || matchSegments(segments, (names ??= namesOf(path))))) return true
    return false
  }
}

function endTest(segment: Segment, before: Segment = DEEP): (path: string) => boolean {
  // A path that `dir/**` matches has the texts of `dir` somewhere.
  if (segment === DEEP) return path => textsOf(before).every(text => path.includes(text))
  const [first, ending, ...others] = 'between' in segment ? segment.between : []
  // Such as `*.ts`: the name need not be taken out of the path.
  if (first === '' && ending !== undefined && others.length === 0) return path => path.endsWith(ending)
  return path => matchName(segment, path.slice(path.lastIndexOf('/') + 1))
}

function textsOf(segment: Segment): readonly string[] {
  if ('literal' in segment) return [segment.literal]
  if ('between' in segment) return segment.between
  return 'atoms' in segment ? textsBetween(segment.atoms) : []
}

/**
 * Two pointers: on a mismatch only the last `**` takes one more name, which is enough because names match
 * independently.
 */
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
  if ('between' in segment) return matchBetween(segment.between, name)
  return 'deep' in segment || matchAtoms(segment.atoms, name)
}

/**
 * Matches the texts between stars, each at the first place after the one before it; the first and the last are
 * anchored.
 */
function matchBetween(texts: readonly string[], name: string): boolean {
  const [first = '', last = ''] = [texts[0], texts.at(-1)]
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false
  const end = name.length - last.length
  let at = first.length
  for (let next = 1; next < texts.length - 1; next++) {
    const text = texts[next] ?? ''
    const position = name.indexOf(text, at)
    if (position < 0 || position + text.length > end) return false
    at = position + text.length
  }
  return true
}

/** Matches the part after the last star first: it is anchored at the end, and rules out most names early. */
function matchAtoms(all: readonly Atom[], name: string): boolean {
  let count = all.length
  let end = name.length
  for (let last = all[count - 1]; last && last.kind !== 'many'; last = all[--count - 1]) {
    const char = charBefore(name, end)
    if (char === '' || !matchChar(last, char)) return false
    end -= char.length
  }
  const atoms = all.slice(0, count)
  const chars = Array.from(name.slice(0, end))
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

/** Returns the last character before a place. */
function charBefore(text: string, end: number): string {
  const [char = '', other] = text.slice(Math.max(0, end - 2), end)
  return other ?? char
}

function matchChar(atom: Atom, char: string): boolean {
  if (atom.kind === 'char') return atom.char === char
  if (atom.kind !== 'class') return true
  const code = char.codePointAt(0) ?? 0
  return atom.ranges.some(([low, high]) => code >= low && code <= high) !== atom.negated
}

/** Follows all alternatives at once: one that has used up the directory and still expects names reaches below it. */
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
  if (parts[0] === '') throw invalidGlob(pattern, 'it must be relative to the workspace', "leave the leading '/' out")
  return parts.map(part => {
    if (part === '') throw invalidGlob(pattern, "it has an empty name ('//' or an empty alternative)")
    if (part === '.' || part === '..') throw invalidGlob(pattern, `'${part}' is no name`, 'write the path without it')
    return part === '**' ? DEEP : toSegment(pattern, part)
  })
}

function toSegment(pattern: string, part: string): Segment {
  const atoms = toAtoms(pattern, part)
  const chars = atoms.filter(atom => atom.kind === 'char')
  if (chars.length === atoms.length) return { literal: chars.map(atom => atom.char).join('') }
  const isStarred = part.isWellFormed() && atoms.every(({ kind }) => kind === 'char' || kind === 'many')
  return isStarred ? { between: textsBetween(atoms) } : { atoms }
}

function textsBetween(atoms: readonly Atom[]): readonly string[] {
  const texts = ['']
  for (const atom of atoms)
    if (atom.kind === 'char') texts.push((texts.pop() ?? '') + atom.char)
    else texts.push('')
  return texts
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
  const isNegated = chars[start] === '!' || chars[start] === '^'
  const ranges: [number, number][] = []
  let at = isNegated ? start + 1 : start
  const first = at
  while (chars[at] !== undefined && (chars[at] !== ']' || at === first)) {
    const [low, afterLow] = classChar(chars, at)
    const isRange = chars[afterLow] === '-' && chars[afterLow + 1] !== undefined && chars[afterLow + 1] !== ']'
    const [high, after] = isRange ? classChar(chars, afterLow + 1) : [low, afterLow]
    if (high < low) throw invalidGlob(pattern, 'a range in [ ] runs backwards')
    ranges.push([low, high])
    at = after
  }
  if (chars[at] === undefined) throw invalidGlob(pattern, "'[' is not closed", "write '\\[' for the character itself")
  return [{ kind: 'class', negated: isNegated, ranges }, at]
}

function classChar(chars: readonly string[], at: number): [number, number] {
  const start = chars[at] === '\\' ? at + 1 : at
  return [chars[start]?.codePointAt(0) ?? 0, start + 1]
}
