import { readSync } from 'node:fs'

export interface Line {
  /** Without its line end; valid until the next line is read. */
  readonly bytes: Buffer
  /** Offsets of its first byte and past its line end. */
  readonly start: number
  readonly end: number
  /** False for a last line without a line end. */
  readonly whole: boolean
}

const NEWLINE = 0x0a

/** Yields the lines of an open file, first to last, in memory bounded by the longest line. */
export function* forwards(fd: number, from = 0, chunk = 1 << 20): Generator<Line> {
  let buffer = Buffer.allocUnsafe(chunk)
  let [byteCount, start] = [0, from]
  for (;;) {
    const got = readSync(fd, buffer, byteCount, buffer.length - byteCount, start + byteCount)
    byteCount += got
    let at = 0
    for (let end = buffer.indexOf(NEWLINE, at); end >= 0 && end < byteCount; end = buffer.indexOf(NEWLINE, at)) {
      yield { bytes: buffer.subarray(at, end), start: start + at, end: start + end + 1, whole: true }
      at = end + 1
    }
    if (got === 0) {
      const rest = buffer.subarray(at, byteCount)
      if (rest.length > 0) yield { bytes: rest, start: start + at, end: start + byteCount, whole: false }
      return
    }
    buffer.copyWithin(0, at, byteCount)
    byteCount -= at
    start += at
    if (byteCount === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2)
  }
}

/** Yields the lines of an open file's first `size` bytes, last to first, reading little more than requested. */
export function* backwards(fd: number, size: number, chunk = 1 << 14): Generator<Line> {
  let buffer: Buffer = Buffer.alloc(0)
  let [base, end] = [size, size]
  while (end > 0) {
    const length = end - base
    const newline = length < 2 ? -1 : buffer.lastIndexOf(NEWLINE, length - 2)
    if (newline < 0 && base > 0) {
      base = Math.max(0, end - Math.max(chunk, length * 2))
      buffer = readAt(fd, base, end - base)
      continue
    }
    const from = newline + 1
    const whole = buffer[length - 1] === NEWLINE
    yield { bytes: buffer.subarray(from, whole ? length - 1 : length), start: base + from, end, whole }
    end = base + from
  }
}

/** Reads exactly this much, or up to the end of the file. */
export function readAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let bytesRead = 0
  while (bytesRead < length) {
    const got = readSync(fd, bytes, bytesRead, length - bytesRead, position + bytesRead)
    if (got === 0) break
    bytesRead += got
  }
  return bytes.subarray(0, bytesRead)
}
