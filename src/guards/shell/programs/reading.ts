import type { Concern } from '../concern.ts'
import type { Word } from '../script.ts'

/** A word, or its part after an option, with its position. */
export interface Value {
  readonly at: number
  readonly word: Word
}

/** A given option, under its name in the table. */
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
  /** Options that the table lacks, or that match several entries; letters from the first unknown one on. */
  readonly unknown: readonly string[]
}
