import type { z } from 'zod'
import type { ToolResult } from '../../../contracts/debug-assistant/types.ts'
import { TIMEOUT_MS } from '../../../contracts/debug-assistant/fields.ts'
import { ToolError } from '../../../kernel/error.ts'
import { reasonOf } from '../../../kernel/reason-of.ts'
import { withDeadline } from '../../../runtime/deadline.ts'

/** A tool in the document's form. */
export interface ToolDefinition<
  Parameters extends z.core.$ZodType = z.ZodType,
  Data extends z.core.$ZodType = z.core.$ZodType,
> {
  readonly name: string
  readonly description: string
  /** Schema with which `execute` validates its parameters. */
  readonly parameters: Parameters
  /** Invalid parameters return INVALID_PARAMETERS. Never throws. */
  execute(rawParams: unknown): Promise<ToolResult<z.output<Data>>>
}

/**
 * Base of a tool of your own. It validates the parameters, then runs your code with your own rights. An answer that
 * takes longer than `timeoutMs` is TOOL_TIMEOUT; what your code still does then is not ended.
 */
export abstract class ToolBase implements ToolDefinition {
  abstract readonly name: string
  abstract readonly description: string
  abstract readonly parameters: z.ZodType
  /** The document's limit, unless set otherwise. */
  protected readonly timeoutMs: number = TIMEOUT_MS

  async execute(rawParams: unknown): Promise<ToolResult> {
    try {
      const validation = await this.parameters.safeParseAsync(rawParams)
      if (!validation.success) return failure('INVALID_PARAMETERS', validation.error)
      const parameters = validation.data as z.infer<this['parameters']>
      return await withDeadline({ name: this.name, timeoutMs: this.timeoutMs }, undefined, () =>
        this.executeInternal(parameters),
      )
    } catch (cause) {
      const isLate = cause instanceof ToolError && cause.code === 'timeout'
      return failure(isLate ? 'TOOL_TIMEOUT' : 'INTERNAL_ERROR', cause)
    }
  }

  protected abstract executeInternal(params: z.infer<this['parameters']>): Promise<ToolResult>
}

/** Returns the document's answer for a failure outside any call. */
export const failure = (code: string, cause: unknown): ToolResult<never> => ({
  success: false,
  error: { code, message: reasonOf(cause) },
})
