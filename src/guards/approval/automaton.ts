import { RE2JS } from 're2js'
import { QUOTE } from './safe-pattern.ts'

/** A state of an automaton over JSON text in which `markQuotes` marked the quotes that delimit strings. */
export interface State {
  readonly steps: { readonly on: Step; readonly to: State }[]
  /** States reachable without consuming a character. */
  readonly free: State[]
}

/** What one step consumes: a character, one of a class, any character inside a string, or any character. */
type Step = { readonly char: string } | { readonly has: (char: string) => boolean } | 'text' | 'any'

/** Builds the states of a part that leads to the given state; returns the first. */
export type Part = (next: State) => State

const step =
  (on: Step): Part =>
  next => ({ steps: [{ on, to: next }], free: [] })

/** A character inside a string, and a character anywhere. */
export const TEXT = step('text')
export const ANY = step('any')

export const sequence =
  (...parts: readonly Part[]): Part =>
  next =>
    parts.reduceRight((behind, part) => part(behind), next)

export const either =
  (...parts: readonly Part[]): Part =>
  next => ({ steps: [], free: parts.map(part => part(next)) })

export const optional =
  (part: Part): Part =>
  next => ({ steps: [], free: [next, part(next)] })

export const many =
  (part: Part): Part =>
  next => {
    const loop: State = { steps: [], free: [next] }
    loop.free.push(part(loop))
    return loop
  }

/** A literal text whose quotes are already marked. */
export const text = (chars: string): Part => sequence(...Array.from(chars, char => step({ char })))

/** The accepting state. */
export const END: State = { steps: [], free: [] }

/** Matches every text that begins like an object. */
export const OBJECT = sequence(text('{'), many(ANY))(END)

