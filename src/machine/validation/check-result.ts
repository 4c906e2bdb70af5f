/** Result of a check; warnings never make data invalid. */
export interface CheckResult {
  readonly valid: boolean
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

/** Errors and warnings about some data. */
export type Findings = Partial<Pick<CheckResult, 'errors' | 'warnings'>>
