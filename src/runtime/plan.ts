import { createHash } from 'node:crypto'
import type { Change } from '../kernel/change.ts'
import { ToolError } from '../kernel/error.ts'

/**
 * The name of what a call would do: the same call on the same files has the same plan, and nothing else has.
 * It needs no storage, because doing it again and comparing the names is the check.
 */
export function planOf(tool: string, input: unknown, changes: readonly Change[]): string {
  const hash = createHash('sha256').update(JSON.stringify([tool, input]))
  for (const { kind, path, from, before, after, mode } of changes)
    if (kind !== 'mkdir' || !isOnTheWay(path, changes))
      hash.update(JSON.stringify([kind, path, from, before, after, mode]))
  return `plan-${hash.digest('hex').slice(0, 32)}`
}

/** A directory that is only made for what comes to lie in it: whether somebody else has made it by then does not matter. */
const isOnTheWay = (directory: string, changes: readonly Change[]): boolean =>
  changes.some(({ kind, path }) => kind !== 'mkdir' && path.startsWith(`${directory}/`))

/** Refuses what is not what somebody planned or saw. */
export function demandSame(tool: string, plan: string, expected: string, since: string): void {
  if (plan === expected) return
  throw new ToolError('conflict', `What '${tool}' would do is not what it was when ${since}`, {
    hint: 'The input or a file has changed since: look at it again with a new dry run',
  })
}
