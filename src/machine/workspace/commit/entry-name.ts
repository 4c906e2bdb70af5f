/** What the name of a commit's directory says, so that listing the store needs no file opened. */
export interface EntryName {
  /** Counts up within a store: the order of commits, whatever the clock did. */
  readonly sequence: number
  readonly at: number
  /** What keeping it costs on disk. */
  readonly bytes: number
  readonly id: string
  /** No commit to undo: contents that could not go back to their name when a commit was taken back. */
  readonly kept?: true
}

/** Names sort in the order of their commits. */
export const encodeEntryName = ({ sequence, at, bytes, id }: EntryName): string =>
  [sequence.toString(36).padStart(9, '0'), at.toString(36), bytes.toString(36), id].join('.')

/** The name under which a commit that was taken back leaves what it could not put back. */
export const keptEntryName = (name: string): string => `${name}.kept`

/** Undefined for a name that is not ours. */
export function decodeEntryName(name: string): EntryName | undefined {
  const match = /^([0-9a-z]{9})\.([0-9a-z]{1,11})\.([0-9a-z]{1,11})\.([A-Za-z0-9_-]{1,100})(\.kept)?$/.exec(name)
  if (match === null) return undefined
  const [, sequence = '', at = '', bytes = '', id = '', kept] = match
  const numbers = {
    sequence: Number.parseInt(sequence, 36),
    at: Number.parseInt(at, 36),
    bytes: Number.parseInt(bytes, 36),
  }
  return { ...numbers, id, ...(kept !== undefined && { kept: true }) }
}

export const isCommitId = (id: string): boolean => /^[A-Za-z0-9_-]{1,100}$/.test(id)
