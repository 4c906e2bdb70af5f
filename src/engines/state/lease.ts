import type { ToolBudget } from '../../kernel/tool.ts'
import type { Ledger } from './ledger.ts'

/** A place within a budget, held while a call runs; bytes are counted before they are given away. */
export function leaseIn(
  ledger: Ledger,
  scope: { readonly task: string; readonly tool: string },
  budgets: readonly ToolBudget[],
): { take(bytes: number): void; release(): void } {
  let lease = ledger.reserve(scope, { calls: 1, bytes: 0 }, budgets)
  let isRefused = false
  return {
    take(bytes) {
      isRefused = true
      lease = ledger.take(lease, bytes)
      isRefused = false
    },
    // Whoever got nothing for it has made no call.
    release: () => ledger.settle(lease, isRefused ? { calls: 0 } : {}),
  }
}
