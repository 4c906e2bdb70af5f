import { fstatSync, writeSync } from 'node:fs'
import type { Output } from './terminal.ts'

/**
 * Writes to a pipe or a file without Node's stream, which loads Node's network code: as long as the call itself. A
 * terminal gets the stream.
 */
export function outputTo(fd: 1 | 2, stream: () => Output): Output {
  if (!isPipeOrFile(fd)) return stream()
  let opened: Output | undefined
  return {
    write(text) {
      if (opened) return opened.write(text)
      let rest = typeof text === 'string' ? Buffer.from(text) : text
      try {
        while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest))
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : undefined
        // A reader may stop early (`| head`): end without a failure.
        if (code === 'EPIPE') process.exit()
        // The pipe is full, and another process has set it not to wait. The stream does.
        if (code !== 'EAGAIN') throw error
        opened = stream()
        opened.write(rest)
      }
    },
  }
}

function isPipeOrFile(fd: number): boolean {
  try {
    const stat = fstatSync(fd)
    return stat.isFIFO() || stat.isSocket() || stat.isFile()
  } catch {
    return false
  }
}
