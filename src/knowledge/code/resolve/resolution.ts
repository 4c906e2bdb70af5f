import type { Value } from '../../../languages/file-model/file-model.ts'
import type { Bindings, Meaning, Meanings, Where } from './meaning.ts'
import type { Names } from './names.ts'
import type { Found, ProjectFile } from './project.ts'

/** The questions that the parts of the resolver ask each other. Every answer is cached, and none needs recursion. */
export interface Resolution {
  readonly names: Names
  readonly meanings: Meanings
  /** The file that an import of a script refers to. */
  moduleOf(file: ProjectFile, specifier: string): ProjectFile | undefined
  value(value: Value, where: Where): readonly Meaning[]
  member(of: Meaning, name: string): readonly Meaning[]
  /** Follows variables and other names for a value to that value. */
  settled(meaning: Meaning): readonly Meaning[]
  result(meaning: Meaning): readonly Meaning[]
  /** The exports of a script under a name. */
  exported(file: ProjectFile, name: string): readonly Meaning[]
  /** Instances of a type's ancestors, the nearest first. */
  above(type: Found, bindings?: Bindings): readonly Meaning[]
}

export const NONE: readonly Meaning[] = []

/** The meaning of a value, with variables followed. */
export const resolveValue = (resolution: Resolution, value: Value, where: Where): readonly Meaning[] =>
  resolution.value(value, where).flatMap(resolution.settled)

export const asSymbols = (
  { meanings }: Resolution,
  symbols: readonly Found[],
  bindings?: Bindings,
): readonly Meaning[] => symbols.map(at => meanings.symbol(at, bindings))
