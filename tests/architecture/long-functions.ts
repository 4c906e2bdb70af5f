import type { Module } from './module.ts'

/** A function that is too long to be read in one go. */
export interface LongFunction {
  readonly file: string
  readonly name: string
  readonly lines: number
}

const MOST = 100

/** Finds the functions of src/ over 100 lines, the longest first; tests are not judged. */
export const longFunctions = (modules: readonly Module[]): readonly LongFunction[] =>
  modules
    .filter(({ file, lines }) => lines > MOST && file.startsWith('src/') && !file.endsWith('.test.ts'))
    .flatMap(({ file, functions }) =>
      functions.filter(({ lines }) => lines > MOST).map(({ name, lines }) => ({ file, name, lines })),
    )
    .toSorted((one, other) => other.lines - one.lines)
