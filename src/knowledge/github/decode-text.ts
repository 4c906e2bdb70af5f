import { characterStart } from '../../machine/text/cut-place.ts'
import { detectEncoding, isBinary, markOf, tryDecode } from '../../machine/text/encoding.ts'

/** The text of a file's bytes, cut after so many of them and never inside a character; undefined if they are no text. */
export function decodeText(bytes: Buffer, truncateAt = Infinity): string | undefined {
  const detected = detectEncoding(bytes)
  if (isBinary(bytes, detected)) return undefined
  const { encoding, bom } = detected
  const end = bytes.length > truncateAt ? characterStart(bytes, truncateAt, encoding) : bytes.length
  const text = bytes.subarray(bom ? markOf(encoding).length : 0, end)
  // What is no valid UTF-8 and holds no NUL was written in some older encoding: nearly always readable as Latin-1.
  return tryDecode(text, encoding) ?? tryDecode(text, 'latin-1')
}
