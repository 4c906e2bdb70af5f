import { ToolError } from '../../kernel/error.ts'
import type { GivenContent, ToolBudget } from '../../kernel/tool.ts'
import type { Lease, Ledger } from './ledger.ts'

interface HeldPlace {
  /** Returns how many bytes were counted. */
  take(bytes: number, given?: string, whole?: GivenContent): number
  release(): void
}

/** A place within a budget, held while a call runs; bytes are counted before they are given away. */
export function leaseIn(ledger: Ledger, scope: Lease['scope'], budgets: readonly ToolBudget[]): HeldPlace {
  let lease = ledger.reserve(scope, { calls: 1, bytes: 0 }, budgets)
  let isRefused = false
  return {
    take(bytes, given, whole) {
      const before = lease.bytes
      isRefused = true
      lease = ledger.take(lease, bytes, given, whole)
      isRefused = false
      return lease.bytes - before
    },
    release() {
      try {
        // Whoever got nothing for it has made no call.
        ledger.settle(lease, isRefused ? { calls: 0 } : {})
      } catch (error) {
        // What the call did is done; what it holds stays counted.
        if (!(error instanceof ToolError)) throw error
      }
    },
  }
}
