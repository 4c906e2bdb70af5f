import { hash } from 'node:crypto'
import { jsonLine } from '../../kernel/json-line.ts'

/** A position in the chain: the number and the hash of one record. */
export interface Head {
  readonly seq: number
  readonly hash: string
}

/** Any record as read; further fields depend on its `type`. */
export interface JournalRecord {
  readonly seq: number
  /** ISO 8601. */
  readonly time: string
  /** The hash of the previous record. */
  readonly prev: string
  readonly hash: string
  readonly type?: string
  readonly [field: string]: unknown
}

/** Start of every journal. */
export const GENESIS: Head = { seq: 0, hash: '0'.repeat(64) }

const HASH_FIELD = ',"hash":"'
const SEAL_LENGTH = HASH_FIELD.length + 64 + '"}'.length

/**
 * Returns one line of the journal. The hash covers the preceding bytes of the line, including number, time and the
 * previous hash. A line is thus checked as it lies on disk, without a canonical form of JSON.
 */
export function seal(entry: object, after: Head, time: string): { readonly line: string; readonly head: Head } {
  // Safe for any viewer: people look at logs with any program.
  const content = jsonLine(entry)
  if (!content.startsWith('{"') || 'seq' in entry || 'time' in entry || 'prev' in entry || 'hash' in entry)
    throw new TypeError('A journal entry is an object with fields of its own, none named seq, time, prev or hash')
  const seq = after.seq + 1
  const body = `{"seq":${seq},"time":"${time}","prev":"${after.hash}",${content.slice(1, -1)}`
  const ownHash = hash('sha256', body)
  return { line: `${body}${HASH_FIELD}${ownHash}"}\n`, head: { seq, hash: ownHash } }
}

/** Returns the record in a line (without its line end), or undefined if any byte differs from what was written. */
export function unseal(line: Buffer): JournalRecord | undefined {
  const cut = line.length - SEAL_LENGTH
  if (cut <= 0) return undefined
  const record = parse(line)
  if (!record || hash('sha256', line.subarray(0, cut)) !== record.hash) return undefined
  return line.toString('latin1', cut) === `${HASH_FIELD}${record.hash}"}` ? record : undefined
}

/** Returns the record in a line without checking it, for readers that do not verify. */
export function parse(line: Buffer): JournalRecord | undefined {
  try {
    const value: unknown = JSON.parse(line.toString())
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is JournalRecord {
  if (typeof value !== 'object' || value === null) return false
  const { seq, time, prev, hash: recordHash } = value as Partial<JournalRecord>
  return (
    Number.isSafeInteger(seq) && typeof time === 'string' && typeof prev === 'string' && typeof recordHash === 'string'
  )
}
