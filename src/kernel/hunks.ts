import type { Change } from './change.ts'

/** What landed of a file of which a person accepted only a part. */
export interface LandedPart extends Pick<Change, 'path' | 'kind' | 'from'> {
  /** Of the file as it stands now; absent if it was deleted. */
  readonly hash?: string
  readonly bytes?: number
  /** The accepted places, by lines of the file as it was; empty if the change landed as a whole. */
  readonly places: readonly {
    readonly line: number
    readonly lines: number
    readonly old: string
    readonly new: string
  }[]
}

/**
 * Returns the parts of a change that can land alone: the hunks of a changed text file, else the whole change. Computed
 * from its diff, so that what a person sees and what lands are divided alike.
 */
function hunksOfChange({
  kind,
  from,
  diff,
}: Pick<Change, 'kind' | 'from'> & { readonly diff: string }): readonly string[] {
  const isDivided = kind === 'change' && from === undefined && !WHOLE.test(headerOf(diff))
  const hunks = isDivided ? diff.split(/^(?=@@ )/m).slice(1) : []
  return hunks.length > 0 ? hunks : [diff]
}

/** A change of type or mode, content that is no text, and text that is not stored as shown. */
const WHOLE = /^(?:old mode|deleted file|new file|Binary files|# )/m

const headerOf = (diff: string): string => diff.slice(0, Math.max(0, diff.search(/^@@ /m)))

/** Returns what a question with these diffs can be answered in parts by: the hunks of each change, in order. */
export function dividedHunks(
  changes: readonly (Pick<Change, 'kind' | 'path' | 'from'> & { readonly diff: string })[],
): readonly (readonly string[])[] {
  return changes.map(change => (isOnlyOnTheWay(change, changes) ? [] : hunksOfChange(change)))
}

/** A directory that is only created to hold other changes lands with the first of them. */
const isOnlyOnTheWay = (
  { kind, path }: Pick<Change, 'kind' | 'path'>,
  changes: readonly Pick<Change, 'kind' | 'path'>[],
): boolean => kind === 'mkdir' && changes.some(other => other.kind !== 'mkdir' && other.path.startsWith(`${path}/`))
