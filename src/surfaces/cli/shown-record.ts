import type { JournalRecord } from '../../machine/journal/chain.ts'
import { readKept } from '../../machine/journal/kept-text.ts'
import { NO_LIMITS } from '../../machine/journal/last-command.ts'
import { isCall, isIntent, type Reference } from '../../machine/journal/record.ts'
import { execs } from '../../kernel/claim.ts'
import type { Toolkit } from '../../toolkit.ts'

/**
 * Returns a record as the policy lets it be shown now, without the secrets known by now. What a denied call was given
 * and answered is left out, and `withheld` says why.
 */
export async function shownRecord<Shown extends JournalRecord>(
  kit: Toolkit,
  record: Shown,
): Promise<Shown & { readonly withheld?: string }> {
  const redact = await kit.redactor()
  if (!isCall(record) && !isIntent(record)) return redact(record)
  const { limits = NO_LIMITS } = record
  const line = isCall(record) ? record.background : undefined
  const claims = line === undefined ? record.claims : [...record.claims, ...execs(line)]
  const origin = { claims, limits, ...(claims.length === 0 && { commands: true as const }) }
  const { verdict, why } = await kit.checkAnswer('this call', origin)
  const visibleRecord = verdict === 'deny' ? { ...record, ...WITHHELD, withheld: why } : record
  return redact(visibleRecord)
}

const WITHHELD = {
  input: undefined,
  output: undefined,
  printed: undefined,
  inputRef: undefined,
  outputRef: undefined,
  printedRef: undefined,
  message: undefined,
  effects: undefined,
}

/** Returns a value of the record, or its stored copy beside the journal. */
export async function recordedValue(kit: Toolkit, value: unknown, ref: Reference | undefined): Promise<unknown> {
  if (!ref) return value
  const text = readKept(kit.workspace.payloads, ref.ref)?.text.toString()
  if (text === undefined) return `(${ref.bytes} bytes, removed to make room)`
  return (await kit.redactor())(parseOrText(text))
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
