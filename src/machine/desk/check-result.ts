/** What a check says of some data; warnings never make it invalid. */
export interface CheckResult {
  readonly valid: boolean
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

/** What is wrong with some data, and what is only doubtful. */
export type Findings = Partial<Pick<CheckResult, 'errors' | 'warnings'>>
