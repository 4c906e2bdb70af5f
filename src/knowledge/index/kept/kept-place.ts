/** Where the whole index of a workspace is kept. */
export interface KeptPlace {
  readonly file: string
  /** Only a program with the same key reads it. */
  readonly key: () => string
  /** The workspace's own folder in the state directory. */
  readonly state: string
  /** Which files rules denied when this program began to read them. */
  readonly denied: string
}
