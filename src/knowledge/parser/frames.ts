import { readSync, writeSync } from 'node:fs'
import { deserialize, serialize } from 'node:v8'
import { sleepSync } from '../../kernel/time.ts'

/** Encodes one message: its length, then its content. */
export function frameOf(message: unknown): Buffer {
  const body = serialize(message)
  const frame = Buffer.allocUnsafe(4 + body.length)
  frame.writeUInt32LE(body.length)
  body.copy(frame, 4)
  return frame
}

/** Assembles messages from pieces of bytes. */
export function frameReader(take: (message: unknown) => void): (piece: Buffer) => void {
  let pieces: Buffer[] = []
  let [bufferSize, messageSize] = [0, 4]
  return piece => {
    pieces.push(piece)
    bufferSize += piece.length
    if (bufferSize < messageSize) return
    let all = pieces.length === 1 ? piece : Buffer.concat(pieces, bufferSize)
    for (;;) {
      messageSize = all.length < 4 ? 4 : 4 + all.readUInt32LE()
      if (all.length < messageSize) break
      take(deserialize(all.subarray(4, messageSize)))
      all = all.subarray(messageSize)
    }
    pieces = all.length > 0 ? [all] : []
    bufferSize = all.length
  }
}

/** Reads the next message without an event loop. Returns undefined if the sender is gone. */
export function readFrame(fd: number): unknown {
  const head = readBytes(fd, 4)
  const body = head && readBytes(fd, head.readUInt32LE())
  return body && deserialize(body)
}

/** Writes a message before it returns, so that it is sent even if the process ends next. */
export function writeFrame(fd: number, message: unknown): void {
  const frame = frameOf(message)
  for (let at = 0; at < frame.length;) at += whenReady(() => writeSync(fd, frame, at))
}

function readBytes(fd: number, length: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(length)
  for (let at = 0; at < length;) {
    const read = whenReady(() => readSync(fd, bytes, at, length - at, null))
    if (read === 0) return undefined
    at += read
  }
  return bytes
}

/** Waits if the pipe is non-blocking and the other end is slower. */
function whenReady(work: () => number): number {
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (Object(error).code !== 'EAGAIN') throw error
      sleepSync(1)
    }
  }
}
