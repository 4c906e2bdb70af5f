/** Names that an answer depended on, so that files which have not been read yet can be told from those that do not matter. */
export interface AskedNames {
  /** Whatever declares it may matter. */
  declared(name: string): void
  /** Whatever mentions it may matter. */
  mentioned(name: string): void
}

export const NOBODY: AskedNames = { declared() {}, mentioned() {} }
