import type { Code } from './error.ts'

/** Every code by its own name, for contracts that do not rename codes. */
export const OWN_CODES: { readonly [Each in Code]: Each } = {
  invalid_input: 'invalid_input',
  unknown_tool: 'unknown_tool',
  unknown_secret: 'unknown_secret',
  not_found: 'not_found',
  not_a_file: 'not_a_file',
  not_a_directory: 'not_a_directory',
  exists: 'exists',
  binary: 'binary',
  too_large: 'too_large',
  out_of_range: 'out_of_range',
  no_match: 'no_match',
  ambiguous: 'ambiguous',
  conflict: 'conflict',
  invalid_result: 'invalid_result',
  outside_workspace: 'outside_workspace',
  denied: 'denied',
  rejected: 'rejected',
  budget_exceeded: 'budget_exceeded',
  quota: 'quota',
  timeout: 'timeout',
  cancelled: 'cancelled',
  unavailable: 'unavailable',
  io: 'io',
  internal: 'internal',
}
