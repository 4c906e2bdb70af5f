import { ToolError } from '../../kernel/error.ts'
import type { Validated } from './validate.ts'

/** Throws `conflict` with what each failed validator printed. */
export function demandPassed(results: readonly Validated[]): void {
  const failed = results.filter(result => !result.passed)
  if (failed.length === 0) return
  throw new ToolError(
    'conflict',
    `Nothing was committed: ${failed.map(({ name }) => `'${name}'`).join(', ')} did not pass`,
    {
      hint: 'Mend what the validator reports and call again, or roll back',
      details: { validators: results },
    },
  )
}
