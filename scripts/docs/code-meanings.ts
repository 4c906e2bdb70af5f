import type { Code } from '../../src/kernel/error.ts'

/** The meaning of each failure for a caller. A new code does not compile without an entry here. */
export const MEANINGS: Readonly<Record<Code, string>> = {
  invalid_input: 'The input does not match the schema, or a value is invalid',
  unknown_tool: 'The contract has no tool of this name',
  unknown_secret: 'A placeholder names a secret that no provider has',
  not_found: 'There is no such file, commit, transaction or stored answer',
  not_a_file: 'The path is not a file',
  not_a_directory: 'The path is not a directory',
  exists: 'The path already exists',
  binary: 'The file is not text',
  too_large: 'The file or patch exceeds the limit of the tool',
  out_of_range: 'The file does not have the requested lines',
  no_match: 'The text or context to replace was not found',
  ambiguous: 'The text to replace occurs more than once',
  conflict: 'The current state is not the expected one, or a validator failed',
  invalid_result: 'The tool returned an answer that does not match its own schema',
  outside_workspace: 'The path leads out of the workspace',
  denied: 'Policy denies the call; no one can approve it',
  rejected: 'A person said no, or no one could be asked',
  budget_exceeded: 'The task has spent its budget for this tool',
  quota: 'The call exceeded a resource limit',
  timeout: 'The call took too long',
  cancelled: 'The caller cancelled the call',
  unavailable: 'Something that the tool needs is missing',
  io: 'The system failed: no space, no permission, a disk error',
  internal: 'A defect in the tool',
}
