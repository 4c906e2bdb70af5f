import type { Call } from '../../kernel/contract.ts'
import type { Code, ToolError } from '../../kernel/error.ts'
import { failureOf } from './failure.ts'
import { listFiles } from './list-files.ts'
import { queryIndex } from './query-index.ts'
import { readFile } from './read-file.ts'

export const CODES: Readonly<Record<Code, string>> = {
  invalid_input: 'INVALID_PARAMETERS',
  unknown_tool: 'UNKNOWN_TOOL',
  unknown_secret: 'UNKNOWN_SECRET',
  not_found: 'FILE_NOT_FOUND',
  not_a_file: 'FILE_NOT_FOUND',
  not_a_directory: 'FILE_NOT_FOUND',
  exists: 'FILE_EXISTS',
  binary: 'BINARY_FILE',
  too_large: 'FILE_TOO_LARGE',
  out_of_range: 'INVALID_PARAMETERS',
  no_match: 'NO_MATCH',
  ambiguous: 'AMBIGUOUS',
  conflict: 'CONFLICT',
  invalid_result: 'INTERNAL_ERROR',
  outside_workspace: 'INVALID_PATH',
  denied: 'PERMISSION_DENIED',
  rejected: 'NOT_APPROVED',
  budget_exceeded: 'BUDGET_EXCEEDED',
  quota: 'QUOTA_EXCEEDED',
  timeout: 'TIMEOUT',
  cancelled: 'CANCELLED',
  unavailable: 'UNAVAILABLE',
  io: 'IO_ERROR',
  internal: 'INTERNAL_ERROR',
}

/** Returns the document's code for a failure: by its cause, by the tool, or by our own code. */
export function codeOf(call: Call, error: ToolError): string {
  const tool = [queryIndex, readFile, listFiles].find(({ name }) => name === call.name)
  return failureOf(call, error).code ?? tool?.codes?.[error.code] ?? CODES[error.code]
}
