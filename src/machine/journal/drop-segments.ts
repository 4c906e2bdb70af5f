import { closeSync, rmSync, statSync } from 'node:fs'
import { openOwnFile } from '../state/private-file.ts'
import { unseal, type Head } from './chain.ts'
import { openJournal, type JournalOptions } from './journal.ts'
import { forwards } from './lines.ts'
import type { RemovedSegment } from './record.ts'
import { segmentsOf, type Segment } from './segments.ts'

/** Returns the removable files of a journal, oldest first: all except the current one. */
export const droppableSegments = (dir: string): Segment[] => segmentsOf(dir).filter(({ first }) => first !== undefined)

/**
 * Removes the oldest files of a journal, up to and including the named one. First writes a record to disk with the new
 * start of the journal and the preceding hash, against which the rest of the chain is checked.
 */
export function dropSegments(dir: string, upTo: string, options: JournalOptions): RemovedSegment[] {
  const journal = openJournal(dir, options)
  try {
    const head = journal.head()
    const segments = segmentsOf(dir)
    const count = droppableSegments(dir).findIndex(({ name }) => name === upTo) + 1
    if (count === 0) return []
    const removedSegments = segments
      .slice(0, count)
      .map((segment, index) => describe(segment, segments[index + 1], head))
    journal.append({ type: 'gc', segments: removedSegments }, { durable: true })
    for (const { path } of segments.slice(0, count)) rmSync(path, { force: true })
    return removedSegments
  } finally {
    journal.close()
  }
}

/** The next file shows best where a file ended; after the last one comes the record about to be written. */
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
