import type { KeptStream, Printed } from '../../kernel/run-facts.ts'
import { plainOutput } from '../../kernel/plain-output.ts'

const HALF = 512 * 1024
const FIRST_ROOM = 64 * 1024
const NEWLINE = 10
/** Any reader of an answer shows this much without a cut of its own. */
const SHORT = 16 * 1024

/** All that a stream printed. */
export interface StoredOutput {
  readonly bytes: number
  /** Number of printed lines, including a last one without a newline. */
  readonly lines: number
  push(chunk: Buffer): void
  whole(): Buffer
}

/** Stores a stream in one buffer, which doubles as it fills: a small piece keeps no large buffer alive. */
export function storeOutput(): StoredOutput {
  let buffer = Buffer.alloc(0)
  let bytes = 0
  let ends = 0
  return {
    get bytes() {
      return bytes
    },
    get lines() {
      return bytes === 0 || buffer[bytes - 1] === NEWLINE ? ends : ends + 1
    },
    push(chunk) {
      // Much faster than a search if every line is short.
      for (let at = 0; at < chunk.length; at++) if (chunk[at] === NEWLINE) ends++
      if (bytes + chunk.length > buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max(FIRST_ROOM, buffer.length * 2, bytes + chunk.length))
        buffer.copy(larger, 0, 0, bytes)
        buffer = larger
      }
      bytes += chunk.copy(buffer, bytes)
    },
    whole: () => buffer.subarray(0, bytes),
  }
}

interface ShownOptions {
  /** The most bytes of the beginning, and of the end. */
  readonly half?: number
  /** Where all of it is stored. */
  readonly ref?: string | undefined
  /** More was printed than was stored, so that the last character may be incomplete. */
  readonly isCut?: boolean
}

interface ShownOutput {
  readonly text: string
  /** Bytes omitted from the middle. */
  readonly leftOut: number
}

/** Returns output as text: its beginning and its end if it is long, without sequences for a terminal. */
export function shownOutput(whole: Buffer, { half = HALF, ref, isCut = false }: ShownOptions = {}): ShownOutput {
  const endOf = (bytes: Buffer) => (isCut ? wholeEnd(bytes) : bytes)
  if (whole.length <= half * 2) return { text: plainOutput(endOf(whole).toString()), leftOut: 0 }
  const head = headOf(whole.subarray(0, half))
  const tail = endOf(tailOf(whole.subarray(-half)))
  const leftOut = whole.length - head.length - tail.length
  const [first, last] = [head, tail].map(part => plainOutput(part.toString()))
  const notice = ref === undefined ? `… ${leftOut} more bytes` : `… ${leftOut} more bytes in ${ref}`
  return { text: `${first?.replace(/\n$/, '')}\n${notice}\n${last}`, leftOut }
}

/** Ends with a whole line if one ends in the second half, and never inside a character. */
function headOf(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf(NEWLINE) + 1
  return end > bytes.length / 2 ? bytes.subarray(0, end) : wholeEnd(bytes)
}

/** Begins with a whole line if one begins in the first half, and never inside a character. */
function tailOf(bytes: Buffer): Buffer {
  const start = bytes.indexOf(NEWLINE) + 1
  return start > 0 && start < bytes.length / 2 ? bytes.subarray(start) : wholeStart(bytes)
}

interface KeepOptions {
  /** Stores bytes and returns their reference. */
  readonly keep: ((bytes: Buffer) => string) | undefined
  /** The most bytes of both texts together, if the command was ended because it printed more. */
  readonly most: number | undefined
}

/**
 * Returns the texts of both streams. The bytes of a stream are stored if the text does not have them all, or if it is
 * so long that others may cut it.
 */
export function keepPrinted(
  stdout: StoredOutput,
  stderr: StoredOutput,
  { keep, most }: KeepOptions,
): { readonly printed: Printed; readonly leftOut: number } {
  const streams = ([stdout, stderr] as const).map(stored => {
    const bytes = stored.whole()
    const { text, leftOut } = shownOutput(bytes, { isCut: most !== undefined })
    const isExact = leftOut === 0 && Buffer.from(text).equals(bytes)
    const ref = isExact && bytes.length <= SHORT ? undefined : keep?.(bytes)
    return {
      text: leftOut > 0 && ref !== undefined ? shownOutput(bytes, { isCut: most !== undefined, ref }).text : text,
      leftOut,
      isExact,
      kept: ref === undefined ? undefined : { ref, bytes: bytes.length },
    }
  })
  const [out, errors] = streams
  const texts = withinBytes(out?.text ?? '', errors?.text ?? '', most ?? Number.POSITIVE_INFINITY)
  const notes = streams.flatMap(({ kept, leftOut, isExact }, at) =>
    kept && !isExact ? [noteOn(at === 0 ? 'output' : 'error', kept, leftOut)] : [],
  )
  return {
    printed: {
      ...texts,
      ...(streams.some(({ kept }) => kept) && {
        kept: { ...(out?.kept && { stdout: out.kept }), ...(errors?.kept && { stderr: errors.kept }) },
      }),
      ...(notes.length > 0 && { outputNotes: notes }),
    },
    leftOut: streams.reduce((sum, { leftOut }) => sum + leftOut, 0),
  }
}

const noteOn = (stream: 'output' | 'error', { ref, bytes }: KeptStream, leftOut: number): string =>
  leftOut > 0
    ? `Standard ${stream} is long: ${leftOut} of its ${bytes} bytes are left out; read ${ref} for all of it`
    : `Standard ${stream} is shown as plain text; its bytes are in ${ref}`

/** Returns two texts that together have no more bytes. Each gets half of the room, plus what the other leaves. */
export function withinBytes(stdout: string, stderr: string, most: number): Pick<Printed, 'stdout' | 'stderr'> {
  const [out, err] = [Buffer.from(stdout), Buffer.from(stderr)]
  if (out.length + err.length <= most) return { stdout, stderr }
  const first = wholeEnd(out.subarray(0, Math.max(most - err.length, Math.floor(most / 2))))
  return { stdout: first.toString(), stderr: wholeEnd(err.subarray(0, most - first.length)).toString() }
}

/** Returns the bytes without a character that they cut. */
export function wholeEnd(bytes: Buffer): Buffer {
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
