/** One file as a commit would change it: what the approval card, a dry run, the journal and undo all show. */
export interface Change {
  readonly path: string
  readonly kind: 'create' | 'change' | 'delete' | 'move' | 'mkdir' | 'mode'
  /** Where it was, for a move. */
  readonly from?: string
  /** sha256 of the content before and after; absent where there is none. */
  readonly before?: string
  readonly after?: string
  readonly bytes?: number
  readonly mode?: number
  /** The change as a unified diff, made only when somebody looks. */
  diff(): string
}
