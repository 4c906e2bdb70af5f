/** Removes the secrets of a session from a text that is about to be cut: half a secret could not be recognized. */
export interface Concealer {
  /** Returns the bytes between two places. A secret that reaches in between is redacted whole, once in each line. */
  part(bytes: Buffer, from: number, to: number): Buffer
  /** No secret is written in more bytes than this. */
  readonly reach: number
}

/** Returns what conceals the secrets known by now; undefined if there are none. */
export type FindConcealer = () => Concealer | undefined
