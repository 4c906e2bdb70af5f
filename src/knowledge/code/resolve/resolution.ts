import type { Value } from '../../model/file-model.ts'
import type { Bindings, Meaning, Meanings, Where } from './meaning.ts'
import type { Names } from './names.ts'
import type { Found, ProjectFile } from './project.ts'

/** What the parts of the resolver ask each other. Every answer is kept, and none is found by recursion. */
export interface Resolution {
  readonly names: Names
  readonly meanings: Meanings
  /** The file that an import of a script means. */
  moduleOf(file: ProjectFile, specifier: string): ProjectFile | undefined
  value(value: Value, where: Where): readonly Meaning[]
  member(of: Meaning, name: string): readonly Meaning[]
  /** A variable and whatever else only names a value is followed to that value. */
  settled(meaning: Meaning): readonly Meaning[]
  result(meaning: Meaning): readonly Meaning[]
  /** What a script exports under a name. */
  exported(file: ProjectFile, name: string): readonly Meaning[]
  /** Objects of the types that a type inherits from, the nearest first. */
  above(type: Found, bindings?: Bindings): readonly Meaning[]
}

export const NONE: readonly Meaning[] = []

/** A value, variables followed to what they hold. */
export const held = (resolution: Resolution, value: Value, where: Where): readonly Meaning[] =>
  resolution.value(value, where).flatMap(resolution.settled)

export const asSymbols = ({ meanings }: Resolution, found: readonly Found[], bindings?: Bindings): readonly Meaning[] =>
  found.map(at => meanings.symbol(at, bindings))
