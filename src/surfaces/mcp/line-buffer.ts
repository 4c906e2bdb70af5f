/** A line while it comes in. Of one that is too long only the ends are kept. */
export interface LineBuffer {
  add(part: Buffer): void
  bytes(): number
  /** Returns the beginning and the end of a line that is too long, else undefined. */
  ends(): { readonly beginning: string; readonly end: string } | undefined
  /** Returns the line, empty if it is too long, and starts the next one. */
  take(): string
}

/** Range searched for the id of a message. */
const END_BYTES = 1024

export function createLineBuffer(maxBytes: number): LineBuffer {
  let chunks: Buffer[] = []
  let bytes = 0
  let cut: { beginning: Buffer; end: Buffer } | undefined
  return {
    add(part) {
      bytes += part.length
      if (cut) {
        cut.end = endOf(cut.end, part)
        return
      }
      chunks.push(part)
      if (bytes <= maxBytes) return
      cut = { beginning: chunks.reduce(beginningOf, EMPTY), end: chunks.reduce(endOf, EMPTY) }
      chunks = []
    },
    bytes: () => bytes,
    ends: () => cut && { beginning: cut.beginning.toString('utf8'), end: cut.end.toString('utf8') },
    take() {
      // Nearly every line comes in one piece.
      const [only = EMPTY] = chunks
      const line = (chunks.length > 1 ? Buffer.concat(chunks) : only).toString('utf8').trim()
      chunks = []
      bytes = 0
      cut = undefined
      return line
    },
  }
}

const EMPTY = Buffer.alloc(0)

// Both copy: a slice would keep the whole line in memory.
const beginningOf = (before: Buffer, part: Buffer): Buffer =>
  before.length === END_BYTES ? before : Buffer.concat([before, part.subarray(0, END_BYTES - before.length)])

const endOf = (before: Buffer, part: Buffer): Buffer => {
  const last = part.subarray(-END_BYTES)
  return Buffer.concat([before.subarray(Math.max(0, before.length + last.length - END_BYTES)), last])
}
