import type { createRedactor, Redactor } from '../guards/secrets/redact.ts'
import type { Concealer } from '../kernel/conceal.ts'
import type { Call } from '../kernel/contract.ts'
import { ToolError } from '../kernel/error.ts'
import type { Outcome } from '../kernel/outcome.ts'
import type { Card } from './questions.ts'

/** Hides the secrets of a session. */
export type SessionRedactor = Pick<Redactor, 'text' | 'value' | 'stream'>

const NOTHING_TO_HIDE: SessionRedactor = {
  text: text => text,
  value: value => value,
  stream: () => ({ push: chunk => chunk, end: () => Buffer.alloc(0) }),
}

const redactors = new WeakMap<ReadonlyMap<string, string>, { size: number; redactor: Redactor }>()

let create: typeof createRedactor | undefined

/** Await this before the first secret is noted: most sessions have none and need no redactor. */
export async function loadRedactor(): Promise<void> {
  create ??= (await import('../guards/secrets/redact.ts')).createRedactor
}

/** Returns the redactor for the secrets revealed so far. */
export const redactorFor = (revealedSecrets: ReadonlyMap<string, string>): SessionRedactor =>
  knownRedactor(revealedSecrets) ?? NOTHING_TO_HIDE

/** Returns what conceals the secrets revealed so far; undefined if there are none. */
export const concealerFor = (revealedSecrets: ReadonlyMap<string, string>): Concealer | undefined =>
  knownRedactor(revealedSecrets)

/** Rebuilds the redactor only when there are more secrets. */
function knownRedactor(revealed: ReadonlyMap<string, string>): Redactor | undefined {
  if (revealed.size === 0) return undefined
  const cacheEntry = redactors.get(revealed)
  if (cacheEntry?.size === revealed.size) return cacheEntry.redactor
  if (!create) throw new Error('A secret was noted before anything could redact it')
  const redactor = create(revealed)
  redactors.set(revealed, { size: revealed.size, redactor })
  return redactor
}

/** Removes every secret from the data, error and meta of an outcome. Withholds an outcome that cannot be cleared. */
export function redactOutcome(outcome: Outcome, revealedSecrets: ReadonlyMap<string, string>): Outcome {
  if (revealedSecrets.size === 0) return outcome
  try {
    return redactFields(outcome, redactorFor(revealedSecrets))
  } catch (cause) {
    const { id, startedAt, endedAt, durationMs, askedMs, undo } = outcome.meta
    const error = new ToolError('internal', 'The answer could not be cleared of secrets, so it is withheld', {
      cause,
      details: { ...(undo !== undefined && { undo }) },
    })
    return {
      ok: false,
      error,
      meta: {
        id,
        startedAt,
        endedAt,
        durationMs,
        ...(askedMs !== undefined && { askedMs }),
        claims: [],
        changed: [],
        ...(undo !== undefined && { undo }),
      },
    }
  }
}

function redactFields(outcome: Outcome, redactor: SessionRedactor): Outcome {
  const meta = redactor.value(outcome.meta)
  if (outcome.ok) return { ok: true, data: redactor.value(outcome.data), meta }
  const { code, message, hint, details } = outcome.error
  const error = new ToolError(code, redactor.text(message), {
    ...(hint !== undefined && { hint: redactor.text(hint) }),
    ...(details !== undefined && { details: redactor.value(details) }),
  })
  return { ok: false, error, meta }
}

/** Removes every secret from a call's input, which an answer may repeat. Withholds an input that cannot be cleared. */
export function redactCall(call: Call, revealedSecrets: ReadonlyMap<string, string>): Call {
  if (revealedSecrets.size === 0) return call
  try {
    return { ...call, input: redactorFor(revealedSecrets).value(call.input) }
  } catch {
    return { ...call, input: undefined }
  }
}

/** Removes every secret from a question, including those in files that would change. */
export function redactCard(card: Card, revealedSecrets: ReadonlyMap<string, string>): Card {
  if (revealedSecrets.size === 0) return card
  const redactor = redactorFor(revealedSecrets)
  const { changes, ...rest } = card
  return {
    ...redactor.value(rest),
    changes: changes.map(change => ({ ...redactor.value({ ...change }), diff: () => redactor.text(change.diff()) })),
  }
}
