/** How much of an answer whoever calls can take, in the form in which they get it. */
export interface AnswerRoom {
  /** In characters. */
  readonly most: number
  /** The characters that an answer takes. */
  readonly sizeOf: (data: unknown) => number | Promise<number>
}
