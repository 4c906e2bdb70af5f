import {
  binary,
  decode,
  detectEncoding,
  encode,
  isBinary,
  markOf,
  tryDecode,
  type AskedEncoding,
  type Detected,
} from './encoding.ts'

/** A whole file as text that goes back to the very same bytes. */
export interface FileText extends Detected {
  readonly text: string
  /** The bytes are not UTF-8 and nobody said what they are: read one to one, so that every byte survives. */
  readonly guessed?: true
}

/**
 * The text of a file that is to be edited. Bytes that are no UTF-8 are taken one to one as Latin-1, which keeps them;
 * what is data rather than text is refused with `binary`.
 */
export function textOf(path: string, bytes: Buffer, asked?: AskedEncoding): FileText {
  const detected = detectEncoding(bytes, asked)
  if (isBinary(bytes, detected)) throw binary(path)
  const body = detected.bom ? bytes.subarray(markOf(detected.encoding).length) : bytes
  const text = tryDecode(body, detected.encoding)
  if (text !== undefined) return { ...detected, text }
  if (asked === undefined && detected.encoding === 'utf-8' && !detected.bom)
    return { encoding: 'latin-1', bom: false, text: decode(bytes, 'latin-1'), guessed: true }
  return { ...detected, text: decode(body, detected.encoding) }
}

/** The bytes of a file's text in the encoding and with the mark that it has. */
export function bytesOf(text: string, { encoding, bom }: Detected): Buffer {
  const body = encode(text, encoding)
  return bom ? Buffer.concat([markOf(encoding), body]) : body
}

/**
 * Whether a new character above ASCII may go into a file whose encoding was guessed: not where parts of it read as
 * UTF-8, for then it is more likely a damaged UTF-8 file than a Latin-1 one.
 */
export const isSingleByte = ({ text }: FileText): boolean => !MULTI_BYTE.test(text)

/** A two, three or four byte sequence of UTF-8, seen through Latin-1. */
const MULTI_BYTE = /[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}|[\u00f0-\u00f4][\u0080-\u00bf]{3}/
