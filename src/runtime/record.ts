import { maskDetected } from '../guards/secrets/detect.ts'
import type { CallIntent } from '../kernel/call-intent.ts'
import type { Call, Contract } from '../kernel/contract.ts'
import type { EditEffects } from '../kernel/edit-effects.ts'
import type { Outcome } from '../kernel/outcome.ts'
import { redactorFor, type SessionRedactor } from './redact-outcome.ts'
import { backgroundLine, keptOrigin, limitsFor } from './kept-origin.ts'
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
  const redactor = redactorFor(session.revealed)
  const clean = (text: string): string => redactor.text(maskDetected(text))
  // Field by field, because a record of spreads is copied a dozen times.
  const record: Record<string, unknown> & Pick<Recorded, 'id'> = {
    type: 'call',
    ...whoAsked(session, contract, call, trail, redactor),
  }
  const inline = (name: 'input' | 'output' | 'printed', value: unknown): void => {
    const { kept, large, bytes } = forJournal(value, redactor, trail.encoded)
    if (large !== undefined)
      record[`${name}Ref`] = { ref: session.machine.keep(large, keptOrigin(session, trail)), bytes }
    else if (kept !== undefined) record[name] = kept
  }
  inline('input', trail.input)
  record['claims'] = meta.claims
  const line = backgroundLine(session, trail.input)
  if (line !== undefined) record['background'] = clean(line)
  const limits = limitsFor(session, trail)
  if (limits) record['limits'] = redactor.value(limits)
  Object.assign(record, whatWasDecided(trail, redactor))
  record['ok'] = outcome.ok
  if (outcome.ok) inline('output', abridge(trail.tool, outcome.data))
  else {
    record['code'] = outcome.error.code
    record['message'] = clean(outcome.error.message)
  }
  const stack = stackOf(trail.defect)
  if (stack !== undefined) record['stack'] = clean(stack)
  if (trail.bytes !== undefined) record['bytes'] = trail.bytes
  if (trail.facts) {
    const { printed, ...facts } = trail.facts
    Object.assign(record, redactor.value(facts))
    inline('printed', printed)
  }
  if (trail.metrics) record['metrics'] = trail.metrics
  record['startedAt'] = meta.startedAt
  record['durationMs'] = meta.durationMs
  record['changed'] = meta.changed
  if (trail.spent) record['spent'] = redactor.value(trail.spent)
  if (meta.dryRun) record['dryRun'] = true
  if (meta.plan) record['plan'] = meta.plan
  if (meta.undo) record['undo'] = meta.undo
  if (meta.transaction) record['transaction'] = meta.transaction
  if (meta.effects) record['effects'] = effectsIn(meta.effects, clean)
  if (meta.warnings) record['warnings'] = meta.warnings.map(clean)
  return record
}

const effectsIn = ({ introduced, cured, complete }: EditEffects, clean: (text: string) => string) => ({
  introduced: introduced.total,
  cured: cured.total,
  complete,
  ...(introduced.total > 0 && {
    errors: introduced.first
      .slice(0, MOST_ERRORS)
      .map(({ message, ...where }) => ({ ...where, message: clean(message) })),
  }),
})

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
  const limits = limitsFor(session, trail)
  const entry = {
    type: 'intent' as const,
    ...whoAsked(session, contract, call, trail, redactor),
    ...(kept !== undefined && { input: kept }),
    claims: redactor.value(trail.claims),
    ...(limits && { limits: redactor.value(limits) }),
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
  const { client = session.client, agent } = trail.caller ?? {}
  return {
    id: trail.id,
    session: session.id,
    ...(client !== undefined && { client: redactor.text(client) }),
    ...(agent !== undefined && { agent: redactor.text(agent) }),
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
  const maskedText = maskDetected(text)
  if (text.length > INLINE)
    return { large: maskedText, bytes: text === encoded?.json ? encoded.bytes : Buffer.byteLength(text) }
  return { kept: maskedText === text ? clean : parseOrText(maskedText) }
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
function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
