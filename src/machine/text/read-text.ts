import { ToolError } from '../../kernel/error.ts'
import type { ReadPart } from '../workspace/read-memory.ts'
import type { ReadableWorkspace } from '../workspace/workspace.ts'
import {
  badByte,
  binary,
  detectEncoding,
  HEAD_BYTES,
  isBinary,
  mediaType,
  NAMES,
  otherEncoding,
  tryDecode,
  type AskedEncoding,
  type Detected,
  type Encoding,
  type MediaType,
} from './encoding.ts'
import { characterStart, cutPlace, lastLineEnd } from './cut-place.ts'
import { indexLines, lineEnd, readWhole, startOfLine, type Eol, type LineIndex, type Source } from './line-index.ts'

export interface ReadOptions {
  /** The content is cut after so many bytes of the file, never inside a character. */
  readonly truncateAt?: number
  /** A bigger file is refused with `too_large`. */
  readonly refuseAbove?: number
  /** What to do instead, where the tool has a way of its own. */
  readonly refuseHint?: string
  /** 1-based and inclusive; an end past the last line means the last line. */
  readonly lines?: { readonly from?: number | undefined; readonly to?: number | undefined }
  /** So many bytes of the first line are left out, for the rest of a line that was cut. */
  readonly skip?: number
  readonly encoding?: AskedEncoding
  /** What the caller can ask for: no hint names another. */
  readonly encodings?: readonly AskedEncoding[]
  /** What to do with data that is no text: refuse (default), or show its first KB as hex. */
  readonly binary?: 'refuse' | 'hex'
  /** Text that is no UTF-8 is read one to one as Latin-1, as edits read it; without this it is data. */
  readonly guess?: 'latin-1'
  /** A cut falls between lines, unless the first line alone is longer. */
  readonly wholeLines?: boolean
  /** What is no text for people is given as its bytes, where it has at most so many; unless an encoding is asked for. */
  readonly media?: Readonly<Record<MediaType, number>>
}

export interface TextRead {
  readonly path: string
  /** The lines with their own ends, without the byte order mark. */
  readonly content: string
  readonly from: number
  /** The last line of the content; `from - 1` where it is empty. */
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
  /** Where what was cut goes on; only there where something was. */
  readonly next?: { readonly from: number; readonly skip?: number }
  readonly binary: boolean
  /** What it is instead of text, with its beginning, and with all of its bytes where they are not too many. */
  readonly media?: { readonly type: MediaType; readonly head: Buffer; readonly bytes?: Buffer }
}

/** Where a session keeps what it has read, for the stale-write guard. */
interface ReadMemory {
  note(path: string, hash: string, part?: ReadPart): void
}

/** Reads a text file or a range of its lines, exactly; a range of a known file costs the range and not the file. */
export function readText(ws: ReadableWorkspace, memory: ReadMemory, path: string, options: ReadOptions = {}): TextRead {
  const file = ws.open(path)
  try {
    const { refuseAbove = Infinity, refuseHint = 'Search it for what you need instead.' } = options
    if (file.size > refuseAbove) throw tooLarge(file.path, file.size, refuseAbove, refuseHint)
    const { read, part } = readFrom(inMemory(file), options)
    memory.note(file.path, read.hash, part)
    return read
  } finally {
    file.close()
  }
}

const HEX_BYTES = 1024
const SMALL_BYTES = 128 * 1024
/** A camera writes a small picture and its notes before the size of the picture. */
const MEDIA_HEAD_BYTES = 256 * 1024
/** More than this is no answer but a disk image: ask for a range. */
const LARGEST_BYTES = 256 * 1024 * 1024

/** A small file is read once and then sliced. */
function inMemory(file: Source): Source {
  if (file.size > SMALL_BYTES) return file
  const bytes = readWhole(file, 0, file.size)
  return { ...pick(file), read: (offset, length) => bytes.subarray(offset, offset + length) }
}

const pick = ({ path, size, version }: Source) => ({ path, size, ...(version === undefined ? {} : { version }) })

interface Part {
  readonly read: TextRead
  /** What of the file was seen, where it is not all that can be seen of it. */
  readonly part?: ReadPart
}

function readFrom(file: Source, options: ReadOptions, guessed?: Detected): Part {
  const head = readWhole(file, 0, Math.min(HEAD_BYTES, file.size))
  const detected = guessed ?? detectEncoding(head, options.encoding)
  const media = options.media && !options.encoding ? mediaType(head, file.path) : undefined
  if (media) return asMedia(file, media, options)
  if (isBinary(head, detected)) return { read: asHex(file, options, binary(file.path, options.encodings)) }
  const index = indexLines(file, detected)
  const { from, to } = rangeOf(index, options)
  const lineStart = startOfLine(file, index, detected.encoding, from)
  const end = startOfLine(file, index, detected.encoding, to + 1, { line: from, at: lineStart })
  const start = skipped(file, lineStart, end, detected.encoding, options)
  const bytes = cut(file, start, end, detected.encoding, options)
  const content = tryDecode(bytes, detected.encoding)
  if (content === undefined && isLatin(bytes, detected, options)) return readFrom(file, options, LATIN)
  if (content === undefined) return { read: asHex(file, options, invalid(file.path, start, bytes, detected, options)) }
  const truncated = bytes.length < end - start
  const { ends, place } = lastLineEnd(bytes, detected.encoding)
  const lines = ends + (place < bytes.length ? 1 : 0)
  const cutAt = bytes.length - place + (ends === 0 ? start - lineStart : 0)
  const next = { from: from + ends, ...(place < bytes.length && { skip: cutAt }) }
  const seen = { from: start === index.starts[0] ? 0 : start, to: start + bytes.length, of: file.size }
  return {
    read: {
      ...facts(file, index),
      ...detected,
      content,
      from,
      to: from + lines - 1,
      lines,
      truncated,
      ...(truncated && { next }),
      binary: false,
    },
    part: seen,
  }
}

