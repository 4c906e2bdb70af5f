import { createHash } from 'node:crypto'
import type { Change } from '../kernel/change.ts'

/**
 * The name of what a call would do: the same call on the same files has the same plan, and nothing else has.
 * It needs no storage, because doing it again and comparing the names is the check.
 */
export function planOf(tool: string, input: unknown, changes: readonly Change[]): string {
  const hash = createHash('sha256').update(JSON.stringify([tool, input]))
  for (const { kind, path, from, before, after, mode } of changes)
    hash.update(JSON.stringify([kind, path, from, before, after, mode]))
  return `plan-${hash.digest('hex').slice(0, 32)}`
}
