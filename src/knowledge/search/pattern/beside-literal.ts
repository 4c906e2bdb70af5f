import { onlyOf, rangesOf, type CodePoints } from './code-points.ts'
import type { Syntax } from './syntax.ts'

/** Reports whether what stands beside a literal at this offset may belong to a match. Never misses one. */
export type Beside = (text: Buffer, at: number) => boolean

/** ASCII bytes that stand there, at least so many; as many as there are, if what follows begins with others. */
interface Step {
  readonly may: Uint8Array
  readonly least: number
  /** Infinity, or the least. */
  readonly most: number
}

/** A longer look takes longer than one at the whole match. */
const LONGEST = 256

/** Returns undefined if the literal is no part of the expression by itself, or nothing is known of its neighbors. */
export function besideLiteral(syntax: Syntax, literal: string): Beside | undefined {
  if (syntax.kind !== 'concat') return undefined
  const parts = syntax.parts.filter(({ kind }) => kind !== 'look')
  const characters = [...literal].map(character => character.codePointAt(0))
  const place = parts.findIndex((_, at) => characters.every((code, more) => onlyAt(parts, at + more) === code))
  if (place < 0) return undefined
  const before = stepsOf(parts.slice(0, place).toReversed())
  const after = stepsOf(parts.slice(place + characters.length))
  if (before.length + after.length === 0) return undefined
  const length = Buffer.byteLength(literal)
  return (text, at) => walk(text, at - 1, -1, before) && walk(text, at + length, 1, after)
}

function onlyAt(parts: readonly Syntax[], at: number): number | undefined {
  const part = parts[at]
  return part?.kind === 'set' ? onlyOf(part.set) : undefined
}

/** Returns the steps until one whose end is not certain. */
function stepsOf(parts: readonly Syntax[]): readonly Step[] {
  const steps: Step[] = []
  for (const [at, part] of parts.entries()) {
    const repeat = repetition(part)
    if (!repeat) break
    const { set, min, max } = repeat
    const takesAll = max === Infinity && isApart(set, parts.slice(at + 1))
    steps.push({ may: asciiOf(set), least: min, most: takesAll ? Infinity : min })
    if (!takesAll && min !== max) break
  }
  return steps
}

function repetition(
  part: Syntax,
): { readonly set: CodePoints; readonly min: number; readonly max: number } | undefined {
  if (part.kind === 'set') return { set: part.set, min: 1, max: 1 }
  return part.kind === 'repeat' && part.part.kind === 'set' ? { ...part, set: part.part.set } : undefined
}

/** Reports whether nothing that may come next is in the set. */
function isApart(set: CodePoints, next: readonly Syntax[]): boolean {
  const setBytes = asciiOf(set)
  for (const part of next) {
    const repeat = repetition(part)
    if (!repeat || asciiOf(repeat.set).some((may, byte) => may === 1 && setBytes[byte] === 1)) return false
    if (repeat.min > 0) return true
  }
  return true
}

function asciiOf(set: CodePoints): Uint8Array {
  const may = new Uint8Array(128)
  for (const [first, last] of rangesOf(set)) may.fill(1, Math.min(first, 128), Math.min(last + 1, 128))
  return may
}

/** Follows the steps in one direction. Beyond ASCII, and far away, anything may follow. */
function walk(text: Buffer, from: number, by: 1 | -1, steps: readonly Step[]): boolean {
  let at = from
  for (const { may, least, most } of steps)
    for (let count = 0; count < most; count++, at += by) {
      if (Math.abs(at - from) > LONGEST) return true
      const byte = at >= 0 && at < text.length ? (text[at] as number) : NEWLINE
      if (byte > 127) return true
      if (may[byte] === 1) continue
      if (count < least) return false
      break
    }
  return true
}

/** No expression matches it, as nothing does at the ends of the text. */
const NEWLINE = 10
