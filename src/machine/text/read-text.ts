import type { Concealer } from '../../kernel/conceal.ts'
import { ToolError } from '../../kernel/error.ts'
import type { ReadPart } from '../workspace/read-memory.ts'
import type { ReadableWorkspace } from '../workspace/workspace.ts'
import {
  badByte,
  binary,
  decodeStretch,
  detectEncoding,
  HEAD_BYTES,
  isBinary,
  mediaType,
  NAMES,
  otherEncoding,
  tryDecode,
  type RequestedEncoding,
  type Detected,
  type Encoding,
  type MediaType,
} from './encoding.ts'
import { characterStart, cutPlace, lastLineEnd } from './cut-place.ts'
import { indexLines, lineEnd, readWhole, startOfLine, type Eol, type LineIndex, type Source } from './line-index.ts'

export interface ReadOptions {
  /** Cuts the content after this many bytes of the file, never inside a character. */
  readonly truncateAt?: number
  /** Refuses a larger file with `too_large`. */
  readonly refuseAbove?: number
  /** The tool's own hint for that refusal. */
  readonly refuseHint?: string
  /** 1-based and inclusive; an end past the last line means the last line. */
  readonly lines?: { readonly from?: number | undefined; readonly to?: number | undefined }
  /** Bytes to skip in the first line, for the rest of a cut line. */
  readonly skip?: number
  readonly encoding?: RequestedEncoding
  /** Encodings that the caller can request: hints name no other. */
  readonly encodings?: readonly RequestedEncoding[]
  /** For data that is not text: refuse (default), or show its first KB as hex. */
  readonly binary?: 'refuse' | 'hex'
  /** Reads text that is not UTF-8 as Latin-1, like edits do. Otherwise it counts as data. */
  readonly guess?: 'latin-1'
  /** Cuts between lines, unless the first line alone is too long. */
  readonly wholeLines?: boolean
  /** Maximum bytes per media type that are returned as they are, unless an encoding is requested. */
  readonly media?: Readonly<Record<MediaType, number>>
}

export interface TextRead {
  readonly path: string
  /** The lines with their own ends, without the byte order mark. */
  readonly content: string
  readonly from: number
  /** The last line of the content; `from - 1` if it is empty. */
  readonly to: number
  readonly totalLines: number
  readonly lines: number
  /** Size of the whole file. */
  readonly bytes: number
  /** sha256 of the whole file. */
  readonly hash: string
  readonly encoding: string
  readonly bom: boolean
  readonly eol: Eol
  readonly truncated: boolean
  /** Continuation of a cut content; absent if nothing was cut. */
  readonly next?: { readonly from: number; readonly skip?: number }
  readonly binary: boolean
  /** Media type instead of text, with the first bytes, and with all bytes if not too many. */
  readonly media?: { readonly type: MediaType; readonly head: Buffer; readonly bytes?: Buffer }
}

/** A session's record of reads, for the stale-write guard. */
interface ReadMemory {
  note(path: string, hash: string, part?: ReadPart, bytes?: Buffer): void
}

/** Reads a text file or a range of its lines exactly. A range of a known file costs only the range. */
export function readText(
  ws: Pick<ReadableWorkspace, 'open'>,
  memory: ReadMemory,
  path: string,
  options: ReadOptions = {},
  conceal?: Concealer,
): TextRead {
  const file = ws.open(path)
  try {
    const { refuseAbove = Infinity, refuseHint = 'Search it for what you need instead.' } = options
    if (file.size > refuseAbove) throw tooLarge(file.path, file.size, refuseAbove, refuseHint)
    const source = inMemory(file)
    const { read, part } = readFrom(source, options, conceal)
    memory.note(file.path, read.hash, part, source === file ? undefined : source.read(0, file.size))
    return read
  } finally {
    file.close()
  }
}

const HEX_BYTES = 1024
const SMALL_BYTES = 128 * 1024
/** A camera writes a thumbnail and metadata before the picture's size. */
const MEDIA_HEAD_BYTES = 256 * 1024
/** Above this, ask for a range: it is a disk image rather than a result. */
const LARGEST_BYTES = 256 * 1024 * 1024

/** Reads a small file once and slices it. */
function inMemory(file: Source): Source {
  if (file.size > SMALL_BYTES) return file
  const { path, size, version } = file
  const bytes = readWhole(file, 0, size)
  const read = (offset: number, length: number) => bytes.subarray(offset, offset + length)
  return version === undefined ? { path, size, read } : { path, size, version, read }
}

interface Part {
  readonly read: TextRead
  /** The seen part of the file, if not everything visible. */
  readonly part?: ReadPart
}

