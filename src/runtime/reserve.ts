import { setTimeout as pause } from 'node:timers/promises'
import { ToolError } from '../kernel/error.ts'
import type { ToolBudget } from '../kernel/tool.ts'
import { cancellationError, type Timed } from './deadline.ts'
import type { Lease, Machine } from './session.ts'
import type { CallTrace } from './call-trace.ts'

const SHORTEST_MS = 1
const LONGEST_MS = 50

/** Reserves a place within the budgets. If too many calls run at the same time, waits until one ends. */
export async function reserve<Engines>(
  machine: Machine<Engines>,
  scope: { readonly task: string; readonly tool: string },
  budgets: readonly ToolBudget[],
  { name, timeoutMs }: Timed,
  signal: AbortSignal | undefined,
  trail: Pick<CallTrace, 'spent' | 'task' | 'account'>,
): Promise<Lease> {
  let waitedMs = 0
  for (let next = SHORTEST_MS; ; next = Math.min(next * 2, LONGEST_MS)) {
    try {
      return noting(machine.reserve(scope, budgets), trail)
    } catch (error) {
      if (!isFull(error) || waitedMs >= timeoutMs) throw error
    }
    await pause(next)
    if (signal?.aborted) throw cancellationError(name, signal)
    waitedMs += next
  }
}

/** Records what the call took, so that budgets can be counted again from the journal. */
function noting({ take, release }: Lease, trail: Pick<CallTrace, 'spent' | 'task' | 'account'>): Lease {
  let bytes = 0
  const callCharge = { calls: 1, ...(trail.account !== trail.task && { account: trail.account }) }
  trail.spent = { ...callCharge, bytes }
  return {
    take(asked, given, whole) {
      // A call without a result does not count.
      trail.spent = undefined
      const chargedBytes = take(asked, given, whole)
      bytes += chargedBytes
      trail.spent = { ...callCharge, bytes, ...(given !== undefined && { given }) }
      return chargedBytes
    },
    release,
  }
}

const isFull = (error: unknown): boolean =>
  error instanceof ToolError && error.code === 'budget_exceeded' && error.details?.['budget'] === 'concurrent'
