/** What a call is about to change, said before it does. */
export interface CallIntent {
  /** It must be on disk, not only with the operating system: from here on it can have happened. */
  readonly durable: boolean
  /** The staged paths that are about to land. */
  readonly changed?: readonly string[]
  /** What is not staged lands too: paths that git ignores, or the repository itself. */
  readonly unstaged?: boolean
  /** It is about to act on the workspace itself. */
  readonly direct?: boolean
}
