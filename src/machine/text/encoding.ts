import { isAscii, isUtf8 } from 'node:buffer'
import { ToolError } from '../../kernel/error.ts'

/** Encoding of a file's characters. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'latin-1' | 'ascii'

/** Encodings that a caller may request; `utf-16` takes its byte order from the mark, little endian without one. */
export type RequestedEncoding = 'utf-8' | 'utf-16' | 'latin-1' | 'ascii'

export interface Detected {
  readonly encoding: Encoding
  /** A byte order mark precedes the text; it is never part of the text. */
  readonly bom: boolean
}

/** Number of leading bytes that decide a file's type. */
export const HEAD_BYTES = 8192

/** Detects a file's encoding from its first bytes: a mark, otherwise the requested one, otherwise UTF-8. */
export function detectEncoding(head: Buffer, requestedEncoding?: RequestedEncoding): Detected {
  if (requestedEncoding === 'latin-1' || requestedEncoding === 'ascii')
    return { encoding: requestedEncoding, bom: false }
  const isMarked = (head[0] ?? 0) >= LEAST_OF_A_MARK
  const byteOrderMark = isMarked ? MARKED.find(({ mark }) => head.subarray(0, mark.length).equals(mark)) : undefined
  if (byteOrderMark && (requestedEncoding === undefined || byteOrderMark.encoding.startsWith(requestedEncoding)))
    return { encoding: byteOrderMark.encoding, bom: true }
  return { encoding: requestedEncoding === 'utf-16' ? 'utf-16le' : 'utf-8', bom: false }
}

/** A NUL in the first bytes means data, not text; in UTF-16 it is half of a character. */
export function isBinary(head: Buffer, { encoding }: Detected): boolean {
  if (encoding.startsWith('utf-16')) return head.subarray(0, 4).equals(UTF_32LE)
  return head.subarray(0, HEAD_BYTES).includes(0)
}

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/** Types of files that people view rather than read. */
export type MediaType = ImageType | 'application/pdf' | 'application/x-ipynb+json'

/**
 * Detects the media type from the first bytes, or a notebook from its name. Returns undefined for text and other data.
 */
export function mediaType(head: Buffer, path: string): MediaType | undefined {
  if (/\.ipynb$/i.test(path)) return 'application/x-ipynb+json'
  // Nearly all texts are told apart by this byte.
  if (!MEDIA_BEGINNINGS.has(head[0])) return undefined
  return /^%PDF-\d/.test(head.toString('latin1', 0, 6)) ? 'application/pdf' : imageType(head)
}

/** The first bytes of a PDF, PNG, JPEG, GIF and WebP. */
const MEDIA_BEGINNINGS: ReadonlySet<number | undefined> = new Set([0x25, 0x89, 0xff, 0x47, 0x52])

