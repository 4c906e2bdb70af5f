import type { JournalRecord } from './chain.ts'
import type { Payloads } from './payloads.ts'
import { readJournal } from './read.ts'

export interface PayloadVerification {
  readonly ok: boolean
  /** Number of referenced payloads that exist and are intact. */
  readonly whole: number
  /** Number that the journal itself records as removed. */
  readonly removed: number
  /** Payloads missing without a record, or altered, with the newest record that references each. */
  readonly problems: readonly { readonly seq: number; readonly what: string }[]
}

/** Checks every byte of the payloads that a journal references. */
export function verifyPayloads(dir: string, payloads: Payloads): PayloadVerification {
  const lastUses = new Map<string, number>()
  const removals = new Map<string, number>()
  for (const record of readJournal(dir)) {
    for (const id of removedIn(record)) removals.set(id, record.seq)
    for (const id of refsIn(record)) lastUses.set(id, record.seq)
  }
  const problems: { seq: number; what: string }[] = []
  let [whole, removedCount] = [0, 0]
  for (const [id, seq] of lastUses) {
    const wrong = wrongWith(payloads, id)
    if (wrong === undefined) whole++
    // The removal only excuses earlier references: a payload stored again later should exist.
    else if (wrong === MISSING && (removals.get(id) ?? 0) > seq) removedCount++
    else problems.push({ seq, what: `The payload ${id} that it refers to ${wrong}.` })
  }
  return { ok: problems.length === 0, whole, removed: removedCount, problems }
}

const MISSING = 'is missing, and no record says why'

function wrongWith(payloads: Payloads, id: string): string | undefined {
  try {
    return payloads.get(id) === undefined ? MISSING : undefined
  } catch (error) {
    return `cannot be read back: ${error instanceof Error ? error.message : String(error)}`.replace(/\.$/, '')
  }
}

const refsIn = (record: JournalRecord): string[] =>
  [record['inputRef'], record['outputRef'], record['printedRef']].flatMap(reference => {
    const { ref } = Object(reference)
    return typeof ref === 'string' ? [ref] : []
  })

const removedIn = ({ type, payloads }: JournalRecord): string[] =>
  type === 'gc' && Array.isArray(payloads) ? payloads.map(String) : []
