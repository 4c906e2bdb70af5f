import { ToolError } from '../../../kernel/error.ts'

/**
 * Where we refuse what `git apply` would take; docs/patches.md says why for each. The name is in `details.rule`,
 * so that a refusal of ours can be told from one that git shares.
 */
type StricterRule =
  | 'path'
  | 'mode'
  | 'binary'
  | 'names'
  | 'counts'
  | 'header'
  | 'forms'
  | 'number'
  | 'no-newline'
  | 'place'
  | 'order'
  | 'directory'
  | 'link'
  | 'size'

/** A patch that cannot be read, with the line of the patch where reading ended. */
export const badPatch = (line: number, message: string, hint = 'Write the patch again, whole.'): ToolError =>
  new ToolError('invalid_input', `Line ${line} of the patch: ${message}`, { hint, details: { line } })

/** A patch that git might take and we do not. */
export const stricter = (rule: StricterRule, line: number, message: string, hint: string): ToolError =>
  new ToolError('invalid_input', `Line ${line} of the patch: ${message}`, { hint, details: { line, rule } })
