import type { Call } from '../../kernel/contract.ts'
import { sentenceOf } from './command-report.ts'

/**
 * The document calls a command that ends with another code than 0 an error. The call itself has worked: what the command
 * changed has landed, so that only the answer says so.
 */
export function commandFailure(
  { name }: Call,
  output: string,
  metadata: unknown,
): { readonly code: string; readonly message: string; readonly suggestion: string } | undefined {
  if (name !== 'run_in_terminal' || Reflect.get(Object(metadata), 'exit_code') === 0) return undefined
  const message = sentenceOf(output)
  return message.endsWith("' not found")
    ? { code: 'command_not_found', message, suggestion: 'Check the name, or install the program' }
    : { code: 'command_failed', message, suggestion: 'Read what the command printed, then mend its cause' }
}
