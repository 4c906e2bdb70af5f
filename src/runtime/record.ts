import { maskDetected } from '../guards/secrets/detect.ts'
import type { CallIntent } from '../kernel/call-intent.ts'
import type { Call, Contract } from '../kernel/contract.ts'
import type { Outcome } from '../kernel/outcome.ts'
import { redactorFor, type SessionRedactor } from './redact-outcome.ts'
import { abridge } from './limit-result.ts'
import type { CallTrace } from './call-trace.ts'
import type { Intent, Recorded, Session } from './session.ts'

/** Inputs and answers above this many characters are stored beside the journal, and the record holds a reference. */
const INLINE = 10 * 1024

/** The most errors of a change in its record. */
const MOST_ERRORS = 10

/** Returns the one record of a call, refused ones too: the caller, the request, the decision and the result. */
export function recordOf<Engines>(
  session: Session<Engines>,
  contract: Contract<Engines>,
  call: Call,
  trail: CallTrace,
  outcome: Outcome,
): Recorded {
  const { meta } = outcome
  const stack = stackOf(trail.defect)
  const redactor = redactorFor(session.revealed)
  const { printed, ...facts } = trail.facts ?? {}
  const inline = (name: 'input' | 'output' | 'printed', value: unknown) => {
    const { kept, large, bytes } = forJournal(value, redactor, trail.encoded)
    if (large !== undefined) return { [`${name}Ref`]: { ref: session.machine.keep(large), bytes } }
    if (kept === undefined) return undefined
    // Written out, because a computed name costs a slow call of the engine.
    return name === 'input' ? { input: kept } : name === 'output' ? { output: kept } : { printed: kept }
  }
  return {
    type: 'call',
    ...whoAsked(session, contract, call, trail, redactor),
    ...inline('input', trail.input),
    claims: meta.claims,
    ...whatWasDecided(trail, redactor),
    ok: outcome.ok,
    ...(outcome.ok
      ? inline('output', abridge(trail.tool, outcome.data))
      : { code: outcome.error.code, message: redactor.text(maskDetected(outcome.error.message)) }),
    ...(stack !== undefined && { stack: redactor.text(maskDetected(stack)) }),
    ...(trail.bytes !== undefined && { bytes: trail.bytes }),
    ...(trail.facts && { ...redactor.value(facts), ...inline('printed', printed) }),
    ...(trail.metrics && { metrics: trail.metrics }),
    startedAt: meta.startedAt,
    durationMs: meta.durationMs,
    changed: meta.changed,
    ...(trail.spent && { spent: redactor.value(trail.spent) }),
    ...(meta.dryRun && { dryRun: true }),
    ...(meta.plan && { plan: meta.plan }),
    ...(meta.undo && { undo: meta.undo }),
    ...(meta.transaction && { transaction: meta.transaction }),
    ...(meta.effects && {
      effects: {
        introduced: meta.effects.introduced.total,
        cured: meta.effects.cured.total,
        complete: meta.effects.complete,
        ...(meta.effects.introduced.total > 0 && {
          errors: meta.effects.introduced.first
            .slice(0, MOST_ERRORS)
            .map(({ message, ...where }) => ({ ...where, message: redactor.text(maskDetected(message)) })),
        }),
      },
    }),
    ...(meta.warnings && { warnings: meta.warnings.map(text => redactor.text(maskDetected(text))) }),
  }
}

/** Returns the record of a call before it changes anything, and the parts that are too large for the journal. */
export function intentOf<Engines>(
  session: Session<Engines>,
  contract: Contract<Engines>,
  call: Call,
  trail: CallTrace,
  { changed, unstaged, direct }: CallIntent,
): { readonly entry: Intent; readonly input: string | undefined } {
  const redactor = redactorFor(session.revealed)
  const { kept, large } = forJournal(trail.input, redactor)
  const entry = {
    type: 'intent' as const,
    ...whoAsked(session, contract, call, trail, redactor),
    ...(kept !== undefined && { input: kept }),
    claims: redactor.value(trail.claims),
    ...whatWasDecided(trail, redactor),
    startedAt: trail.startedAt,
    ...(trail.spent && { spent: redactor.value(trail.spent) }),
    ...(trail.dryRun && { dryRun: true }),
    ...(changed && { changed: redactor.value(changed) }),
    ...(unstaged && { unstaged: true }),
    ...(direct && { direct: true }),
  }
  return { entry, input: large }
}

function whoAsked<Engines>(
  session: Session<Engines>,
  contract: Contract<Engines>,
  call: Call,
  trail: CallTrace,
  redactor: SessionRedactor,
) {
  return {
    id: trail.id,
    session: session.id,
    task: redactor.text(trail.task),
    tool: redactor.text(`${contract.id}/${call.name}`),
    ...(trail.tool && { version: trail.tool.version }),
  }
}

const whatWasDecided = ({ decision, approval }: CallTrace, redactor: SessionRedactor) => ({
  ...(decision && {
    verdict: {
      verdict: decision.verdict,
      why: redactor.text(decision.why),
      ...(decision.rule !== undefined && { rule: decision.rule }),
    },
  }),
  ...(approval && { approval }),
})

/** Returns a value as the journal keeps it, without secrets; as text if it is too large for a record. */
function forJournal(
  value: unknown,
  redactor: SessionRedactor,
  encoded?: CallTrace['encoded'],
): { readonly kept?: unknown; readonly large?: string; readonly bytes?: number } {
  const { clean, text } = jsonOf(value, redactor, encoded)
  if (text === undefined) return {}
  const masked = maskDetected(text)
  if (text.length > INLINE) return { large: masked, bytes: Buffer.byteLength(text) }
  return { kept: masked === text ? clean : parsed(masked) }
}

/**
 * Returns a value as JSON without secrets, encoded again only if it changed. A value that JSON cannot hold (a cycle, a bigint) is replaced by its kind.
 */
function jsonOf(
  value: unknown,
  redactor: SessionRedactor,
  encoded: CallTrace['encoded'],
): { readonly clean: unknown; readonly text: string | undefined } {
  try {
    const clean = redactor.value(value)
    return { clean, text: encoded && clean === encoded.value ? encoded.json : JSON.stringify(clean) }
  } catch {
    const clean = `[not JSON: ${typeof value}]`
    return { clean, text: JSON.stringify(clean) }
  }
}

/** Returns the stack of a defect, for fixing it. */
const stackOf = (defect: unknown): string | undefined => (defect instanceof Error ? defect.stack : undefined)

/** Returns the value as it may be stored. If a mask falls across a JSON escape, it stays text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
