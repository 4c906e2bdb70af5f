export interface Stretch {
  readonly start: number
  readonly end: number
}

/** The stretch of a declaration in its text, in UTF-16 units. */
export interface DeclarationSpan extends Stretch {
  /** Position of its name. */
  readonly nameAt: number
  /** Its start after decorators and `export`. */
  readonly headAt: number
  /** Its contents, brackets included; for a variable its value. */
  readonly body?: Stretch
  /** The statement also declares others. */
  readonly shares?: true
  /** Declarations of the same name that belong to one function. */
  readonly heads?: readonly Stretch[]
}

/** A symbol with its exact place in a text. */
export interface Span extends DeclarationSpan {
  /** `Class.method` for a member. */
  readonly name: string
  readonly kind: string
}

/** The facts of a file that symbol edits need. */
export interface SyntaxFile {
  readonly spans: readonly Span[]
  readonly comments: readonly Stretch[]
  /** Multi-line strings, whose content would change with their indentation. */
  readonly literals: readonly Stretch[]
  /** The first parse error. */
  readonly error?: { readonly at: number; readonly message: string }
}
