/** The size of an answer that the caller accepts, in the form in which the caller gets it. */
export interface AnswerRoom {
  /** In characters. */
  readonly most: number
  /** Returns the size of an answer in characters. Its JSON is given if the caller has it. */
  readonly sizeOf: (data: unknown, json?: string) => number | Promise<number>
}
