import {
  binary,
  decode,
  detectEncoding,
  encode,
  isBinary,
  markOf,
  tryDecode,
  type RequestedEncoding,
  type Detected,
} from './encoding.ts'

/** A whole file as text that converts back to the same bytes. */
export interface FileText extends Detected {
  readonly text: string
  /** The bytes are not UTF-8 and no encoding was given: read as Latin-1, so that every byte survives. */
  readonly guessed?: true
}

/**
 * Returns a file's text for an edit. Reads bytes that are not UTF-8 as Latin-1, which preserves them. Refuses data with
 * `binary`.
 */
export function textOf(path: string, bytes: Buffer, requestedEncoding?: RequestedEncoding): FileText {
  const encodingFound = detectEncoding(bytes, requestedEncoding)
  if (isBinary(bytes, encodingFound)) throw binary(path)
  const body = encodingFound.bom ? bytes.subarray(markOf(encodingFound.encoding).length) : bytes
  const text = tryDecode(body, encodingFound.encoding)
  if (text !== undefined) return { ...encodingFound, text }
  if (requestedEncoding === undefined && encodingFound.encoding === 'utf-8' && !encodingFound.bom)
    return { encoding: 'latin-1', bom: false, text: decode(bytes, 'latin-1'), guessed: true }
  return { ...encodingFound, text: decode(body, encodingFound.encoding) }
}

/** Encodes a file's text in its encoding and with its mark. */
export function bytesOf(text: string, { encoding, bom }: Detected): Buffer {
  const body = encode(text, encoding)
  return bom ? Buffer.concat([markOf(encoding), body]) : body
}

/**
 * Reports whether a character above ASCII may go into a file with a guessed encoding. It may not if parts read as
 * UTF-8: then the file is more likely damaged UTF-8 than Latin-1.
 */
export const isSingleByte = ({ text }: FileText): boolean => !MULTI_BYTE.test(text)

/** A two, three or four byte sequence of UTF-8, read as Latin-1. */
const MULTI_BYTE = /[\u00c2-\u00df][\u0080-\u00bf]|[\u00e0-\u00ef][\u0080-\u00bf]{2}|[\u00f0-\u00f4][\u0080-\u00bf]{3}/
