/** How long a caller waits for one answer, and what ends the wait. */
export interface AskOptions {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** Working without the process that answers costs more than waiting for a busy one. */
  readonly isPatient?: boolean | undefined
}
