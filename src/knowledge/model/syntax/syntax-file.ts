export interface Stretch {
  readonly start: number
  readonly end: number
}

/** Where a declaration stands in its text, in UTF-16 units. */
export interface DeclarationSpan extends Stretch {
  /** Where its name is written. */
  readonly nameAt: number
  /** Where it begins behind decorators and `export`. */
  readonly headAt: number
  /** What it holds, brackets included; of a variable its value. */
  readonly body?: Stretch
  /** The whole statement is not its own: others are declared in it too. */
  readonly shares?: true
  /** Declarations of the same name that belong to one function. */
  readonly heads?: readonly Stretch[]
}

/** A symbol with its exact place in a text. */
export interface Span extends DeclarationSpan {
  /** `Class.method` where it is in one. */
  readonly name: string
  readonly kind: string
}

/** What of a file is needed to change it symbol by symbol. */
export interface SyntaxFile {
  readonly spans: readonly Span[]
  readonly comments: readonly Stretch[]
  /** Texts over several lines, whose content would change with their indentation. */
  readonly literals: readonly Stretch[]
  /** The first place that does not parse. */
  readonly error?: { readonly at: number; readonly message: string }
}
