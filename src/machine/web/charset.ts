import { TextDecoder } from 'node:util'
import type { Body } from './body.ts'

/** A body as text with its encoding; undefined if it is not text. */
interface Decoded {
  readonly text: string
  readonly encoding: string
  readonly warning?: string
}

const TEXT_TYPE =
  /^(text\/.*|application\/(.*\+)?(json|xml|yaml|toml)|application\/(x-)?(javascript|ecmascript|typescript|ndjson|jsonlines|yaml|sh|sql|httpd-php|tex|www-form-urlencoded)|application\/(graphql|rtf|xhtml\+xml|pgp-.*)|message\/.*|image\/svg\+xml)$/

/** Decodes a body as text: byte order mark, then the header, then the HTML or XML declaration, then UTF-8. */
export function decodeBody(
  { bytes, truncated }: Pick<Body, 'bytes' | 'truncated'>,
  contentType: string,
  header: string | undefined,
): Decoded | undefined {
  const markLabel = markOf(bytes)
  if (markLabel === undefined && !TEXT_TYPE.test(contentType) && !looksLikeText(bytes)) return undefined
  const label = markLabel ?? header ?? declaredIn(bytes, contentType)
  const decoder = label === undefined ? undefined : decoderOf(label)
  if (decoder) return { text: decode(decoder, bytes, truncated), encoding: decoder.encoding }
  // Old pages without a declaration are mostly Western; anything else without one is UTF-8.
  const fallback = /html/.test(contentType) && !isUtf8(bytes, truncated) ? 'windows-1252' : 'utf-8'
  return {
    text: decode(new TextDecoder(fallback), bytes, truncated),
    encoding: fallback,
    ...(label !== undefined && { warning: `The charset '${label.slice(0, 40)}' is not known; read as ${fallback}` }),
  }
}

/** Returns the type without parameters, and its charset. */
export function readContentType(header: string | undefined): { readonly type: string; readonly charset?: string } {
  const [first = '', ...parameters] = (header ?? '').slice(0, 500).split(';')
  const charset = parameters.map(text => /^\s*charset\s*=\s*"?([^\s";]+)/i.exec(text)?.[1]).find(Boolean)
  return { type: first.trim().toLowerCase(), ...(charset !== undefined && { charset }) }
}

/** Drops a character that the cut split. */
const decode = (decoder: TextDecoder, bytes: Buffer, isCut: boolean): string => decoder.decode(bytes, { stream: isCut })

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

function declaredIn(bytes: Buffer, contentType: string): string | undefined {
  if (!/html|xml/.test(contentType) && contentType !== '') return undefined
  const head = bytes.subarray(0, 1_024).toString('latin1')
  const label =
    /<meta[^>]{0,200}charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(head) ??
    /^<\?xml[^>]{0,100}encoding\s*=\s*["']([\w:.-]{1,40})/i.exec(head)
  // In real UTF-16 this label could not have been read.
  return label?.[1]?.toLowerCase().startsWith('utf-16') ? 'utf-8' : label?.[1]
}

function decoderOf(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}

const SNIFFED = 8_192

const looksLikeText = (bytes: Buffer): boolean => {
  const head = bytes.subarray(0, SNIFFED)
  return !head.includes(0) && !head.subarray(0, 5).equals(Buffer.from('%PDF-')) && isUtf8(head, true)
}

function isUtf8(bytes: Buffer, isCut: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
    return true
  } catch {
    return false
  }
}
