import { ToolError } from '../../../kernel/error.ts'
import type { CodeParts } from '../code-parts.ts'

/** What of a call's parts the text alone needs. */
export type SyntaxParts = Pick<CodeParts, 'root' | 'staging' | 'mayRead' | 'directory'>

/** Not everything was read in time. */
export const late = (read: number, all?: number): ToolError =>
  new ToolError(
    'timeout',
    `${read} ${all === undefined ? '' : `of ${all} `}source files were read when the time for this question was over`,
    {
      hint: 'Ask again: what was read is known; or give the question more time',
    },
  )
