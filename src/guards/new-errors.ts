import type { CodeFault, EditEffects } from '../kernel/edit-effects.ts'
import { ToolError } from '../kernel/error.ts'

const SHOWN = 10

/**
 * Refuses changes that add errors to the code, or that were not judged completely. A language without a server holds
 * nothing back.
 */
export function ensureNoNewErrors({ introduced, complete, left, why }: Omit<EditEffects, 'summary'>): void {
  const { total, first } = introduced
  if (total > 0)
    throw new ToolError(
      'conflict',
      `Nothing was committed: it would add ${errorCount(total)}${describeErrors(first, total)}`,
      {
        hint: 'Fix these in the same change, or stage several changes and commit them together',
        details: { effects: { introduced } },
      },
    )
  if (complete || left === 0) return
  const reason = why ?? `${left} files were still to be judged`
  throw new ToolError('conflict', `Nothing was committed: it is unknown whether it adds errors (${reason})`, {
    hint: `${why === undefined ? AGAIN : OTHERWISE}. The setting "effects.refuse" demands that every change be judged`,
    details: { effects: { left } },
  })
}

const AGAIN = 'Call again: more files are judged by then'
const OTHERWISE = 'Leave out files that cannot be judged, or change that setting'

const errorCount = (total: number): string => `${total} ${total === 1 ? 'error' : 'errors'}`

const describeErrors = (faults: readonly CodeFault[], total: number): string => {
  const firstErrors = faults.slice(0, SHOWN)
  if (firstErrors.length === 0) return ''
  const more = total > firstErrors.length ? ` and ${total - firstErrors.length} more` : ''
  const errorLines = firstErrors.map(({ path, line, code, message }) => `${path}:${line} ${code} ${first(message)}`)
  return `: ${errorLines.join('; ')}${more}`
}

const first = (message: string): string => message.split('\n', 1)[0] ?? ''
