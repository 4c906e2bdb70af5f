import { createHash } from 'node:crypto'
import type { Change } from '../kernel/change.ts'
import { ToolError } from '../kernel/error.ts'

/**
 * The name of what a call would do: the same call on the same files has the same plan, and nothing else has. Doing it
 * again and comparing the names is the check; of a command, which is not run again, what it did is kept.
 */
export function planOf(
  tool: string,
  input: unknown,
  changes: readonly Change[],
  unstaged: readonly unknown[] = [],
): string {
  const hash = createHash('sha256').update(JSON.stringify([tool, input]))
  for (const { kind, path, from, before, after, mode } of changes)
    if (kind !== 'mkdir' || !isOnTheWay(path, changes))
      hash.update(JSON.stringify([kind, path, from, before, after, mode]))
  for (const one of unstaged) hash.update(JSON.stringify(one))
  return `plan-${hash.digest('hex').slice(0, 32)}`
}

/** A directory that is only made for what comes to lie in it: whether somebody else has made it by then does not matter. */
export const isOnTheWay = (directory: string, changes: readonly Change[]): boolean =>
  changes.some(({ kind, path }) => kind !== 'mkdir' && path.startsWith(`${directory}/`))

/** A plan that a call has now, with what it would change. */
interface PlanNow {
  readonly plan: string
  readonly changes: readonly Change[]
}

/** Refuses what is not what somebody planned or saw. */
export function demandSame(tool: string, { plan, changes }: PlanNow, expected: string, since: string): void {
  if (plan === expected) return
  const paths = [...new Set(changes.map(({ path }) => path))]
  const files = listed(paths)
  throw new ToolError(
    'conflict',
    `What '${tool}' would do${files && ` to ${files}`} is not what it was when ${since}`,
    {
      hint: `${files || 'A file'} or the input of the call has changed since: look at it again with a new dry run`,
      details: { paths },
    },
  )
}

const SHOWN = 3

function listed(paths: readonly string[]): string {
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : ''
  return `${paths.slice(0, SHOWN).join(', ')}${more}`
}

/** Says of a file that is not as the plan has it since when that is; other errors are as they were. */
export function sincePlan(error: ToolError, plan: string): ToolError {
  const path = error.details?.['path']
  if (error.code !== 'conflict' || typeof path !== 'string') return error
  return new ToolError('conflict', `${path} has changed since the plan was made, so that nothing of it has landed`, {
    hint: `Look at ${path}, then make a new dry run: plan '${plan}' is for the file as it was`,
    ...(error.details && { details: error.details }),
    cause: error,
  })
}
