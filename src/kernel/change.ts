/** One file as a commit would change it: what the approval card, a dry run, the journal and undo all show. */
export interface Change {
  readonly path: string
  readonly kind: 'create' | 'change' | 'delete' | 'move' | 'mkdir' | 'mode'
  /** Where it was, for a move. */
  readonly from?: string
  /** sha256 of the content before and after; absent if there is none. */
  readonly before?: string
  readonly after?: string
  readonly bytes?: number
  readonly mode?: number
  /** The change as a unified diff, made only when somebody looks. */
  diff(): string
}

/** The diffs of changes as far as their caller may read what was there; the rest shows as a name. */
export const visibleDiff = (changes: readonly Change[], mayRead: (path: string) => boolean): string =>
  changes
    .map(change => {
      const { path, from = path, before } = change
      if (before === undefined || (mayRead(path) && mayRead(from))) return change.diff()
      return `# ${JSON.stringify(path)} changes too; reading it is not allowed, so its diff is not shown\n`
    })
    .join('')