function readFrom(file: Source, options: ReadOptions, conceal?: Concealer, guessed?: Detected): Part {
  const head = readWhole(file, 0, Math.min(HEAD_BYTES, file.size))
  const fileEncoding = guessed ?? detectEncoding(head, options.encoding)
  const media = options.media && !options.encoding ? mediaType(head, file.path) : undefined
  if (media) return asMedia(file, media, options, conceal)
  if (isBinary(head, fileEncoding)) return { read: asHex(file, options, binary(file.path, options.encodings), conceal) }
  const index = indexLines(file, fileEncoding)
  const { from, to } = rangeOf(index, options)
  const lineStart = startOfLine(file, index, fileEncoding.encoding, from)
  const end = startOfLine(file, index, fileEncoding.encoding, to + 1, { line: from, at: lineStart })
  const start = startWithin(file, lineStart, end, fileEncoding.encoding, options)
  const bytes = cut(file, start, end, fileEncoding.encoding, options)
  const text = tryDecode(bytes, fileEncoding.encoding)
  if (text === undefined && isLatin(bytes, fileEncoding, options)) return readFrom(file, options, conceal, LATIN)
  if (text === undefined)
    return { read: asHex(file, options, invalid(file.path, start, bytes, fileEncoding, options), conceal) }
  const isTruncated = bytes.length < end - start
  const last = isTruncated ? lastLineEnd(bytes, fileEncoding.encoding) : undefined
  const lines = last ? last.ends + (last.place < bytes.length ? 1 : 0) : to - from + 1
  const readPart = { from: start === index.starts[0] ? 0 : start, to: start + bytes.length, of: file.size }
  const { hash, totalLines, eol } = index
  const { encoding, bom } = fileEncoding
  const content = conceal ? concealText(file, start, start + bytes.length, encoding, conceal) : text
  const read = {
    path: file.path,
    bytes: file.size,
    hash,
    totalLines,
    eol,
    encoding,
    bom,
    content,
    from,
    to: from + lines - 1,
    lines,
    truncated: isTruncated,
    binary: false,
  }
  if (!last) return { read, part: readPart }
  const { ends, place } = last
  const cutAt = bytes.length - place + (ends === 0 ? start - lineStart : 0)
  return {
    read: { ...read, next: { from: from + ends, ...(place < bytes.length && { skip: cutAt }) } },
    part: readPart,
  }
}

const LATIN: Detected = { encoding: 'latin-1', bom: false }

/** Bytes that are not UTF-8 count as Latin-1 text if none is a control character foreign to text. */
const isLatin = (bytes: Buffer, { encoding, bom }: Detected, { guess, encoding: asked }: ReadOptions): boolean =>
  guess === 'latin-1' && asked === undefined && encoding === 'utf-8' && !bom && !bytes.some(isOdd)

/** BEL, BS, TAB, LF, VT, FF, CR and ESC occur in texts; other control characters below a space do not. */
const isOdd = (byte: number): boolean => byte < 0x20 && (byte < 7 || (byte > 13 && byte !== 0x1b))

/** Returns the start of reading: the first line's, or a character's in it. */
function startWithin(file: Source, start: number, end: number, encoding: Encoding, { skip = 0 }: ReadOptions): number {
  if (skip === 0) return start
  const place = start + skip
  for (let at = start; at < Math.min(place, end); at += SMALL_BYTES) {
    const block = readWhole(file, at, Math.min(SMALL_BYTES, place - at, end - at))
    if (lineEnd(block, 0, encoding) !== -1) throw noSuchByte(skip)
  }
  if (place >= end) throw noSuchByte(skip)
  // A few bytes earlier, aligned to pairs for UTF-16.
  const near = start + (Math.max(0, skip - 4) & ~1)
  return near + characterStart(readWhole(file, near, Math.min(8, end - near)), place - near, encoding)
}

const noSuchByte = (skip: number): ToolError =>
  new ToolError('out_of_range', `The line ends before its byte ${skip}`, {
    hint: 'Pass the values of `next` from the cut answer.',
    details: { skip },
  })

function rangeOf({ totalLines }: LineIndex, { lines = {} }: ReadOptions): { from: number; to: number } {
  const { from = 1, to = Infinity } = lines
  const whole = Number.isInteger(from) && (Number.isInteger(to) || to === Infinity)
  if (whole && from >= 1 && to >= from && (from <= totalLines || from === 1))
    return { from, to: Math.min(to, totalLines) }
  const requestedLines = `${from}-${to === Infinity ? 'end' : to}`
  throw new ToolError(
    'out_of_range',
    `Line range invalid - file has ${totalLines} lines, requested ${requestedLines}`,
    {
      hint: `Ask for lines between 1 and ${Math.max(totalLines, 1)}, the first not after the last.`,
      details: { totalLines, from, ...(to === Infinity ? {} : { to }) },
    },
  )
}

