import type { ToolError } from '../../kernel/error.ts'
import { sanitize } from '../../kernel/sanitize.ts'
import { typedLine } from './ask.ts'
import { discardTyped } from './discard-typed.ts'
import { warn, type Terminal } from './terminal.ts'

/**
 * Shows the places that a refactoring cannot decide and asks whether they may stay unchanged. Returns the input that
 * accepts them, or undefined if the answer is no.
 */
export async function askUndecided(terminal: Terminal, { details }: ToolError, input: unknown): Promise<unknown> {
  const { undecided, total } = Object(details)
  if (!Array.isArray(undecided) || typeof input !== 'object') return undefined
  const lines = undecided.map(({ id, path, line, text, why }) => `  ${id}  ${path}:${line}  ${text}  (${why})`)
  warn(terminal, ['', `Not decided: ${total}`, ...lines.map(line => sanitize(line))].join('\n'))
  if (undecided.length < Number(total)) warn(terminal, `  and ${Number(total) - undecided.length} more`)
  warn(terminal, 'Yes leaves them unchanged and continues.')
  if (!(await discardTyped(terminal))) return undefined
  const reply = await typedLine(terminal, 'Approve? (y/n): ')
  return /^y(?:es)?$/i.test(reply.trim()) ? { ...input, strict: false } : undefined
}