/** Detects an image type from its first bytes, regardless of its name. */
export function imageType(head: Buffer): ImageType | undefined {
  const begins = (text: string, at = 0) => head.toString('latin1', at, at + text.length) === text
  if (begins('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (begins('\xff\xd8\xff')) return 'image/jpeg'
  // The signatures of these two are letters, with which a text may begin too.
  if (!head.includes(0)) return undefined
  if (begins('GIF87a') || begins('GIF89a')) return 'image/gif'
  return begins('RIFF') && begins('WEBP', 8) ? 'image/webp' : undefined
}

export const markOf = (encoding: Encoding): Buffer =>
  MARKED.find(marked => marked.encoding === encoding)?.mark ?? Buffer.alloc(0)

/** Decodes bytes after the mark. Returns undefined if they are invalid: nothing is ever replaced. */
export function tryDecode(bytes: Buffer, encoding: Encoding): string | undefined {
  if (encoding === 'utf-8') return isUtf8(bytes) ? bytes.toString('utf8') : undefined
  if (encoding === 'ascii') return isAscii(bytes) ? bytes.toString('latin1') : undefined
  if (encoding === 'latin-1') return bytes.toString('latin1')
  if (bytes.length % 2 === 1) return undefined
  const text = decodeStretch(bytes, encoding)
  return text.isWellFormed() ? text : undefined
}

/** Decodes bytes that may begin or end inside a character. */
export function decodeStretch(bytes: Buffer, encoding: Encoding): string {
  if (!encoding.startsWith('utf-16')) return bytes.toString(encoding === 'utf-8' ? 'utf8' : 'latin1')
  const pairs = bytes.subarray(0, bytes.length - (bytes.length % 2))
  return (encoding === 'utf-16be' ? Buffer.from(pairs).swap16() : pairs).toString('utf16le')
}

/** Like `tryDecode`, but throws the reason and a way out. */
export function decode(bytes: Buffer, encoding: Encoding): string {
  const text = tryDecode(bytes, encoding)
  if (text !== undefined) return text
  const offset = badByte(bytes, encoding)
  throw new ToolError('invalid_input', `Not valid ${NAMES[encoding]} (near byte ${offset})`, {
    hint: otherEncoding([]),
    details: { encoding, offset },
  })
}

/** Encodes a text without a mark. Refuses a character that the encoding lacks, by name. */
export function encode(text: string, encoding: Encoding): Buffer {
  const bad = inexpressible(text, encoding)
  if (bad === undefined) {
    if (encoding === 'utf-8') return Buffer.from(text, 'utf8')
    if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le')
    if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16()
    return Buffer.from(text, 'latin1')
  }
  const point = text.codePointAt(bad) ?? 0
  const name = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`
  const characterText =
    point >= 0xd800 && point <= 0xdfff ? `half a character (${name})` : `"${String.fromCodePoint(point)}" (${name})`
  throw new ToolError(
    'invalid_input',
    `${NAMES[encoding]} cannot express ${characterText}, character ${bad + 1} of the text`,
    {
      hint: 'Use other characters: a file keeps the encoding it has.',
      details: { encoding, character: name, index: bad },
    },
  )
}

/** The lowest first byte of the marks below. */
const LEAST_OF_A_MARK = 0xef
const UTF_32LE = Buffer.from([0xff, 0xfe, 0, 0])
const MARKED: readonly { readonly encoding: Encoding; readonly mark: Buffer }[] = [
  { encoding: 'utf-8', mark: Buffer.from([0xef, 0xbb, 0xbf]) },
  { encoding: 'utf-16le', mark: Buffer.from([0xff, 0xfe]) },
  { encoding: 'utf-16be', mark: Buffer.from([0xfe, 0xff]) },
]

export const NAMES: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (little endian)',
  'utf-16be': 'UTF-16 (big endian)',
  'latin-1': 'Latin-1',
  ascii: 'ASCII',
}

/**
 * Returns the offset at which the bytes and their re-encoded text differ: exact except for a bad byte that equals the
 * start of U+FFFD.
 */
export function badByte(bytes: Buffer, encoding: Encoding): number {
  if (encoding === 'ascii') return bytes.findIndex(byte => byte > 0x7f)
  if (encoding === 'utf-8') return firstDifference(bytes, Buffer.from(bytes.toString('utf8'), 'utf8'))
  const even = Buffer.from(bytes.subarray(0, bytes.length & ~1))
  const text = (encoding === 'utf-16be' ? even.swap16() : even).toString('utf16le')
  return firstDifference(even, Buffer.from(text.toWellFormed(), 'utf16le'))
}

function firstDifference(a: Buffer, b: Buffer): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return i
  return length
}

function inexpressible(text: string, encoding: Encoding): number | undefined {
  if (encoding !== 'ascii' && encoding !== 'latin-1') {
    if (text.isWellFormed()) return undefined
    const whole = text.toWellFormed()
    for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== whole.charCodeAt(i)) return i
  }
  const highest = encoding === 'ascii' ? 0x7f : 0xff
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > highest) return i
  return undefined
}

/** `encodings`: those the caller can request. */
export const binary = (path: string, encodings: readonly RequestedEncoding[] = []): ToolError =>
  new ToolError('binary', `${path} is binary, not text`, {
    hint: encodings.includes('utf-16')
      ? 'If it is text in UTF-16, pass `encoding: utf-16`.'
      : 'If it is text in UTF-16 without a byte order mark, convert it to UTF-8 first.',
    details: { path },
  })

/** Hint for bytes that are invalid in the assumed encoding. */
export function otherEncoding(
  encodings: readonly RequestedEncoding[],
  triedEncoding: RequestedEncoding = 'utf-8',
): string {
  if (encodings.includes('latin-1'))
    return 'Pass the encoding it is really in; `encoding: latin-1` reads any bytes one to one.'
  // ASCII is also UTF-8, and UTF-16 mostly shows by a mark or a NUL. The rest is an old 8-bit encoding.
  const others = triedEncoding === 'utf-8' ? [] : encodings.filter(each => each !== triedEncoding)
  if (others.length === 0) return 'Convert it to UTF-8 first.'
  const pass = `Pass the encoding it is really in (${others.join(', ')})`
  return others.includes('utf-8') ? `${pass}.` : `${pass}, or convert it to UTF-8 first.`
}
