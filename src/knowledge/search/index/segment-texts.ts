import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import type { TextPlace } from './messages.ts'
import { MARK_BYTES, type Segment, type StoredText } from './segment.ts'

/** A part of a text: the byte at `at` of the text is the byte at `at - base` here. */
export interface TextPart {
  readonly bytes: Buffer
  /** The same bytes, word by word. */
  readonly words: Int32Array
  readonly base: number
}

/** Reads one part after another. */
export interface TextWindow {
  /** Returns bytes from the mark before `from` up to `to`, valid until the next call. The segment must have its text. */
  read(segment: Segment, from: number, to: number): TextPart
}

/** Reads the texts of segments, from memory or from their files. Each thread opens the files for itself. */
export interface SegmentTexts {
  /** Closes the files of all other segments. */
  keep(segments: readonly Segment[]): void
  window(how?: { readonly keepsRecent?: boolean }): TextWindow
}

/** Thrown where the file of a text is gone or cut short. */
export class TextLost extends Error {}

/** Opens the file in which a segment was stored. Returns undefined if another file has taken its place. */
export function openText({ file, ...place }: TextPlace): StoredText | undefined {
  let fd
  try {
    fd = openSync(file, 'r')
  } catch {
    return undefined
  }
  const now = fstatSync(fd)
  const isSame = now.dev === place.dev && now.ino === place.ino && now.size === place.start + place.bytes
  if (isSame) return { ...place, fd }
  closeSync(fd)
  return undefined
}

const FEW_BYTES = 65_536
/** A larger buffer is not kept. */
const MOST_KEPT = 1024 * 1024
/** Room for the parts of a search that runs at once, so that the next question about them reads nothing. */
const RECENT_BYTES = 4 * 1024 * 1024
const LARGEST_RECENT = RECENT_BYTES / 8

export function segmentTexts(): SegmentTexts {
  const descriptors = new Map<number, number>()
  const windows: (TextWindow & { forget(): void })[] = []

  const readInto = ({ id, stored }: Stored, bytes: Buffer, at: number, from: number, to: number): void => {
    let fd = descriptors.get(id)
    if (fd === undefined) descriptors.set(id, (fd = reopen(stored)))
    readExactly(fd, bytes.subarray(at, at + to - from), stored.start + from)
  }

  return {
    keep(segments) {
      const keptIds = new Set(segments.map(({ id }) => id))
      for (const window of windows) window.forget()
      for (const [id, fd] of descriptors) {
        if (keptIds.has(id)) continue
        descriptors.delete(id)
        closeSync(fd)
      }
    },
    window({ keepsRecent = false } = {}) {
      const window = openWindow(keepsRecent ? recentParts(readInto) : lastPart(readInto))
      windows.push(window)
      return window
    },
  }
}

type Stored = Segment & { readonly stored: StoredText }
type ReadInto = (segment: Stored, bytes: Buffer, at: number, from: number, to: number) => void
/** Reads a part that begins at a mark. */
type PartReader = (segment: Stored, from: number, to: number) => TextPart

function openWindow(readPart: PartReader): TextWindow & { forget(): void } {
  let current: Segment | undefined
  let [part, start, end]: [TextPart | undefined, number, number] = [undefined, 0, 0]
  return {
    read(segment, from, to) {
      if (part && segment === current && from >= start && to <= end) return part
      const { text } = segment
      current = undefined
      if (text) {
        part = { bytes: Buffer.from(text.buffer), words: new Int32Array(text.buffer), base: 0 }
        ;[start, end] = [0, text.length]
      } else {
        if (!isStored(segment)) throw new TextLost('This segment has no text')
        ;[start, end] = [from - (from % MARK_BYTES), to]
        part = readPart(segment, start, end)
      }
      current = segment
      return part
    },
    forget() {
      current = part = undefined
    },
  }
}

const isStored = (segment: Segment): segment is Stored => segment.stored !== undefined

/** Keeps the last part alone. */
function lastPart(readInto: ReadInto): PartReader {
  let buffer = roomFor(FEW_BYTES)
  return (segment, from, to) => {
    const length = to - from
    if (length > buffer.bytes.length) buffer = roomFor(length + FEW_BYTES)
    else if (buffer.bytes.length > MOST_KEPT && length < FEW_BYTES) buffer = roomFor(FEW_BYTES)
    readInto(segment, buffer.bytes, 0, from, to)
    return { ...buffer, base: from }
  }
}

/** Keeps parts until there is no room for the next. */
function recentParts(readInto: ReadInto): PartReader {
  const readLarge = lastPart(readInto)
  const parts = new Map<number, { readonly part: TextPart; readonly to: number }>()
  let buffer: ReturnType<typeof roomFor> | undefined
  let next = 0
  return (segment, from, to) => {
    const length = to - from
    if (length > LARGEST_RECENT) return readLarge(segment, from, to)
    const key = segment.id * 2 ** 32 + from
    const recentPart = parts.get(key)
    if (recentPart && recentPart.to >= to) return recentPart.part
    buffer ??= roomFor(RECENT_BYTES)
    if (next + length > RECENT_BYTES) {
      parts.clear()
      next = 0
    }
    readInto(segment, buffer.bytes, next, from, to)
    const part = { ...buffer, base: from - next }
    parts.set(key, { part, to })
    next = Math.ceil((next + length) / 4) * 4
    return part
  }
}

function roomFor(length: number): Omit<TextPart, 'base'> {
  const bytes = Buffer.allocUnsafeSlow(Math.ceil(length / 4) * 4)
  return { bytes, words: new Int32Array(bytes.buffer) }
}

/** Opens the file once more, by the descriptor that keeps it even when it is no longer in its directory. */
function reopen({ fd, dev, ino }: StoredText): number {
  let copy
  try {
    copy = openSync(`/proc/self/fd/${fd}`, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    throw new TextLost('The file of a text is closed')
  }
  const now = fstatSync(copy)
  if (now.dev === dev && now.ino === ino) return copy
  closeSync(copy)
  throw new TextLost('The file of a text is closed')
}

function readExactly(fd: number, bytes: Buffer, position: number): void {
  for (let at = 0; at < bytes.length;) {
    const more = readSync(fd, bytes, at, bytes.length - at, position + at)
    if (more === 0) throw new TextLost('The file of a text is cut short')
    at += more
  }
}
