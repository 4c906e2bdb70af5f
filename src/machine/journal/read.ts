import { closeSync } from 'node:fs'
import { openOwnFile } from '../state/private-file.ts'
import { parse, type JournalRecord } from './chain.ts'
import { forwards } from './lines.ts'
import { newestFirst, segmentsOf } from './segments.ts'

export interface ReadOptions {
  /** First and last wanted record number. */
  readonly from?: number
  readonly to?: number
  /** Only this many, the newest. */
  readonly last?: number
  /** Filter for `last`, applied from the newest on. */
  readonly which?: (record: JournalRecord) => boolean
}

/**
 * Yields the records of a journal, oldest first, without a lock and without checking the chain: see `verifyJournal`.
 */
export function* readJournal(dir: string, options: ReadOptions = {}): Generator<JournalRecord> {
  const { from = 1, to = Infinity, last } = options
  if (last !== undefined) {
    yield* newest(dir, last, options)
    return
  }
  const segments = segmentsOf(dir)
  for (const [index, { path }] of segments.entries()) {
    const next = segments[index + 1]?.first
    if (next !== undefined && next <= from) continue
    for (const record of recordsOf(path)) {
      if (record.seq > to) return
      if (record.seq >= from) yield record
    }
  }
}

function newest(dir: string, count: number, options: ReadOptions): JournalRecord[] {
  const { from = 1, to = Infinity, which = () => true } = options
  const records: JournalRecord[] = []
  for (const record of newestFirst(dir)) {
    if (records.length >= count || record.seq < from) break
    if (record.seq <= to && which(record)) records.push(record)
  }
  return records.toReversed()
}

function* recordsOf(path: string): Generator<JournalRecord> {
  const fd = openOwnFile(path)
  try {
    for (const line of forwards(fd)) {
      const record = line.whole ? parse(line.bytes) : undefined
      if (record) yield record
    }
  } finally {
    closeSync(fd)
  }
}
