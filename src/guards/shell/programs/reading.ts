import type { Concern } from '../concern.ts'
import type { Word } from '../script.ts'

/** A word, or the part of one behind its option, with the place where it stands. */
export interface Value {
  readonly at: number
  readonly word: Word
}

/** An option as it is given, under the name that the table has for it. */
export interface Option {
  readonly at: number
  readonly name: string
  /** One mark for each value. */
  readonly kinds: string
  readonly values: readonly Value[]
  readonly isRisky: boolean
}

/** The arguments of a command, each in its role. */
export interface Reading {
  readonly options: readonly Option[]
  readonly operands: readonly Value[]
  /** Options that are unknown, abbreviated, uncertain or without their value. */
  readonly doubts: readonly Concern[]
  /** Options that the table does not have, or that may be several of it: as they are written, letters from the first unknown one on. */
  readonly unknown: readonly string[]
}
