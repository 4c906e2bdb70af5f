import { ToolError } from '../../kernel/error.ts'

/** A command that must succeed on the staged tree before a commit may land. */
export interface Validator {
  readonly name: string
  readonly command: readonly string[]
  readonly timeoutMs: number
}

export interface Validated {
  name: string
  passed: boolean
  /** Its output; only the end of a long one. */
  output: string
  durationMs: number
}

/** Throws `conflict` with the output of each failed validator. */
export function ensurePassed(results: readonly Validated[]): void {
  const failedResults = results.filter(result => !result.passed)
  if (failedResults.length === 0) return
  throw new ToolError(
    'conflict',
    `Nothing was committed: ${failedResults.map(({ name }) => `'${name}'`).join(', ')} did not pass`,
    {
      hint: 'Fix what the validator reports and call again, or roll back',
      details: { validators: results },
    },
  )
}
