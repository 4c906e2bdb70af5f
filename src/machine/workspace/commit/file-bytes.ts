import { createHash } from 'node:crypto'
import type { Name, Sys } from '../sys.ts'

/** Creates a file of ours, writes it completely and leaves it open. The caller syncs and closes it. */
export function createWith(sys: Sys, dir: number, name: Name, bytes: Buffer): number {
  const fd = sys.createFile(dir, name, 0o600)
  try {
    for (let writtenBytes = 0; writtenBytes < bytes.length;) writtenBytes += sys.write(fd, bytes, writtenBytes)
    return fd
  } catch (error) {
    sys.close(fd)
    throw error
  }
}

/** Reads a whole regular file. */
export function readWhole(sys: Sys, dir: number, name: Name): Buffer {
  const parts: Buffer[] = []
  scan(sys, dir, name, part => parts.push(Buffer.from(part)))
  return Buffer.concat(parts)
}

/** Returns the sha256 of a regular file in hex, without holding it in memory. */
export function hashWhole(sys: Sys, dir: number, name: Name): string {
  const hash = createHash('sha256')
  scan(sys, dir, name, part => hash.update(part))
  return hash.digest('hex')
}

const CHUNK = 1 << 18

function scan(sys: Sys, dir: number, name: Name, take: (part: Buffer) => void): void {
  const fd = sys.openFile(dir, name)
  try {
    const size = Number(sys.fstat(fd).size)
    const buffer = Buffer.allocUnsafe(Math.min(CHUNK, size + 1))
    for (let at = 0; ;) {
      const length = sys.read(fd, buffer, 0, buffer.length, at)
      if (length === 0) return
      take(buffer.subarray(0, length))
      at += length
    }
  } finally {
    sys.close(fd)
  }
}
