/** What a frame carries. */
type FrameKind = 'request' | 'part' | 'answer' | 'failure' | 'cancel' | 'item' | 'more'

export interface Frame {
  readonly kind: FrameKind
  /** Id of its request. */
  readonly id: number
  readonly body: Buffer
}

const KINDS: readonly FrameKind[] = ['request', 'part', 'answer', 'failure', 'cancel', 'item', 'more']
/** Length of the body, id, kind. */
const HEAD = 9

/** The longest allowed body: lists of paths are long, anything longer is garbage. */
export const MOST_BYTES = 64 * 1024 ** 2

export function encodeFrame(kind: FrameKind, id: number, body: Buffer | string = ''): Buffer {
  const length = Buffer.byteLength(body)
  const frame = Buffer.allocUnsafe(HEAD + length)
  frame.writeUInt32LE(length, 0)
  frame.writeUInt32LE(id, 4)
  frame[8] = KINDS.indexOf(kind)
  if (typeof body === 'string') frame.write(body, HEAD)
  else body.copy(frame, HEAD)
  return frame
}

/** Assembles frames from the pieces of a stream. Throws at the first invalid one. */
export function frameReader(
  onFrame: (frame: Frame) => void,
  {
    mostBytes = () => MOST_BYTES,
    onHeld,
  }: {
    readonly mostBytes?: () => number
    /** Called with the bytes held of an unfinished frame after each piece, and 0 when one is complete. */
    readonly onHeld?: (bytes: number) => void
  } = {},
): (chunk: Buffer) => void {
  let pieces: Buffer[] = []
  let heldBytes = 0
  let neededBytes = HEAD
  return chunk => {
    pieces.push(chunk)
    heldBytes += chunk.length
    if (heldBytes < neededBytes) return onHeld?.(heldBytes)
    let rest = pieces.length === 1 ? chunk : Buffer.concat(pieces, heldBytes)
    neededBytes = HEAD
    while (rest.length >= HEAD) {
      const length = rest.readUInt32LE(0)
      const kind = KINDS[rest[8] ?? KINDS.length]
      if (kind === undefined || length > mostBytes()) throw new Error('Not a frame')
      neededBytes = HEAD + length
      if (rest.length < neededBytes) break
      onFrame({ kind, id: rest.readUInt32LE(4), body: rest.subarray(HEAD, neededBytes) })
      rest = rest.subarray(neededBytes)
      neededBytes = HEAD
      onHeld?.(0)
    }
    pieces = rest.length > 0 ? [rest] : []
    heldBytes = rest.length
    onHeld?.(heldBytes)
  }
}
