import { hash } from 'node:crypto'
import { jsonLine } from '../../kernel/json-line.ts'

/** A place in the chain: the number and the hash of one record. */
export interface Head {
  readonly seq: number
  readonly hash: string
}

/** Any record as it is read back; what else it holds depends on its `type`. */
export interface JournalRecord {
  readonly seq: number
  /** ISO 8601. */
  readonly time: string
  /** The hash of the record before. */
  readonly prev: string
  readonly hash: string
  readonly type?: string
  readonly [field: string]: unknown
}

/** Where every journal begins. */
export const GENESIS: Head = { seq: 0, hash: '0'.repeat(64) }

const HASH_FIELD = ',"hash":"'
const SEAL_LENGTH = HASH_FIELD.length + 64 + '"}'.length

/**
 * One line of the journal. The hash covers the bytes of the line before it, number, time and the previous hash included,
 * so that a line is checked as it lies on disk and no rule for writing JSON has to be agreed upon.
 */
export function seal(entry: object, after: Head, time: string): { readonly line: string; readonly head: Head } {
  // Inert as it lies on disk: people look at logs with whatever is at hand.
  const content = jsonLine(entry)
  if (!content.startsWith('{"') || 'seq' in entry || 'time' in entry || 'prev' in entry || 'hash' in entry)
    throw new TypeError('A journal entry is an object with fields of its own, none named seq, time, prev or hash')
  const seq = after.seq + 1
  const body = `{"seq":${seq},"time":"${time}","prev":"${after.hash}",${content.slice(1, -1)}`
  const sealed = hash('sha256', body)
  return { line: `${body}${HASH_FIELD}${sealed}"}\n`, head: { seq, hash: sealed } }
}

/** The record in a line (without its line end), or undefined if the line is not, to the byte, what was written. */
export function unseal(line: Buffer): JournalRecord | undefined {
  const cut = line.length - SEAL_LENGTH
  if (cut <= 0) return undefined
  const record = parse(line)
  if (!record || hash('sha256', line.subarray(0, cut)) !== record.hash) return undefined
  return line.toString('latin1', cut) === `${HASH_FIELD}${record.hash}"}` ? record : undefined
}

/** The record in a line, unchecked: for reading, where `verify` is not wanted. */
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
  const { seq, time, prev, hash: sealed } = value as Partial<JournalRecord>
  return Number.isSafeInteger(seq) && typeof time === 'string' && typeof prev === 'string' && typeof sealed === 'string'
}
