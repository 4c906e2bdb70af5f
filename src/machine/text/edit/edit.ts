/** One replacement of a text by another. */
export interface Edit {
  readonly old: string
  readonly new: string
  /** Every occurrence. */
  readonly all?: boolean | undefined
  /** `lines` forgives blanks around lines, indentation and typographic quotes and dashes, where the place is unique. */
  readonly match?: 'exact' | 'lines' | undefined
}

/** Which edit of a call this is, for its messages. */
export interface Which {
  readonly path: string
  /** 0-based. */
  readonly edit: number
  readonly of: number
}