/** Returns the bytes of the range within the limit, ending between two characters or two lines. */
function cut(file: Source, start: number, end: number, encoding: Encoding, options: ReadOptions): Buffer {
  const limit = options.truncateAt ?? Infinity
  const length = Math.min(end - start, limit)
  if (length > LARGEST_BYTES) throw tooLarge(file.path, length, LARGEST_BYTES, 'Read a range of its lines.')
  if (length === end - start) return readWhole(file, start, length)
  const bytes = readWhole(file, start, Math.min(length + 2, end - start))
  return bytes.subarray(0, cutPlace(bytes, length, encoding, options.wholeLines === true))
}

/** Shows the first KB of data in rows of 16 bytes, or throws the reason of the refusal. */
function asHex(file: Source, options: ReadOptions, reason: ToolError, conceal: Concealer | undefined): TextRead {
  if (options.binary !== 'hex' || reason.code !== 'binary') throw reason
  const around = readWhole(file, 0, Math.min(HEX_BYTES + (conceal?.reach ?? 0), file.size))
  const length = Math.min(HEX_BYTES, file.size)
  const head = conceal ? conceal.part(around, 0, length) : around
  const rows: string[] = []
  for (let at = 0; at < head.length; at += 16)
    rows.push(
      head
        .subarray(at, at + 16)
        .toString('hex')
        .replaceAll(/..(?=.)/g, '$& ') + '\n',
    )
  return { ...data(file), content: rows.join(''), truncated: length < file.size }
}

function asMedia(file: Source, type: MediaType, { media }: ReadOptions, conceal: Concealer | undefined): Part {
  const head = readWhole(file, 0, Math.min(MEDIA_HEAD_BYTES, file.size))
  const whole = file.size <= (media?.[type] ?? 0) && { bytes: readWhole(file, 0, file.size) }
  const isText = type === 'application/x-ipynb+json'
  const mediaBytes =
    whole && isText ? { bytes: conceal?.part(whole.bytes, 0, whole.bytes.length) ?? whole.bytes } : whole
  const read = { ...data(file), media: { type, head, ...mediaBytes } }
  // A notebook shows less than a write to it would overwrite.
  return isText ? { read, part: { from: 0, to: 0, of: file.size } } : { read }
}

/** Result for a file without lines. */
const data = (file: Source): TextRead => ({
  path: file.path,
  bytes: file.size,
  hash: indexLines(file, LATIN).hash,
  content: '',
  from: 1,
  to: 0,
  totalLines: 0,
  lines: 0,
  encoding: 'binary',
  bom: false,
  eol: 'none',
  truncated: false,
  binary: true,
})

/** Without a requested encoding, the file is not the assumed text; with one, the request was wrong. */
function invalid(path: string, start: number, bytes: Buffer, detected: Detected, options: ReadOptions): ToolError {
  const code = options.encoding === undefined ? 'binary' : 'invalid_input'
  const offset = start + badByte(bytes, detected.encoding)
  return new ToolError(code, `${path} is not valid ${NAMES[detected.encoding]} (near byte ${offset})`, {
    hint: otherEncoding(options.encodings ?? [], options.encoding),
    details: { path, encoding: detected.encoding, offset },
  })
}

const tooLarge = (path: string, bytes: number, limit: number, hint: string): ToolError =>
  new ToolError('too_large', `${path} is too large: ${bytes} bytes, at most ${limit}`, {
    hint,
    details: { path, bytes, limit },
  })

/**
 * Returns the text of a stretch of a file without secrets. Judges it together with what stands around it, because the
 * stretch may begin or end inside a secret.
 */
function concealText(file: Source, from: number, to: number, encoding: Encoding, conceal: Concealer): string {
  const first = evenBelow(Math.max(0, from - conceal.reach))
  const around = readWhole(file, first, Math.min(file.size, to + conceal.reach) - first)
  const [start, end] = [from - first, to - first]
  const raw = conceal.part(around, start, end)
  if (encoding === 'utf-8') return raw.toString()
  const textOf = (at: number, last?: number) => Buffer.from(decodeStretch(around.subarray(at, last), encoding))
  const [before, targetBytes] = [textOf(0, start), textOf(start, end)]
  const whole = Buffer.concat([before, targetBytes, textOf(end)])
  const safeBytes = conceal.part(whole, before.length, before.length + targetBytes.length)
  const isRawSecret = !raw.equals(around.subarray(start, end))
  // Bytes read in an encoding that they are not in would show the secret in other characters.
  return isRawSecret && safeBytes.equals(targetBytes) ? raw.toString('latin1') : safeBytes.toString()
}

const evenBelow = (place: number): number => place - (place % 2)
