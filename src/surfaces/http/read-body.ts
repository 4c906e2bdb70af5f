import type { IncomingMessage } from 'node:http'
import { parseOnce } from '../../kernel/duplicate-key.ts'
import { refuse } from './refusal.ts'

/** Reads a request's body as JSON. Returns the refusal if it is none, or larger than `most` bytes. */
export async function readBody(
  incoming: IncomingMessage,
  most: number,
): Promise<{ readonly value: unknown } | Response> {
  const { 'content-type': type = '', 'content-length': length, 'content-encoding': encoding } = incoming.headers
  const contentLength = length === undefined ? undefined : Number(length)
  if (contentLength === 0 || (contentLength === undefined && incoming.headers['transfer-encoding'] === undefined))
    return { value: undefined }
  // A form of another site can send any text, but not with this type.
  if (!/^application\/json *(;|$)/i.test(type))
    return refuse(415, { code: 'wrong_type', message: 'The body must be JSON, with Content-Type: application/json' })
  if (encoding !== undefined && encoding !== 'identity')
    return refuse(415, { code: 'wrong_type', message: 'The body must not be compressed' })
  if (contentLength !== undefined && contentLength > most) return tooLarge(most)
  const chunks: Buffer[] = []
  let size = 0
  try {
    // The answer needs the connection, which ending the loop would otherwise close.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      size += chunk.length
      if (size > most) return tooLarge(most)
      chunks.push(chunk)
    }
  } catch {
    return refuse(400, { code: 'broken_body', message: 'The connection ended within the body; nothing was done' })
  }
  const text = decodeText(Buffer.concat(chunks))
  if (text === undefined) return refuse(400, { code: 'invalid_input', message: 'The body is not UTF-8' })
  const { value, problem } = parseOnce(text)
  return problem === undefined ? { value } : refuse(400, { code: 'invalid_input', message: `The body ${problem}` })
}

const strict = new TextDecoder('utf-8', { fatal: true })

function decodeText(bytes: Buffer): string | undefined {
  try {
    return strict.decode(bytes)
  } catch {
    return undefined
  }
}

/** The rest of the body is not read, so the connection cannot be used again. */
const tooLarge = (most: number): Response =>
  refuse(413, { code: 'too_large', message: `The body has more than ${most} bytes` }, { Connection: 'close' })
