/** An alias of a name. */
export interface OtherName {
  readonly name: string
  readonly of: string
}

/** What the text of a file says of the files that it depends on. */
export interface ImportFacts {
  /** Its imports as written. */
  readonly requests: readonly string[]
  /** Requests that import no names. */
  readonly wholes: readonly string[]
  /** It declares something for files that do not import it. */
  readonly isAmbient: boolean
  /** Aliases from its imports, exports and macros. */
  readonly others: readonly OtherName[]
}

/** A request whose file is known to the build alone. */
export const COMPUTED = '*'

/** The aliases in a list of names: `a as b`. */
export const renamesIn = (names: string): readonly OtherName[] =>
  Array.from(names.matchAll(/(?<![\w$])([\w$]+)\s+as\s+([\w$]+)/g), ([, of = '', name = '']) => ({ name, of })).filter(
    ({ name, of }) => name !== of,
  )
