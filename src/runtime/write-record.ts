import { decide } from '../guards/policy/decide.ts'
import type { Policy } from '../guards/policy/policy.ts'
import type { CallIntent } from '../kernel/call-intent.ts'
import type { Call, Contract } from '../kernel/contract.ts'
import { ToolError } from '../kernel/error.ts'
import { jsonLine } from '../kernel/json-line.ts'
import type { Outcome } from '../kernel/outcome.ts'
import { keptOrigin } from './kept-origin.ts'
import { redactorFor } from './redact-outcome.ts'
import { intentOf, recordOf } from './record.ts'
import type { Session } from './session.ts'
import type { CallTrace } from './call-trace.ts'

/** Records what a call is about to change. Fails the call if that cannot be written, before anything has changed. */
export function writeIntent<Engines>(
  session: Session<Engines>,
  contract: Contract<Engines>,
  call: Call,
  trail: CallTrace,
  beginning: CallIntent,
): void {
  try {
    const { entry, input } = intentOf(session, contract, call, trail, beginning)
    const large = input === undefined ? undefined : { text: input, origin: keptOrigin(session, trail) }
    session.machine.intend(entry, { durable: beginning.durable, input: large })
  } catch (cause) {
    throw new ToolError('io', NOTHING_BEGUN, {
      hint: UNWRITABLE,
      cause,
    })
  }
}

/** Writes the journal record, then returns the outcome. Fails the call if the record cannot be written. */
export function writeRecord<Engines>(
  session: Session<Engines>,
  { contract, registry }: { readonly contract: Contract<Engines>; readonly registry: { readonly readOnly: boolean } },
  call: Call,
  trail: CallTrace,
  outcome: Outcome,
): Outcome {
  const { machine } = session
  const metricsLine =
    trail.tool && contract.metrics?.line({ ...call, input: trail.input }, trail.task, outcome, trail.spent?.bytes)
  const metrics = metricsLine && redactorFor(session.revealed).value(metricsLine)
  try {
    machine.record(recordOf(session, contract, call, { ...trail, metrics }, outcome))
  } catch (cause) {
    // The error already says that nothing could be written and nothing has changed.
    if (!outcome.ok && outcome.error.message === NOTHING_BEGUN) return outcome
    const error = new ToolError('io', 'The journal could not be written, so the answer is withheld', {
      hint: UNWRITABLE,
      cause,
      details: { changed: outcome.meta.changed, ...(outcome.meta.undo && { undo: outcome.meta.undo }) },
    })
    return { ok: false, error, meta: outcome.meta }
  }
  if (!metrics || !contract.metrics || outcome.meta.dryRun) return outcome
  const file = contract.metrics.file(trail.task)
  const isApart = registry.readOnly || isDenied(session.policy, file)
  return tell(session.machine, { file, line: jsonLine(metrics), isApart }, outcome)
}

const lastJudged = new WeakMap<Policy, { readonly file: string; readonly isDenied: boolean }>()

/** Reports whether a policy denies writing a metrics file; judged once, because all calls of a task write the same. */
function isDenied(policy: Policy, file: string): boolean {
  const last = lastJudged.get(policy)
  if (last?.file === file) return last.isDenied
  const deniesWriting = decide(policy, [{ action: 'write', resource: file }]).verdict === 'deny'
  lastJudged.set(policy, { file, isDenied: deniesWriting })
  return deniesWriting
}

/**
 * Writes metrics to the workspace, else to the state directory. The journal has them already, so a failure is only a
 * warning.
 */
function tell<Engines>(
  machine: Session<Engines>['machine'],
  { file, line, isApart }: { readonly file: string; readonly line: string; readonly isApart: boolean },
  outcome: Outcome,
): Outcome {
  if (isApart)
    return addMetricsWarning(
      outcome,
      failureOf(() => machine.tellApart(file, line)),
    )
  const why = failureOf(() => machine.tell(file, line))
  if (why === undefined) return outcome
  const isLost = failureOf(() => machine.tellApart(file, line)) !== undefined
  return addMetricsWarning(outcome, isLost ? why : `${why}. They are in the state directory`)
}

function failureOf(work: () => void): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function addMetricsWarning(outcome: Outcome, why: string | undefined): Outcome {
  if (why === undefined) return outcome
  const warnings = [...(outcome.meta.warnings ?? []), `The metrics of this call could not be written: ${why}`]
  return { ...outcome, meta: { ...outcome.meta, warnings } }
}

const NOTHING_BEGUN = 'The journal could not be written, so nothing is run or changed'

const UNWRITABLE = 'Run toolwright doctor; check the space and permissions of the state directory'
