/** A program and a refactoring of it, a rename unless said otherwise; `NAME` stands for the old name. */
export interface Row {
  readonly it: string
  readonly files: Readonly<Record<string, string>>
  /** Of what is renamed; the first file declares it. */
  readonly symbol: string
  /** A line of it, where it is no symbol. */
  readonly line?: number
  /** Another refactoring; `ROW` stands for the folder of the program. */
  readonly refactor?: { readonly kind: 'move' | 'delete'; readonly symbol?: string; readonly to?: string }
  /** What has to happen: it is done at once, or refused with the undecided places. */
  readonly answer: 'done' | 'refused'
  /** Of a refused one the lines whose occurrences are taken along, so that the program runs as before. */
  readonly include?: readonly string[]
  /** Of a refused one: left as it is, the program runs as before. */
  readonly leave?: true
}
