/**
 * Returns the part of a file that ripgrep searches: without its byte order mark, and converted from UTF-16 if the mark
 * says so. Returns undefined if ripgrep treats the file as binary, so that no line is found.
 */
export function searchableText(bytes: Buffer): Buffer | undefined {
  const text = decoded(bytes)
  return text.includes(0) ? undefined : text
}

function decoded(bytes: Buffer): Buffer {
  const [first, second, third] = bytes
  if (first === 0xef && second === 0xbb && third === 0xbf) return bytes.subarray(3)
  if (first === 0xff && second === 0xfe) return fromUtf16(Buffer.from(bytes.subarray(2)))
  if (first === 0xfe && second === 0xff) return fromUtf16(swapped(bytes.subarray(2)))
  return bytes
}

/** Shows lone surrogates and an odd last byte as U+FFFD. */
function fromUtf16(units: Buffer): Buffer {
  const text = units.toString('utf16le').toWellFormed()
  return Buffer.from(units.length % 2 === 0 ? text : `${text}\uFFFD`)
}

function swapped(units: Buffer): Buffer {
  const copy = Buffer.from(units)
  copy.subarray(0, copy.length - (copy.length % 2)).swap16()
  return copy
}
