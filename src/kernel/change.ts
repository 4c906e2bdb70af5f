/** One file as a commit would change it. The approval card, a dry run, the journal and undo all show this. */
export interface Change {
  readonly path: string
  readonly kind: 'create' | 'change' | 'delete' | 'move' | 'mkdir' | 'mode'
  /** The old path of a moved file. */
  readonly from?: string
  /** sha256 of the content before and after; absent if there is none. */
  readonly before?: string
  readonly after?: string
  readonly bytes?: number
  readonly mode?: number
  /** Returns the change as a unified diff, which is computed on demand. */
  diff(): string
}

/** Returns the diffs of changes whose old content the caller may read, and only the names of the others. */
export const visibleDiff = (changes: readonly Change[], mayRead: (path: string) => boolean): string =>
  changes
    .map(change => {
      const { path, from = path, before } = change
      if (before === undefined || (mayRead(path) && mayRead(from))) return change.diff()
      return `# ${JSON.stringify(path)} changes too; reading it is not allowed, so its diff is not shown\n`
    })
    .join('')
