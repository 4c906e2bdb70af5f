import type { Code } from '../../src/kernel/error.ts'

/** What each failure means to a caller; a new code does not compile until it has its sentence here. */
export const MEANINGS: Readonly<Record<Code, string>> = {
  invalid_input: 'The input does not fit the schema, or a value in it makes no sense',
  unknown_tool: 'The contract has no tool of this name',
  unknown_secret: 'A placeholder names a secret that no provider has',
  not_found: 'There is no such file, commit, transaction or stored answer',
  not_a_file: 'A file was named, and something else is there',
  not_a_directory: 'A directory was named, and something else is there',
  exists: 'Something is there already',
  binary: 'The file holds data that is not text',
  too_large: 'The file or the patch is larger than the tool takes',
  out_of_range: 'The lines that were asked for are not in the file',
  no_match: 'The text or the context to be replaced is not there',
  ambiguous: 'The text to be replaced is there more than once',
  conflict: 'What is there is not what the call rests on, or a validator did not pass',
  invalid_result: 'The tool gave an answer that does not fit its own schema',
  outside_workspace: 'The path leads out of the workspace',
  denied: 'Policy forbids it; asking does not help',
  rejected: 'A person said no, or nobody was there to be asked',
  budget_exceeded: 'The task has used up what it may use of this tool',
  quota: 'A limit on what one call may use was reached',
  timeout: 'It took too long',
  cancelled: 'The caller gave up',
  unavailable: 'Something that the tool needs is not there',
  io: 'The system refused: no space, no permission, a failing disk',
  internal: 'A defect in the tool',
}
