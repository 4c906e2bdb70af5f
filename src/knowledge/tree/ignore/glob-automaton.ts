import type { GlobToken } from './glob-tokens.ts'

/** A step consumes one byte of its set, or tries the steps it names without consuming any. */
type Step = { readonly takes: Uint8Array } | { readonly tries: number[] } | 'end'

interface State {
  readonly steps: readonly number[]
  readonly ends: boolean
  readonly next: (State | undefined)[]
}

/** More than any practical glob needs. Beyond it the table is reset, so that a hostile glob cannot fill memory. */
const MOST_STATES = 2_000
const SLASH = 0x2f

/** Tests paths in linear time for any glob: it never backtracks. */
export function globAutomaton(tokens: readonly GlobToken[]): (path: string) => boolean {
  const steps = compile(tokens)
  let states = new Map<string, State>()
  let start = stateOf([0])

  return path => {
    if (states.size > MOST_STATES) {
      states = new Map()
      start = stateOf([0])
    }
    let state = start
    for (let at = 0; at < path.length; at++) {
      const byte = path.charCodeAt(at)
      state = state.next[byte] ??= after(state, byte)
      if (state.steps.length === 0) return false
    }
    return state.ends
  }

  function after(state: State, byte: number): State {
    const nextSteps: number[] = []
    for (const index of state.steps) {
      const step = steps[index]
      if (typeof step === 'object' && 'takes' in step && step.takes[byte] === 1) nextSteps.push(index + 1)
    }
    return stateOf(nextSteps)
  }

  function stateOf(from: readonly number[]): State {
    const stepsSeen = new Set<number>()
    const pending = [...from]
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      if (stepsSeen.has(index)) continue
      stepsSeen.add(index)
      const step = steps[index]
      if (typeof step === 'object' && 'tries' in step) pending.push(...step.tries)
    }
    const here = [...stepsSeen].toSorted((a, b) => a - b)
    const key = here.join()
    const knownState = states.get(key)
    if (knownState !== undefined) return knownState
    const state: State = { steps: here, ends: here.some(index => steps[index] === 'end'), next: [] }
    states.set(key, state)
    return state
  }
}

function compile(tokens: readonly GlobToken[]): readonly Step[] {
  const steps: Step[] = []
  // A glob of only `**` matches everything.
  if (tokens.length === 1 && tokens[0]?.kind === 'prefix') repeat(ANYTHING)
  else sequence(tokens)
  steps.push('end')
  return steps

  function sequence(parts: readonly GlobToken[]): void {
    for (const part of parts) one(part)
  }

  function one(token: GlobToken): void {
    if (token.kind === 'literal') for (const byte of Buffer.from(token.bytes, 'latin1')) take(only(byte))
    else if (token.kind === 'any') take(NO_SLASH)
    else if (token.kind === 'star') repeat(NO_SLASH)
    else if (token.kind === 'class') take(classSet(token))
    else if (token.kind === 'suffix') {
      take(only(SLASH))
      repeat(ANYTHING)
    } else if (token.kind === 'prefix') maybe(anythingAndSlash)
    else if (token.kind === 'middle') {
      take(only(SLASH))
      maybe(anythingAndSlash)
    } else if (token.kind === 'either') either(token.branches.filter(branch => !isEmpty(branch)))
  }

  function take(set: Uint8Array): void {
    steps.push({ takes: set })
  }

  function repeat(set: Uint8Array): void {
    const at = steps.length
    steps.push({ tries: [at + 1, at + 3] }, { takes: set }, { tries: [at] })
  }

  function maybe(what: () => void): void {
    const tries = [steps.length + 1]
    steps.push({ tries })
    what()
    tries.push(steps.length)
  }

  function anythingAndSlash(): void {
    repeat(ANYTHING)
    take(only(SLASH))
  }

  function either(branches: readonly (readonly GlobToken[])[]): void {
    if (branches.length === 0) return
    const tries: number[] = []
    const leave: number[][] = []
    steps.push({ tries })
    for (const branch of branches) {
      tries.push(steps.length)
      sequence(branch)
      const out: number[] = []
      leave.push(out)
      steps.push({ tries: out })
    }
    for (const out of leave) out.push(steps.length)
  }
}

/** ripgrep ignores empty branches: `{,a}` is `{a}`. */
const isEmpty = (branch: readonly GlobToken[]): boolean =>
  branch.every(token => token.kind === 'either' && token.branches.every(isEmpty))

/** Compares bytes: each byte of a multi-byte character is a separate member, as in ripgrep. */
function classSet({ negated, ranges }: GlobToken & { readonly kind: 'class' }): Uint8Array {
  const set = new Uint8Array(256)
  for (const [from, to] of ranges) {
    for (let at = 0; at < from.length; at++) set[from.charCodeAt(at)] = 1
    if (from === to) continue
    for (let at = 0; at < to.length; at++) set[to.charCodeAt(at)] = 1
    set.fill(1, from.charCodeAt(from.length - 1), to.charCodeAt(0) + 1)
  }
  return negated ? set.map(member => 1 - member) : set
}

const ONLY = Array.from({ length: 256 }, (_, byte) => new Uint8Array(256).fill(1, byte, byte + 1))
const only = (byte: number): Uint8Array => ONLY[byte] ?? new Uint8Array(256)
const ANYTHING = new Uint8Array(256).fill(1)
const NO_SLASH = ANYTHING.map((_, byte) => (byte === SLASH ? 0 : 1))
