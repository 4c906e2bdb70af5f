import type { Call, Contract } from '../kernel/contract.ts'
import { ToolError } from '../kernel/error.ts'
import type { Outcome } from '../kernel/outcome.ts'
import { recordOf } from './record.ts'
import type { Session } from './session.ts'
import type { Trail } from './trail.ts'

/** The outcome, once its record is written; an answer whose record cannot be written is not given. */
export function noted<Engines>(
  session: Session<Engines>,
  contract: Contract<Engines>,
  call: Call,
  trail: Trail,
  outcome: Outcome,
): Outcome {
  try {
    session.machine.record(recordOf(session, contract, call, trail, outcome), outcome.meta.undo !== undefined)
    return outcome
  } catch (cause) {
    const error = new ToolError('io', 'The journal could not be written, so the answer is withheld', {
      hint: 'Run toolwright doctor; check the space and permissions of the state directory',
      cause,
      details: { changed: outcome.meta.changed, ...(outcome.meta.undo && { undo: outcome.meta.undo }) },
    })
    return { ok: false, error, meta: outcome.meta }
  }
}
