import { rangesOf, type CodePoints } from './code-points.ts'
import type { Syntax } from './syntax.ts'

/** Marks each byte that may stand at a position. */
export type ByteSet = Uint8Array

/** Consecutive bytes that occur in every match. */
export interface SetSequence {
  readonly sets: readonly ByteSet[]
  /** Every occurrence is a match. */
  readonly isWhole: boolean
}

const LONGEST = 64
const SHORTEST = 3
/** Largest share of positions in a text that may look like a match. */
const RARE = 1e-3
/** Approximate number of distinct characters in a text, and of those beyond ASCII. */
const [KINDS, OTHERS] = [64, 4]

interface Step {
  readonly set: ByteSet
  readonly chance: number
  /** Some characters have several bytes; only the byte at an end of the sequence is known. */
  readonly isMixed: boolean
}

/** Returns the rarest sequence that a quick look finds, or undefined if none is rare. */
export function setSequence(syntax: Syntax): SetSequence | undefined {
  const parts = syntax.kind === 'concat' ? syntax.parts : [syntax]
  let [best, steps, isWhole]: [readonly Step[], Step[], boolean] = [[], [], true]
  const end = (): void => {
    if (chanceOf(steps) < chanceOf(best)) best = steps
    steps = []
  }
  const add = (set: CodePoints): void => {
    const step = stepOf(set)
    steps.push(step)
    if (!step.isMixed) return
    isWhole = false
    if (steps.length > 1) end()
    if (steps.length === 0) steps.push(step)
  }
  for (const part of parts) {
    if (part.kind === 'look') isWhole = false
    if (part.kind === 'look') continue
    const { set, times, isFixed } = minimumRepeat(part)
    if (set) for (let count = 0; count < Math.min(times, LONGEST); count++) add(set)
    if (set && isFixed && steps.length < LONGEST) continue
    isWhole = false
    end()
  }
  end()
  if (best.length < SHORTEST || chanceOf(best) > RARE) return undefined
  return { sets: best.map(({ set }) => set), isWhole }
}

/** Returns the set that each match repeats at least this often, and whether exactly this often. */
function minimumRepeat(part: Syntax): { readonly set?: CodePoints; readonly times: number; readonly isFixed: boolean } {
  if (part.kind === 'set') return { set: part.set, times: 1, isFixed: true }
  if (part.kind === 'repeat' && part.part.kind === 'set' && part.min > 0)
    return { set: part.part.set, times: part.min, isFixed: part.min === part.max }
  return { times: 0, isFixed: false }
}

function stepOf(codes: CodePoints): Step {
  const set = new Uint8Array(256)
  let count = 0
  for (const [first, last] of rangesOf(codes))
    for (let byte = first; byte <= Math.min(last, 0x7f); byte++) {
      set[byte] = 1
      count++
    }
  const isMixed = (codes.at(-1) ?? 0) > 0x7f
  if (isMixed) set.fill(1, 0x80)
  return { set, isMixed, chance: Math.min(1, (count + (isMixed ? OTHERS : 0)) / KINDS) }
}

const chanceOf = (steps: readonly Step[]): number => steps.reduce((all, { chance }) => all * chance, 1)
