import { createHash } from 'node:crypto'
import { closeSync, readSync } from 'node:fs'
import type { LayerFile } from './layer.ts'
import type { LayerChange } from './layer-change.ts'

const PIECE = 1024 ** 2

/** Returns one change as a plan names it: equal for equal content only. */
export function changeFacts(one: LayerChange): readonly unknown[] {
  const { type, path } = one
  if (type === 'file') return [type, path, one.mode, hashOf(one.at)]
  if (type === 'symlink') return [type, path, one.target]
  return [type, path, type === 'directory' ? one.mode : one.was]
}

function hashOf({ layer, path }: LayerFile): string {
  const fd = layer.open(path)
  try {
    const hash = createHash('sha256')
    const piece = Buffer.allocUnsafe(PIECE)
    for (;;) {
      const length = readSync(fd, piece, 0, PIECE, null)
      if (length === 0) return hash.digest('hex')
      hash.update(piece.subarray(0, length))
    }
  } finally {
    closeSync(fd)
  }
}
