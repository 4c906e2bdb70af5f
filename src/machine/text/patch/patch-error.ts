import { ToolError } from '../../../kernel/error.ts'

/**
 * Rules that refuse patches `git apply` would accept; docs/patches.md gives each reason. `details.rule` holds the name,
 * which distinguishes our refusals from those shared with git.
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

/** Error for an unreadable patch, with the line where reading stopped. */
export const badPatch = (line: number, message: string, hint = 'Write the patch again, whole.'): ToolError =>
  new ToolError('invalid_input', `Line ${line} of the patch: ${message}`, { hint, details: { line } })

/** Error for a patch that git might accept and we do not. */
export const stricter = (rule: StricterRule, line: number, message: string, hint: string): ToolError =>
  new ToolError('invalid_input', `Line ${line} of the patch: ${message}`, { hint, details: { line, rule } })
