import type { ImageType } from './encoding.ts'

interface ImageSize {
  readonly width: number
  readonly height: number
}

type Measure = (bytes: Buffer) => ImageSize | undefined

/** Reads width and height from an image header. Returns undefined if it is truncated or invalid. */
export function imageSize(type: ImageType, bytes: Buffer): ImageSize | undefined {
  const size = MEASURES[type](bytes)
  return size && size.width > 0 && size.height > 0 ? size : undefined
}

const PNG_HEADER = 24
const GIF_HEADER = 10

const png: Measure = bytes =>
  bytes.length >= PNG_HEADER && bytes.toString('latin1', 12, 16) === 'IHDR'
    ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
    : undefined

const gif: Measure = bytes =>
  bytes.length >= GIF_HEADER ? { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) } : undefined

/** Walks the segments. Each gives its own length, so even a hostile one advances by at least two bytes. */
const jpeg: Measure = bytes => {
  for (let at = 2; at + 9 <= bytes.length;) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] ?? 0
    if (marker === 0xff) at += 1
    else if (isFrame(marker)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) }
    // The image data begins, or the file ends, without a frame.
    else if (marker === 0xda || marker === 0xd9) return undefined
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2
    else {
      const length = bytes.readUInt16BE(at + 2)
      if (length < 2) return undefined
      at += 2 + length
    }
  }
  return undefined
}

/** Start of a frame of any coding; three markers in the range are tables. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** Three codings, each with its own header in the same container. */
const webp: Measure = bytes => {
  const chunk = bytes.toString('latin1', 12, 16)
  if (chunk === 'VP8X' && bytes.length >= 30)
    return { width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) }
  if (chunk === 'VP8L' && bytes.length >= 25 && bytes[20] === 0x2f) {
    const sizeBits = bytes.readUInt32LE(21)
    return { width: 1 + (sizeBits & 0x3fff), height: 1 + ((sizeBits >>> 14) & 0x3fff) }
  }
  if (chunk === 'VP8 ' && bytes.length >= 30 && bytes.readUIntBE(23, 3) === 0x9d012a)
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  return undefined
}

const MEASURES: Readonly<Record<ImageType, Measure>> = {
  'image/png': png,
  'image/jpeg': jpeg,
  'image/gif': gif,
  'image/webp': webp,
}
