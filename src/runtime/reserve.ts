import { setTimeout as pause } from 'node:timers/promises'
import { ToolError } from '../kernel/error.ts'
import type { ToolBudget } from '../kernel/tool.ts'
import { cancelled, type Timed } from './deadline.ts'
import type { Lease, Machine } from './session.ts'

const SHORTEST_MS = 1
const LONGEST_MS = 50

/** A place within the budgets. Where too many calls run at the same time, one that ends makes room, so that is waited for. */
export async function reserve<Engines>(
  machine: Machine<Engines>,
  scope: { readonly task: string; readonly tool: string },
  budgets: readonly ToolBudget[],
  { name, timeoutMs }: Timed,
  signal: AbortSignal | undefined,
): Promise<Lease> {
  let waited = 0
  for (let next = SHORTEST_MS; ; next = Math.min(next * 2, LONGEST_MS)) {
    try {
      return machine.reserve(scope, budgets)
    } catch (error) {
      if (!isFull(error) || waited >= timeoutMs) throw error
    }
    await pause(next)
    if (signal?.aborted) throw cancelled(name)
    waited += next
  }
}

const isFull = (error: unknown): boolean =>
  error instanceof ToolError && error.code === 'budget_exceeded' && error.details?.['budget'] === 'concurrent'
