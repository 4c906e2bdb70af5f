import { maskDetected } from '../guards/secrets/mask-detected.ts'
import type { Call, Contract } from '../kernel/contract.ts'
import type { Outcome } from '../kernel/outcome.ts'
import { redactorFor, type Concealing } from './conceal.ts'
import type { Trail } from './trail.ts'
import type { Session } from './session.ts'

/** Inputs and answers above this many characters are kept beside the journal, and the record holds a reference. */
const INLINE = 10 * 1024

/** The one record that a call leaves, refused ones too: who asked for what, what was decided, and what came of it. */
export function recordOf<Engines>(
  session: Session<Engines>,
  contract: Contract<Engines>,
  call: Call,
  trail: Trail,
  outcome: Outcome,
): object {
  const { meta } = outcome
  const stack = stackOf(trail.defect)
  const redactor = redactorFor(session.revealed)
  const { printed, ...facts } = trail.facts ?? {}
  const inline = (name: 'input' | 'output' | 'printed', value: unknown) => {
    const { clean, text } = jsonOf(value, redactor)
    if (text === undefined) return {}
    const masked = maskDetected(text)
    if (text.length > INLINE)
      return { [`${name}Ref`]: { ref: session.machine.keep(masked), bytes: Buffer.byteLength(text) } }
    return { [name]: masked === text ? clean : parsed(masked) }
  }
  return {
    type: 'call',
    id: meta.id,
    session: session.id,
    task: redactor.text(trail.task),
    tool: redactor.text(`${contract.id}/${call.name}`),
    ...(trail.tool && { version: trail.tool.version }),
    ...inline('input', trail.input),
    claims: meta.claims,
    ...(trail.decision && {
      verdict: {
        verdict: trail.decision.verdict,
        why: redactor.text(trail.decision.why),
        ...(trail.decision.rule !== undefined && { rule: trail.decision.rule }),
      },
    }),
    ...(trail.approval && { approval: trail.approval }),
    ok: outcome.ok,
    ...(outcome.ok
      ? inline('output', outcome.data)
      : { code: outcome.error.code, message: redactor.text(maskDetected(outcome.error.message)) }),
    ...(stack !== undefined && { stack: redactor.text(maskDetected(stack)) }),
    ...(trail.bytes !== undefined && { bytes: trail.bytes }),
    ...(trail.facts && { ...redactor.value(facts), ...inline('printed', printed) }),
    ...(trail.metrics && { metrics: trail.metrics }),
    startedAt: meta.startedAt,
    durationMs: meta.durationMs,
    changed: meta.changed,
    ...(meta.dryRun && { dryRun: true }),
    ...(meta.plan && { plan: meta.plan }),
    ...(meta.undo && { undo: meta.undo }),
    ...(meta.transaction && { transaction: meta.transaction }),
    ...(meta.effects && {
      effects: {
        introduced: meta.effects.introduced.total,
        cured: meta.effects.cured.total,
        complete: meta.effects.complete,
      },
    }),
    ...(meta.warnings && { warnings: meta.warnings.map(text => redactor.text(maskDetected(text))) }),
  }
}

/** Without secrets, and as JSON; what a program may hand over and JSON cannot hold (a cycle, a bigint) is told by its kind. */
function jsonOf(value: unknown, redactor: Concealing): { readonly clean: unknown; readonly text: string | undefined } {
  try {
    const clean = redactor.value(value)
    return { clean, text: JSON.stringify(clean) }
  } catch {
    const clean = `[not JSON: ${typeof value}]`
    return { clean, text: JSON.stringify(clean) }
  }
}

/** Where a defect was thrown, for whoever has to mend it. */
const stackOf = (defect: unknown): string | undefined => (defect instanceof Error ? defect.stack : undefined)

/** The value as it may be kept; a mask that fell across a JSON escape is kept as the text it is. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
