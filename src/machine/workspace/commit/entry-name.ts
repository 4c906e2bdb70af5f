/** Facts in the name of a commit's directory, so that listing the store opens no file. */
export interface EntryName {
  /** Increases within a store: the order of commits, independent of the clock. */
  readonly sequence: number
  readonly at: number
  /** Disk usage. */
  readonly bytes: number
  readonly id: string
  /** Not undoable: contents that could not return to their name when a commit was rolled back. */
  readonly kept?: true
}

/** Names sort in the order of their commits. */
export const encodeEntryName = ({ sequence, at, bytes, id }: EntryName): string =>
  [sequence.toString(36).padStart(9, '0'), at.toString(36), bytes.toString(36), id].join('.')

/** Name under which a rolled-back commit stores contents that it could not put back. */
export const keptEntryName = (name: string): string => `${name}.kept`

/** Returns undefined for a name that is not ours. */
export function decodeEntryName(name: string): EntryName | undefined {
  const match = /^([0-9a-z]{9})\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([A-Za-z0-9_-]{1,100})(\.kept)?$/.exec(name)
  if (match === null) return undefined
  const [, sequence = '', at = '', bytes = '', id = '', keptMark] = match
  const numbers = {
    sequence: Number.parseInt(sequence, 36),
    at: Number.parseInt(at, 36),
    bytes: Number.parseInt(bytes, 36),
  }
  return { ...numbers, id, ...(keptMark !== undefined && { kept: true }) }
}

export const isCommitId = (id: string): boolean => /^[A-Za-z0-9_-]{1,100}$/.test(id)
