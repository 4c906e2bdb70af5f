import { characterStart } from '../../machine/text/cut-place.ts'
import { detectEncoding, isBinary, markOf, tryDecode } from '../../machine/text/encoding.ts'

/** Decodes a file's bytes, cut after a limit and never inside a character. Returns undefined if they are not text. */
export function decodeText(bytes: Buffer, truncateAt = Infinity): string | undefined {
  const detection = detectEncoding(bytes)
  if (isBinary(bytes, detection)) return undefined
  const { encoding, bom } = detection
  const end = bytes.length > truncateAt ? characterStart(bytes, truncateAt, encoding) : bytes.length
  const text = bytes.subarray(bom ? markOf(encoding).length : 0, end)
  // Invalid UTF-8 without a NUL comes from an older encoding, nearly always readable as Latin-1.
  return tryDecode(text, encoding) ?? tryDecode(text, 'latin-1')
}
