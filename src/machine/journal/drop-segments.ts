import { closeSync, rmSync, statSync } from 'node:fs'
import { openOwnFile } from '../state/private-file.ts'
import { unseal, type Head } from './chain.ts'
import { openJournal, type JournalOptions } from './journal.ts'
import { forwards } from './lines.ts'
import type { RemovedSegment } from './record.ts'
import { segmentsOf, type Segment } from './segments.ts'

/** The files of a journal that may go, oldest first: all but the one being written. */
export const droppableSegments = (dir: string): Segment[] => segmentsOf(dir).filter(({ first }) => first !== undefined)

/**
 * Removes the oldest files of a journal, up to and including the named one. A record that says so is on disk before
 * anything goes, and carries what the rest of the chain is checked against: where the journal now begins, and after which hash.
 */
export function dropSegments(dir: string, upTo: string, options: JournalOptions): RemovedSegment[] {
  const journal = openJournal(dir, options)
  try {
    const head = journal.head()
    const segments = segmentsOf(dir)
    const count = droppableSegments(dir).findIndex(({ name }) => name === upTo) + 1
    if (count === 0) return []
    const removed = segments.slice(0, count).map((segment, index) => describe(segment, segments[index + 1], head))
    journal.append({ type: 'gc', segments: removed }, { durable: true })
    for (const { path } of segments.slice(0, count)) rmSync(path, { force: true })
    return removed
  } finally {
    journal.close()
  }
}

/** What follows says best where a file ended; after the last one comes the record that is about to be written. */
function describe({ name, path, first = 0 }: Segment, next: Segment | undefined, head: Head): RemovedSegment {
  const before = (next && headBefore(next.path)) ?? head
  return { file: name, from: first, to: before.seq, hash: before.hash, bytes: statSync(path).size }
}

function headBefore(path: string): Head | undefined {
  const fd = openOwnFile(path)
  try {
    for (const line of forwards(fd, 0, 1 << 14)) {
      const record = unseal(line.bytes)
      return record && { seq: record.seq - 1, hash: record.prev }
    }
    return undefined
  } finally {
    closeSync(fd)
  }
}
