/** The size of an answer that the caller accepts, in the form in which the caller gets it. */
export interface AnswerRoom {
  /** In characters. */
  readonly most: number
  /** Returns the size of an answer in characters. */
  readonly sizeOf: (data: unknown) => number | Promise<number>
}
