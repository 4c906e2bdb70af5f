/** One replacement of a text by another. */
export interface Edit {
  readonly old: string
  readonly new: string
  /** Every occurrence. */
  readonly all?: boolean | undefined
  /** `lines` ignores blanks around lines, indentation and typographic quotes and dashes, if the place is unique. */
  readonly match?: 'exact' | 'lines' | undefined
}

/** The edit's position in its call, for messages. */
export interface Which {
  readonly path: string
  /** 0-based. */
  readonly edit: number
  readonly of: number
}
