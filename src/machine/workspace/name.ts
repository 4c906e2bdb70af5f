import { isUtf8 } from 'node:buffer'

/**
 * Decodes a file name. Bytes that are not UTF-8 become lone surrogates U+DC80..U+DCFF, one for each byte, so that every
 * name has exactly one spelling and converts back byte for byte.
 */
export function nameFromBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  let text = ''
  for (let at = 0; at < bytes.length;) {
    const length = sequenceAt(bytes, at)
    text += length === 0 ? String.fromCharCode(0xdc00 + (bytes[at] ?? 0)) : bytes.toString('utf8', at, at + length)
    at += length === 0 ? 1 : length
  }
  return text
}

/** Returns the bytes of a name on disk, or undefined if the text is not a result of `nameFromBytes`. */
export function nameToBytes(name: string): Buffer | undefined {
  if (name.isWellFormed()) return Buffer.from(name)
  const parts: Buffer[] = []
  for (const character of name) {
    const code = character.charCodeAt(0)
    const lone = character.length === 1 && code >= 0xd800 && code <= 0xdfff
    if (lone && (code < 0xdc80 || code > 0xdcff)) return undefined
    parts.push(lone ? Buffer.of(code - 0xdc00) : Buffer.from(character))
  }
  const bytes = Buffer.concat(parts)
  // Escaped bytes that form valid UTF-8 would be a second spelling of the same name.
  return nameFromBytes(bytes) === name ? bytes : undefined
}

/** Returns the length of the UTF-8 sequence that starts here, or 0. */
function sequenceAt(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0
  const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
  return length > 0 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0
}

/** Converts a name from `parsePath` or a listing for system calls. */
export const onDisk = (name: string): string | Buffer => (name.isWellFormed() ? name : (nameToBytes(name) ?? name))