/** A group, a branch, an escape, a class, a repetition, or one character. */
const TOKEN = /\(\?:|[()|]|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[*+?]\??|\{\d+(?:,\d*)?\}\??|./gsu

/** Larger counts become "any number", which keeps the automaton small. It then matches more, never less. */
const MAX_STATES = 2_000

/** A part of a pattern, its number of states, and the branches of a group. */
interface Piece {
  readonly part: Part
  readonly size: number
  readonly branches?: readonly Part[]
}

export interface Automaton {
  readonly start: State
  /** A repeated group has two branches that match the same text, so a backtracking engine tries every combination. */
  readonly mixesBranches: boolean
}

/** Builds the automaton of a compiled pattern from `safePattern`. It matches everything that the pattern matches. */
export function automatonOf(safe: string): Automaton {
  const levels: Piece[][][] = [[[]]]
  let mixesBranches = false
  for (const [token] of safe.matchAll(TOKEN)) {
    const branches = levels.at(-1) ?? []
    const branch = branches.at(-1) ?? []
    if (token === '(?:') levels.push([[]])
    else if (token === '|') branches.push([])
    else if (token === ')') levels.at(-2)?.at(-1)?.push(groupOf(levels.pop()))
    else if (!/^(?:[*+?]|\{\d)/.test(token)) branch.push({ part: atom(token), size: 1 })
    else {
      const counts = countsOf(token)
      const last = branch.pop()
      if (counts.most > 1 && overlap(last?.branches)) mixesBranches = true
      if (last) branch.push(repeat(last, counts))
    }
  }
  return { start: groupOf(levels[0]).part(END), mixesBranches }
}

function groupOf(branches: readonly (readonly Piece[])[] = []): Piece {
  const parts = branches.map(branch => sequence(...branch.map(({ part }) => part)))
  return { part: either(...parts), size: branches.flat().reduce((sum, { size }) => sum + size, 1), branches: parts }
}

/** Reports whether two of these, each repeated, can match the same text. */
const overlap = (branches: readonly Part[] = []): boolean =>
  branches.some((one, at) => branches.slice(at + 1).some(other => canMatch(oneOrMore(one), oneOrMore(other))))

const oneOrMore = (part: Part): State => sequence(part, many(part))(END)

interface Counts {
  readonly least: number
  readonly most: number
}

function countsOf(token: string): Counts {
  if (token.startsWith('*')) return { least: 0, most: Infinity }
  if (token.startsWith('+')) return { least: 1, most: Infinity }
  if (token.startsWith('?')) return { least: 0, most: 1 }
  const [, least = '0', comma, most = ''] = /^\{(\d+)(,?)(\d*)/.exec(token) ?? []
  return { least: Number(least), most: comma ? (most === '' ? Infinity : Number(most)) : Number(least) }
}

function repeat({ part, size }: Piece, { least, most }: Counts): Piece {
  const isEndless = most === Infinity
  const copies = isEndless ? least + 1 : most
  if (size * copies > MAX_STATES) return { part: many(part), size: size + 1 }
  const requiredCopies = Array.from({ length: least }, () => part)
  const more = isEndless ? [many(part)] : Array.from({ length: most - least }, () => optional(part))
  return { part: sequence(...requiredCopies, ...more), size: size * copies + 1 }
}

const CONTROLS: Readonly<Record<string, string>> = { '\\n': '\n', '\\r': '\r', '\\t': '\t' }

function atom(token: string): Part {
  // A word boundary consumes nothing, and is assumed to hold.
  if (token === '\\b' || token === '\\B') return next => next
  const isClass = token === '.' || /^\[.|^\\[swd]$/s.test(token)
  if (!isClass) return step({ char: CONTROLS[token] ?? (token.length > 1 ? token.replace(/^\\/, '') : token) })
  const one = RE2JS.compile(token, RE2JS.DOTALL)
  const exactMatches = new Map<string, boolean>()
  const has = (char: string): boolean => {
    const is = exactMatches.get(char) ?? one.testExact(char)
    exactMatches.set(char, is)
    return is
  }
  return step({ has })
}

/** Reports whether some text may match both a pattern and a shape without classes; true if unknown. */
export const canMatch = (pattern: State, shape: State): boolean =>
  walk(pattern, shape, (left, right) => left === END && right === END) !== undefined

interface Place {
  readonly pattern: State
  readonly shape: State
  readonly char: string
  readonly before: Place | undefined
}

/** Returns the shortest text that leads to a wanted pair of states; undefined if none is reachable. */
export function walk(
  pattern: State,
  shape: State,
  isSought: (pattern: State, shape: State) => boolean,
): string | undefined {
  const shapesByState = new Map<State, Set<State>>()
  const isNew = (left: State, right: State): boolean => {
    const visitedShapes = shapesByState.get(left) ?? new Set()
    shapesByState.set(left, visitedShapes)
    return visitedShapes.size < visitedShapes.add(right).size
  }
  let places: Place[] = [{ pattern, shape, char: '', before: undefined }]
  while (places.length > 0) {
    const next: Place[] = []
    // Grows during the loop: states reachable without a character belong to the same length.
    for (const place of places) {
      const { pattern: patternState, shape: right } = place
      if (!isNew(patternState, right)) continue
      if (isSought(patternState, right)) return textOf(place)
      for (const free of patternState.free) places.push({ ...place, pattern: free })
      for (const free of right.free) places.push({ ...place, shape: free })
      for (const one of patternState.steps)
        for (const other of right.steps) {
          const char = sharedCharacter(one.on, other.on)
          if (char !== undefined) next.push({ pattern: one.to, shape: other.to, char, before: place })
        }
    }
    places = next
  }
  return undefined
}

function textOf(place: Place): string {
  let characters = ''
  for (let at: Place | undefined = place; at; at = at.before) characters = at.char + characters
  return characters
}

const SAMPLES = ['a', 'x', ' ', '0', '-', '/', '.', 'A', '_']

/** Returns a character that both steps consume; undefined if there is none. Compares only samples of two classes. */
function sharedCharacter(one: Step, other: Step): string | undefined {
  if (typeof one === 'string') return typeof other === 'string' ? 'a' : sharedCharacter(other, one)
  if (typeof other === 'string') {
    if ('has' in one) return SAMPLES.find(one.has) ?? '…'
    // JSON escapes control characters, and the mark of a quote ends the string.
    return other === 'any' || (one.char !== QUOTE && one.char >= ' ') ? one.char : undefined
  }
  if ('has' in one)
    return 'has' in other ? SAMPLES.find(char => one.has(char) && other.has(char)) : sharedCharacter(other, one)
  return ('has' in other ? other.has(one.char) : other.char === one.char) ? one.char : undefined
}
