/**
 * Returns the part of a file that ripgrep searches: without its byte order mark, and converted from UTF-16 if the mark
 * says so. Returns undefined if ripgrep treats the file as binary, so that no line is found.
 */
export function searchableText(bytes: Buffer): Buffer | undefined {
  const text = decodeText(bytes)
  return text.includes(0) ? undefined : text
}

/** A byte order mark. */
interface Mark {
  /** Its length; 0 if there is none. */
  readonly bytes: number
  /** The encoding that the text is converted from. */
  readonly from?: 'UTF-16LE' | 'UTF-16BE'
}

export const LONGEST_MARK = 3

/** Returns the byte order mark at the beginning of a file. */
export function markOf([first, second, third]: Uint8Array): Mark {
  if (first === 0xef && second === 0xbb && third === 0xbf) return { bytes: 3 }
  if (first === 0xff && second === 0xfe) return { bytes: 2, from: 'UTF-16LE' }
  return first === 0xfe && second === 0xff ? { bytes: 2, from: 'UTF-16BE' } : { bytes: 0 }
}

function decodeText(bytes: Buffer): Buffer {
  const mark = markOf(bytes)
  const text = bytes.subarray(mark.bytes)
  if (mark.from === undefined) return text
  return fromUtf16(mark.from === 'UTF-16LE' ? Buffer.from(text) : swapBytes(text))
}

/** Shows lone surrogates and an odd last byte as U+FFFD. */
function fromUtf16(units: Buffer): Buffer {
  const text = units.toString('utf16le').toWellFormed()
  return Buffer.from(units.length % 2 === 0 ? text : `${text}\uFFFD`)
}

function swapBytes(units: Buffer): Buffer {
  const copy = Buffer.from(units)
  copy.subarray(0, copy.length - (copy.length % 2)).swap16()
  return copy
}
