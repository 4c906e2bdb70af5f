/** What a call is about to change, recorded before it does. */
export interface CallIntent {
  /** The intent must be flushed to disk: the change can happen at any moment from here on. */
  readonly durable: boolean
  /** The staged paths that are about to land. */
  readonly changed?: readonly string[]
  /** Unstaged changes land too: paths that git ignores, or the repository itself. */
  readonly unstaged?: boolean
  /** The call is about to act on the workspace itself. */
  readonly direct?: boolean
}
