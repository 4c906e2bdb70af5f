import { ToolError } from '../kernel/error.ts'
import type { Trail } from './trail.ts'

/** Whatever else is thrown is a defect, told as `internal` and kept for whoever has to mend it. */
export function asToolError(cause: unknown, trail: Trail): ToolError {
  if (cause instanceof ToolError) return cause
  trail.defect = cause
  return new ToolError('internal', `Unexpected failure: ${cause instanceof Error ? cause.message : String(cause)}`, {
    cause,
  })
}