const LATIN: Detected = { encoding: 'latin-1', bom: false }

/** Bytes that are no UTF-8 are text in Latin-1 if none is a control character that no text holds. */
const isLatin = (bytes: Buffer, { encoding, bom }: Detected, { guess, encoding: asked }: ReadOptions): boolean =>
  guess === 'latin-1' && asked === undefined && encoding === 'utf-8' && !bom && !bytes.some(isOdd)

/** BEL, BS, TAB, LF, VT, FF, CR and ESC are in texts; the other control characters below a space are not. */
const isOdd = (byte: number): boolean => byte < 0x20 && (byte < 7 || (byte > 13 && byte !== 0x1b))

/** Where reading begins: at the start of the first line, or of a character in it. */
function skipped(file: Source, start: number, end: number, encoding: Encoding, { skip = 0 }: ReadOptions): number {
  if (skip === 0) return start
  const place = start + skip
  for (let at = start; at < Math.min(place, end); at += SMALL_BYTES) {
    const block = readWhole(file, at, Math.min(SMALL_BYTES, place - at, end - at))
    if (lineEnd(block, 0, encoding) !== -1) throw noSuchByte(skip)
  }
  if (place >= end) throw noSuchByte(skip)
  // A few bytes before it, and by pairs where characters are pairs.
  const near = start + (Math.max(0, skip - 4) & ~1)
  return near + characterStart(readWhole(file, near, Math.min(8, end - near)), place - near, encoding)
}

const noSuchByte = (skip: number): ToolError =>
  new ToolError('out_of_range', `The line ends before its byte ${skip}`, {
    hint: 'Give the numbers that the cut answer has as next.',
    details: { skip },
  })

const facts = (file: Source, { hash, totalLines, eol }: LineIndex) => ({
  path: file.path,
  bytes: file.size,
  hash,
  totalLines,
  eol,
})

function rangeOf({ totalLines }: LineIndex, { lines = {} }: ReadOptions): { from: number; to: number } {
  const { from = 1, to = Infinity } = lines
  const whole = Number.isInteger(from) && (Number.isInteger(to) || to === Infinity)
  if (whole && from >= 1 && to >= from && (from <= totalLines || from === 1))
    return { from, to: Math.min(to, totalLines) }
  const asked = `${from}-${to === Infinity ? 'end' : to}`
  throw new ToolError('out_of_range', `Line range invalid - file has ${totalLines} lines, requested ${asked}`, {
    hint: `Ask for lines between 1 and ${Math.max(totalLines, 1)}, the first not after the last.`,
    details: { totalLines, from, ...(to === Infinity ? {} : { to }) },
  })
}

/** The bytes of the range, at most as many as allowed, ending between two characters or two lines. */
function cut(file: Source, start: number, end: number, encoding: Encoding, options: ReadOptions): Buffer {
  const limit = options.truncateAt ?? Infinity
  const length = Math.min(end - start, limit)
  if (length > LARGEST_BYTES) throw tooLarge(file.path, length, LARGEST_BYTES, 'Read a range of its lines.')
  if (length === end - start) return readWhole(file, start, length)
  const bytes = readWhole(file, start, Math.min(length + 2, end - start))
  return bytes.subarray(0, cutPlace(bytes, length, encoding, options.wholeLines === true))
}

/** The first KB of data in rows of 16 bytes, or the reason why it is refused. */
function asHex(file: Source, options: ReadOptions, reason: ToolError): TextRead {
  if (options.binary !== 'hex' || reason.code !== 'binary') throw reason
  const head = readWhole(file, 0, Math.min(HEX_BYTES, file.size))
  const rows: string[] = []
  for (let at = 0; at < head.length; at += 16)
    rows.push(
      head
        .subarray(at, at + 16)
        .toString('hex')
        .replaceAll(/..(?=.)/g, '$& ') + '\n',
    )
  return { ...data(file), content: rows.join(''), truncated: head.length < file.size }
}

function asMedia(file: Source, type: MediaType, { media }: ReadOptions): Part {
  const head = readWhole(file, 0, Math.min(MEDIA_HEAD_BYTES, file.size))
  const whole = file.size <= (media?.[type] ?? 0) && { bytes: readWhole(file, 0, file.size) }
  const read = { ...data(file), media: { type, head, ...whole } }
  // What is shown of a notebook is less than what would be overwritten with it.
  return type === 'application/x-ipynb+json' ? { read, part: { from: 0, to: 0, of: file.size } } : { read }
}

/** What is said of a file without lines. */
const data = (file: Source): TextRead => ({
  ...facts(file, indexLines(file, { encoding: 'latin-1', bom: false })),
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

/** Not asked for: the file is not the text we took it for. Asked for: the request was wrong. */
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
