import { createHash } from 'node:crypto'
import type { Change } from '../kernel/change.ts'
import { ToolError } from '../kernel/error.ts'

/**
 * Returns the name of what a call would do: only the same call on the same files has the same plan. To check a plan,
 * run the call again and compare the names. A command does not run again, so its result is stored.
 */
export function planOf(
  tool: string,
  input: unknown,
  changes: readonly Change[],
  unstagedChanges: readonly unknown[] = [],
): string {
  const hash = createHash('sha256').update(JSON.stringify([tool, input]))
  for (const { kind, path, from, before, after, mode } of changes)
    if (kind !== 'mkdir' || !isOnTheWay(path, changes))
      hash.update(JSON.stringify([kind, path, from, before, after, mode]))
  for (const one of unstagedChanges) hash.update(JSON.stringify(one))
  return `plan-${hash.digest('hex').slice(0, 32)}`
}

/** Reports whether a directory is only created to hold other changes. It does not matter if it exists by then. */
export const isOnTheWay = (directory: string, changes: readonly Change[]): boolean =>
  changes.some(({ kind, path }) => kind !== 'mkdir' && path.startsWith(`${directory}/`))

/** The current plan of a call, with what it would change. */
interface PlanNow {
  readonly plan: string
  readonly changes: readonly Change[]
}

/** Refuses a call that no longer does what was planned or shown. */
export function ensureSame(tool: string, { plan, changes }: PlanNow, expectedPlan: string, since: string): void {
  if (plan === expectedPlan) return
  const paths = [...new Set(changes.map(({ path }) => path))]
  const files = listPaths(paths)
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

function listPaths(paths: readonly string[]): string {
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : ''
  return `${paths.slice(0, SHOWN).join(', ')}${more}`
}

/** Rewords a conflict on a file: it has changed since the plan. Leaves other errors as they are. */
export function sincePlan(error: ToolError, plan: string): ToolError {
  const path = error.details?.['path']
  if (error.code !== 'conflict' || typeof path !== 'string') return error
  return new ToolError('conflict', `${path} has changed since the plan was made, so nothing has landed`, {
    hint: `Look at ${path}, then make a new dry run: plan '${plan}' is for the file as it was`,
    ...(error.details && { details: error.details }),
    cause: error,
  })
}
