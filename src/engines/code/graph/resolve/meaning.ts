import type { Value } from '../../symbols/file-code.ts'
import type { Found, ProjectFile } from './project.ts'

/** What a value turns out to be, all files considered. */
export type Meaning =
  | { readonly kind: 'symbol'; readonly at: Found }
  | { readonly kind: 'instance'; readonly at: Found }
  | { readonly kind: 'module'; readonly file: ProjectFile }
  /** Something without a name, to be read in its file. */
  | { readonly kind: 'shape'; readonly file: ProjectFile; readonly value: Value }
  /** An object of a class of the language itself. */
  | {
      readonly kind: 'builtin'
      readonly file: ProjectFile
      readonly name: string
      readonly args: readonly (Value | null)[]
    }

export interface Meanings {
  of(value: Value, file: ProjectFile): readonly Meaning[]
  /** The symbols that a value is, for whoever stands in the symbol of this number. */
  symbols(value: Value, file: ProjectFile, by: number): readonly Found[]
  member(meaning: Meaning, name: string): readonly Meaning[]
  /** A variable and whatever else only names a value is followed to that value. */
  settled(meaning: Meaning): readonly Meaning[]
  result(meaning: Meaning): readonly Meaning[]
  /** What an object of a class or type is. */
  made(meaning: Meaning): readonly Meaning[]
  element(meaning: Meaning): readonly Meaning[]
}
