/**
 * What ripgrep searches of a file: without its byte order mark, and in UTF-8 where that says UTF-16. Undefined if
 * it takes the file for binary, so that no line of it is found.
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

/** Halves of a character, and a last byte by itself, are shown as U+FFFD. */
function fromUtf16(units: Buffer): Buffer {
  const text = units.toString('utf16le').toWellFormed()
  return Buffer.from(units.length % 2 === 0 ? text : `${text}\uFFFD`)
}

function swapped(units: Buffer): Buffer {
  const copy = Buffer.from(units)
  copy.subarray(0, copy.length - (copy.length % 2)).swap16()
  return copy
}
