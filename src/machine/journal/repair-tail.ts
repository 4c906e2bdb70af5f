import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../state/private-file.ts'
import { unseal, type Head } from './chain.ts'
import { backwards, readAt } from './lines.ts'

interface RepairedTail {
  /** The last record of the file; undefined if it is empty. */
  readonly last?: Head
  readonly size: number
  /** The removed part and the file that stores it. */
  readonly torn?: { readonly file: string; readonly bytes: number }
}

/**
 * Truncates a file with half a line after a crash to its last whole record. Loses nothing: stores the removed part in a
 * file beside it, and completes a record that lacks only its line end. The caller holds the journal's lock.
 */
export function repairTail(fd: number, dir: string, size: number): RepairedTail {
  for (const { bytes, end, whole } of backwards(fd, size)) {
    const record = unseal(bytes)
    if (!record) continue
    const last = { seq: record.seq, hash: record.hash }
    if (!whole) writeSync(fd, '\n')
    if (end === size) return { last, size: whole ? size : size + 1 }
    return { last, size: end, torn: cutOff(fd, dir, end, size) }
  }
  return size === 0 ? { size } : { size: 0, torn: cutOff(fd, dir, 0, size) }
}

function cutOff(fd: number, dir: string, from: number, to: number): { file: string; bytes: number } {
  let number = 1
  while (existsSync(join(dir, `journal.torn-${number}`))) number++
  const file = `journal.torn-${number}`
  const out = openSync(join(dir, file), 'wx', 0o600)
  try {
    writeWhole(out, readAt(fd, from, to - from))
    fsyncSync(out)
  } finally {
    closeSync(out)
  }
  ftruncateSync(fd, from)
  return { file, bytes: to - from }
}
