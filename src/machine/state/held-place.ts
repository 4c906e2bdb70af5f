import { ToolError } from '../../kernel/error.ts'
import type { GivenContent, ToolBudget } from '../../kernel/tool.ts'
import type { Lease, Ledger } from './ledger.ts'

interface HeldPlace {
  /** Returns how many bytes were counted. */
  take(bytes: number, given?: string, whole?: GivenContent): number
  release(): void
}

/** A reservation within a budget while a call runs. Bytes are counted before they are returned. */
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
        // A call without a result does not count.
        ledger.settle(lease, isRefused ? { calls: 0 } : {})
      } catch (error) {
        // The call has happened, so its reservation stays counted.
        if (!(error instanceof ToolError)) throw error
      }
    },
  }
}
