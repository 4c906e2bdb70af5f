import { closeSync, existsSync, fstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { demandKind, openOwnFile } from '../state/private-file.ts'
import { unseal, type JournalRecord } from './chain.ts'
import { backwards } from './lines.ts'

/** One file of a journal; a journal that grew large is several, and the chain goes on from one to the next. */
export interface Segment {
  readonly name: string
  readonly path: string
  /** The number of its first record, where its name says so: the file being written has no number yet. */
  readonly first?: number
}

/** The file that is being written. */
export const CURRENT = 'journal.jsonl'

export const segmentName = (first: number): string => `journal-${first}.jsonl`

/** The files of a journal, oldest first; the one being written is last. */
export function segmentsOf(dir: string): Segment[] {
  demandKind(dir, 'directory')
  const names = existsSync(dir) ? readdirSync(dir) : []
  const old = names.flatMap(name => {
    const first = /^journal-([1-9]\d{0,15})\.jsonl$/.exec(name)?.[1]
    return first === undefined ? [] : [{ name, path: join(dir, name), first: Number(first) }]
  })
  old.sort((a, b) => a.first - b.first)
  return names.includes(CURRENT) ? [...old, { name: CURRENT, path: join(dir, CURRENT) }] : old
}

/** The whole records of a journal, newest first; what is damaged is passed over. */
export function* newestFirst(dir: string): Generator<JournalRecord> {
  for (const { path } of segmentsOf(dir).toReversed()) {
    const fd = openOwnFile(path)
    try {
      for (const line of backwards(fd, fstatSync(fd).size)) {
        const record = unseal(line.bytes)
        if (record) yield record
      }
    } finally {
      closeSync(fd)
    }
  }
}
