import type { Call, Contract } from '../../kernel/contract.ts'
import { ToolError } from '../../kernel/error.ts'
import { reasonOf } from '../../kernel/reason-of.ts'
import { isoTime } from '../../kernel/time.ts'
import type { Engines } from '../../engines/engines.ts'

/** Returns the contract's answer to a call whose workspace cannot be opened, so that no call throws. */
export function failedOpening(contract: Contract<Engines>, call: Call, cause: unknown): unknown {
  const error = cause instanceof ToolError ? cause : new ToolError('internal', reasonOf(cause))
  const now = isoTime(Date.now())
  const meta = { id: '', startedAt: now, endedAt: now, durationMs: 0, claims: [], changed: [] }
  return contract.envelope(call, { ok: false, error, meta })
}
