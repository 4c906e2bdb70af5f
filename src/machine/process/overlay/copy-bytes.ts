import { closeSync, ftruncateSync, readSync, writeSync } from 'node:fs'
import type { LayerFile } from './layer.ts'

const PIECE = 1024 ** 2

/** Copies what a command left into an open, empty file, piece by piece: it may be larger than our memory. Holes stay holes. */
export function copyBytes({ layer, path }: LayerFile, to: number): void {
  const source = layer.open(path)
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
