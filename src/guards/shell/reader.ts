import { ToolError } from '../../kernel/error.ts'
import type { Outline } from './outline.ts'
import type { Definition, Doubt, Loop, Simple } from './script.ts'

/** A here-document whose text begins after the line. */
export interface Awaited {
  readonly delimiter: string
  readonly quoted: boolean
  readonly tabs: boolean
  readonly done: (body: string | undefined) => void
}

/** The position in a line, and what was found so far. */
export interface Reader {
  readonly text: string
  at: number
  depth: number
  readonly commands: Simple[]
  readonly doubts: Doubt[]
  awaited: Awaited[]
  readonly functions: Definition[]
  /** Names that are functions from here on, whatever happened before. */
  readonly defined: Set<string>
  /** The loops around the position, and all loops of the line. */
  readonly around: Loop[]
  readonly loops: Loop[]
  /** What was found, as written. */
  readonly outline: Outline
  /**
   * Reads commands up to, and not including, a closing bracket or the end. The grammar provides it, because it needs
   * words itself.
   */
  readonly list: (reader: Reader, closer: ')' | '') => void
}

const MAX_DEPTH = 24

/** Returns the next character, with continued lines joined; empty at the end. */
export function peek(reader: Reader): string {
  while (reader.text[reader.at] === '\\' && reader.text[reader.at + 1] === '\n') reader.at += 2
  return reader.text[reader.at] ?? ''
}

export function take(reader: Reader): string {
  const char = peek(reader)
  reader.at++
  return char
}

/** Skips these characters if they come next. */
export function eat(reader: Reader, sign: string): boolean {
  const start = reader.at
  for (const char of sign) {
    if (peek(reader) !== char) {
      reader.at = start
      return false
    }
    reader.at++
  }
  return true
}

/** Reports whether these characters come next. */
export function isNext(reader: Reader, sign: string): boolean {
  const start = reader.at
  const isThere = eat(reader, sign)
  reader.at = start
  return isThere
}

export function skipBlanks(reader: Reader): void {
  for (let char = peek(reader); char === ' ' || char === '\t'; char = peek(reader)) reader.at++
}

/** Gives up on the line. */
export function giveUp(why: string): never {
  throw new ToolError('invalid_input', why)
}

/** Adds a command to what was found. */
export function keep(reader: Reader, command: Simple): Simple {
  const withLoops = reader.around.length === 0 ? command : { ...command, loops: [...reader.around] }
  reader.commands.push(withLoops)
  return withLoops
}

export const doubt = (reader: Reader, what: string): void => void reader.doubts.push({ what, opaque: false })

/** Reads a nested construct; too many levels are not followed. */
export function deeper<T>(reader: Reader, read: () => T): T {
  if (++reader.depth > MAX_DEPTH) giveUp('it is nested too deeply')
  const result = read()
  reader.depth--
  return result
}

/** Reads commands in a text of their own as if they were written here. */
export function readWithin(reader: Reader, text: string, read: (inner: Reader) => void): readonly Simple[] {
  const start = reader.commands.length
  deeper(reader, () => read({ ...reader, text, at: 0, awaited: [] }))
  return reader.commands.slice(start)
}
