/** Every failure a call can end in. Contracts map each one to their own wire code. */
export type Code =
  | 'invalid_input'
  | 'unknown_tool'
  | 'unknown_secret'
  | 'not_found'
  | 'not_a_file'
  | 'not_a_directory'
  | 'exists'
  | 'binary'
  | 'too_large'
  | 'out_of_range'
  | 'no_match'
  | 'ambiguous'
  | 'conflict'
  | 'invalid_result'
  | 'outside_workspace'
  | 'denied'
  | 'rejected'
  | 'budget_exceeded'
  | 'quota'
  | 'timeout'
  | 'cancelled'
  | 'unavailable'
  | 'io'
  | 'internal'

interface ErrorMore {
  /** What to do next. */
  readonly hint?: string
  readonly details?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/**
 * An expected failure. Its message names the problem and the object, its hint the next step. Anything else that is
 * thrown is a defect and becomes `internal`.
 */
export class ToolError extends Error {
  override name = 'ToolError'
  readonly code: Code
  readonly hint: string | undefined
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(code: Code, message: string, more: ErrorMore = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.code = code
    this.hint = more.hint
    this.details = more.details
  }
}
