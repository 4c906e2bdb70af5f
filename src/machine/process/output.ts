const HALF = 512 * 1024
const NEWLINE = 10

/** Stored output of a stream: its beginning and its end, regardless of its length. */
export interface StoredOutput {
  readonly bytes: number
  /** Number of printed lines, including a last one without a newline. */
  readonly lines: number
  readonly truncated: boolean
  /** Bytes omitted from the middle. */
  readonly leftOut: number
  push(chunk: Buffer): void
  /** `isCut`: more was printed than was pushed, so that the last character may be incomplete. */
  text(isCut?: boolean): string
}

/** Stores the first and the last half megabyte, so that memory does not grow with the output. */
export function keepEnds(half = HALF): StoredOutput {
  const head: Buffer[] = []
  let headBytes = 0
  let tail: Buffer[] = []
  let tailBytes = 0
  let bytes = 0
  let ends = 0
  let end = NEWLINE
  return {
    get bytes() {
      return bytes
    },
    get lines() {
      return end === NEWLINE ? ends : ends + 1
    },
    get truncated() {
      return this.leftOut > 0
    },
    get leftOut() {
      return bytes - headBytes - Math.min(tailBytes, half)
    },
    push(chunk) {
      bytes += chunk.length
      // Much faster than a search if every line is short.
      for (let at = 0; at < chunk.length; at++) if (chunk[at] === NEWLINE) ends++
      end = chunk.at(-1) ?? end
      const room = half - headBytes
      if (room > 0) {
        // A copy: a small piece must not keep a large buffer alive.
        head.push(Buffer.from(chunk.subarray(0, room)))
        headBytes += Math.min(room, chunk.length)
      }
      if (chunk.length <= room) return
      tail.push(Buffer.from(chunk.subarray(Math.max(room, 0)).subarray(-half)))
      tailBytes += tail.at(-1)?.length ?? 0
      while (tail.length > 1 && tailBytes - (tail[0]?.length ?? 0) >= half) tailBytes -= tail.shift()?.length ?? 0
      if (tail.length > 512) tail = [Buffer.concat(tail)]
    },
    text(isCut = false) {
      const first = Buffer.concat(head)
      const last = Buffer.concat(tail).subarray(-half)
      const left = bytes - first.length - last.length
      const ended = (all: Buffer) => (isCut ? wholeEnd(all) : all).toString()
      if (left === 0) return ended(Buffer.concat([first, last]))
      return `${wholeEnd(first).toString()}\n[… ${left} bytes left out …]\n${ended(wholeStart(last))}`
    },
  }
}

/** The texts of both streams. */
export interface Printed {
  readonly stdout: string
  readonly stderr: string
}

/**
 * Returns the texts of two streams, together within the limit. Invalid bytes, and the notice about omitted bytes, take
 * more room than the printed bytes. Each stream gets half of the room, plus what the other leaves.
 */
export function withinBytes(stdout: StoredOutput, stderr: StoredOutput, most: number): Printed {
  const [out, err] = [Buffer.from(stdout.text(true)), Buffer.from(stderr.text(true))]
  const first = wholeEnd(out.subarray(0, Math.max(most - err.length, Math.floor(most / 2))))
  return { stdout: first.toString(), stderr: wholeEnd(err.subarray(0, most - first.length)).toString() }
}

/** A cut inside a character would show as another character. */
function wholeEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes
  }
  return bytes
}

function wholeStart(bytes: Buffer): Buffer {
  let at = 0
  while (at < 3 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++
  return bytes.subarray(at)
}
