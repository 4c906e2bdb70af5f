/** Location of a workspace's stored index. */
export interface StoredPlace {
  readonly file: string
  /** Only a program with the same key can read it. */
  readonly key: () => string
  /** The workspace's folder in the state directory. */
  readonly state: string
  /** Version of the denied files when this program began to read. */
  readonly denied: string
}
