import { maskDetected } from '../guards/secrets/detect.ts'
import type { Call, Contract } from '../kernel/contract.ts'
import type { Outcome } from '../kernel/outcome.ts'
import { redactorFor } from './conceal.ts'
import type { Trail } from './run.ts'
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
  const redactor = redactorFor(session.revealed)
  const inline = (name: 'input' | 'output', value: unknown) => {
    const text = value === undefined ? undefined : JSON.stringify(redactor.value(value))
    if (text === undefined) return {}
    if (text.length > INLINE)
      return { [`${name}Ref`]: { ref: session.machine.keep(maskDetected(text)), bytes: Buffer.byteLength(text) } }
    const masked = maskDetected(text)
    return { [name]: masked === text ? value : parseOr(masked) }
  }
  return {
    type: 'call',
    id: meta.id,
    session: session.id,
    task: session.task,
    tool: `${contract.id}/${call.name}`,
    ...(trail.tool && { version: trail.tool.version }),
    ...inline('input', trail.input),
    claims: meta.claims,
    ...(trail.decision && {
      verdict: { verdict: trail.decision.verdict, why: trail.decision.why, rule: trail.decision.rule },
    }),
    ...(trail.approval && { approval: trail.approval }),
    ok: outcome.ok,
    ...(outcome.ok
      ? inline('output', outcome.data)
      : { code: outcome.error.code, message: redactor.text(maskDetected(outcome.error.message)) }),
    startedAt: meta.startedAt,
    durationMs: meta.durationMs,
    changed: meta.changed,
    ...(meta.dryRun && { dryRun: true }),
    ...(meta.plan && { plan: meta.plan }),
    ...(meta.undo && { undo: meta.undo }),
    ...(meta.transaction && { transaction: meta.transaction }),
  }
}

/** A mask that fell across a JSON escape is kept as the text it is. */
function parseOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
