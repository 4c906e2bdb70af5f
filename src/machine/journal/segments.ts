import { closeSync, existsSync, fstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureKind, openOwnFile } from '../state/private-file.ts'
import { unseal, type Head, type JournalRecord } from './chain.ts'
import { backwards } from './lines.ts'

/** One file of a journal. A large journal has several, and the chain continues from one to the next. */
export interface Segment {
  readonly name: string
  readonly path: string
  /** The number of its first record, from its name; the current file has no number yet. */
  readonly first?: number
}

/** The current file. */
export const CURRENT = 'journal.jsonl'

export const segmentName = (first: number): string => `journal-${first}.jsonl`

/** Returns the files of a journal, oldest first, the current one last. */
export function segmentsOf(dir: string): Segment[] {
  ensureKind(dir, 'directory')
  const names = existsSync(dir) ? readdirSync(dir) : []
  const old = names.flatMap(name => {
    const first = /^journal-([1-9]\d{0,15})\.jsonl$/.exec(name)?.[1]
    return first === undefined ? [] : [{ name, path: join(dir, name), first: Number(first) }]
  })
  old.sort((a, b) => a.first - b.first)
  return names.includes(CURRENT) ? [...old, { name: CURRENT, path: join(dir, CURRENT) }] : old
}

/**
 * Yields the whole records of a journal, newest first, skipping damaged ones; only those before a number, if given, and
 * without checking the others.
 */
export function* newestFirst(dir: string, before = Infinity): Generator<JournalRecord> {
  for (const { path, first = 0 } of segmentsOf(dir).toReversed()) {
    if (first >= before) continue
    const fd = openOwnFile(path)
    try {
      for (const line of backwards(fd, fstatSync(fd).size)) {
        if (before !== Infinity && numberOf(line.bytes) >= before) continue
        const record = unseal(line.bytes)
        if (record) yield record
      }
    } finally {
      closeSync(fd)
    }
  }
}

/** Returns the last whole record of a journal; undefined if there is none. */
export function lastOf(dir: string): Head | undefined {
  for (const { seq, hash } of newestFirst(dir)) return { seq, hash }
  return undefined
}

/** Returns the number at the start of a record's line; 0 if it is damaged. */
const numberOf = (line: Buffer): number => Number(/^\{"seq":(\d+),/.exec(line.toString('latin1', 0, 24))?.[1] ?? 0)
