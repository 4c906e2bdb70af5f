import { chmodSync, closeSync, constants, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { errnoOf } from '../../workspace/disk-error.ts'

const PIECE = 1024 ** 2

/** Copies what a command left into an open, empty file, piece by piece: it may be larger than our memory. Holes stay holes. */
export function copyBytes(from: Buffer, to: number): void {
  const source = openMade(from)
  try {
    const piece = Buffer.allocUnsafe(PIECE)
    const zeros = Buffer.alloc(PIECE)
    let at = 0
    for (;;) {
      const length = readSync(source, piece, 0, PIECE, at)
      if (length === 0) break
      if (piece.compare(zeros, 0, length, 0, length) !== 0)
        for (let done = 0; done < length;) done += writeSync(to, piece, done, length - done, at + done)
      at += length
    }
    ftruncateSync(to, at)
  } finally {
    closeSync(source)
  }
}

/** A command may have closed its own file, which is ours by now. */
function openMade(path: Buffer): number {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW
  try {
    return openSync(path, flags)
  } catch (error) {
    if (errnoOf(error) !== 'EACCES') throw error
    chmodSync(path, 0o600)
    return openSync(path, flags)
  }
}
