import type { z } from 'zod'
import { sage } from '../../../contracts/sage/contract.ts'
import { failureOf } from '../../../contracts/sage/failure.ts'
import { ToolError } from '../../../kernel/error.ts'
import { validate } from '../../../kernel/validate.ts'

/** Thrown by `validate` and `inTransaction`: the document's code, and the message of an answer. */
export class ToolFailure extends Error {
  override name = 'ToolFailure'
  readonly code: string

  constructor(cause: ToolError) {
    const { code, message } = failureOf(cause, sage.codes).error
    super(message, { cause })
    this.code = code
  }
}

/** Checks an input as `execute` does; throws `EVALIDATION`. */
export function validateInput<In extends z.ZodType>(
  tool: { readonly name: string; readonly input: In },
  input: unknown,
): z.output<In> {
  return asFailure(() => validate(tool, input))
}

/** Does this, and throws its error as the document's. */
export function asFailure<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw cause instanceof ToolError ? new ToolFailure(cause) : cause
  }
}
