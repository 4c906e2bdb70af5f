import { decide } from '../guards/policy/decide.ts'
import type { Beginning } from '../kernel/beginning.ts'
import type { Call, Contract } from '../kernel/contract.ts'
import { ToolError } from '../kernel/error.ts'
import { jsonLine } from '../kernel/json-line.ts'
import type { Outcome } from '../kernel/outcome.ts'
import { redactorFor } from './conceal.ts'
import { intentOf, recordOf } from './record.ts'
import type { Session } from './session.ts'
import type { Trail } from './trail.ts'

/** Writes what a call is about to change. Fails the call if that cannot be written, before anything has changed. */
export function intend<Engines>(
  session: Session<Engines>,
  contract: Contract<Engines>,
  call: Call,
  trail: Trail,
  beginning: Beginning,
): void {
  try {
    const { entry, input } = intentOf(session, contract, call, trail, beginning)
    session.machine.intend(entry, { durable: beginning.durable, input })
  } catch (cause) {
    throw new ToolError('io', NOTHING_BEGUN, {
      hint: UNWRITABLE,
      cause,
    })
  }
}

/** The outcome, once its record is written; an answer whose record cannot be written is not given. */
export function noted<Engines>(
  session: Session<Engines>,
  { contract, registry }: { readonly contract: Contract<Engines>; readonly registry: { readonly readOnly: boolean } },
  call: Call,
  trail: Trail,
  outcome: Outcome,
): Outcome {
  const { machine } = session
  const told = trail.tool && contract.metrics?.line({ ...call, input: trail.input }, trail.task, outcome)
  const metrics = told && redactorFor(session.revealed).value(told)
  try {
    machine.record(recordOf(session, contract, call, { ...trail, metrics }, outcome), outcome.meta.undo !== undefined)
  } catch (cause) {
    // It says already what cannot be written, and that nothing has changed.
    if (!outcome.ok && outcome.error.message === NOTHING_BEGUN) return outcome
    const error = new ToolError('io', 'The journal could not be written, so the answer is withheld', {
      hint: UNWRITABLE,
      cause,
      details: { changed: outcome.meta.changed, ...(outcome.meta.undo && { undo: outcome.meta.undo }) },
    })
    return { ok: false, error, meta: outcome.meta }
  }
  if (!metrics || !contract.metrics || outcome.meta.dryRun || registry.readOnly) return outcome
  return tell(session, contract.metrics.file(trail.task), jsonLine(metrics), outcome)
}

/** The journal has it already: where the file cannot be written, that is a warning. */
function tell<Engines>({ machine, policy }: Session<Engines>, file: string, line: string, outcome: Outcome): Outcome {
  try {
    if (decide(policy, [{ action: 'write', resource: file }]).verdict === 'deny') return outcome
    machine.tell(file, line)
    return outcome
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const warnings = [...(outcome.meta.warnings ?? []), `The metrics of this call could not be written: ${why}`]
    return { ...outcome, meta: { ...outcome.meta, warnings } }
  }
}

const NOTHING_BEGUN = 'The journal could not be written, so nothing is run or changed'

const UNWRITABLE = 'Run toolwright doctor; check the space and permissions of the state directory'
