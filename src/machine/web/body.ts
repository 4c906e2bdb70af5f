import type { IncomingMessage } from 'node:http'
import { pipeline, Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw, createZstdDecompress } from 'node:zlib'
import { fetchFailure, reasonOf } from './web-error.ts'

export interface Body {
  readonly bytes: Buffer
  readonly truncated: boolean
  readonly warnings: readonly string[]
}

/** Reads and decompresses a body up to a size; the rest is neither decompressed nor stored. */
export async function readBody(
  response: IncomingMessage,
  maxBytes: number,
  origin: string,
  signal: AbortSignal,
): Promise<Body> {
  const chunks: Buffer[] = []
  let size = 0
  const give = (truncated: boolean, ...warnings: readonly string[]): Body => ({
    bytes: Buffer.concat(chunks).subarray(0, maxBytes),
    truncated,
    warnings,
  })
  const stop = () => void response.destroy()
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const chunk of unpackedBody(response, maxBytes, origin)) {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxBytes) return give(true, `Cut at ${maxBytes} bytes${announcedSize(response)}`)
    }
    return give(false)
  } catch (cause) {
    if (signal.aborted) throw signal.reason
    if (!isCutOff(cause) || size === 0) throw fetchFailure(reasonOf(cause), origin, cause)
    return give(true, `The connection ended after ${size} bytes${announcedSize(response)}`)
  } finally {
    signal.removeEventListener('abort', stop)
    response.destroy()
  }
}

/** Returns the size that the server announced, compressed or not, or undefined without a usable one. */
export function announcedBytes(response: IncomingMessage): number | undefined {
  const length = response.headers['content-length']
  return length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined
}

function announcedSize(response: IncomingMessage): string {
  const size = announcedBytes(response)
  return size === undefined ? '' : `; the server announced ${size}`
}

const MOST_CODINGS = 2

function unpackedBody(response: IncomingMessage, maxBytes: number, origin: string): AsyncIterable<Buffer> {
  const codings = (response.headers['content-encoding'] ?? '')
    .split(',')
    .map(word => word.trim().toLowerCase())
    .filter(word => word !== '' && word !== 'identity')
  if (codings.length === 0) return response
  if (codings.length > MOST_CODINGS) throw fetchFailure('the body is compressed too many times', origin)
  const limitedBody: Readable = pipeline(response, packedLimit(maxBytes), () => {})
  return codings
    .toReversed()
    .reduce<AsyncIterable<Buffer>>((packed, coding) => unpack(packed, coding, origin), limitedBody)
}

function unpack(packed: AsyncIterable<Buffer>, coding: string, origin: string): AsyncIterable<Buffer> {
  if (coding === 'deflate') return inflate(packed)
  const make = UNPACKERS.get(coding)
  if (!make) throw fetchFailure(`the body is compressed as '${coding.slice(0, 40)}', which is not known here`, origin)
  return pipeline(packed, make(), () => {})
}

const UNPACKERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['br', () => createBrotliDecompress()],
  ['zstd', () => createZstdDecompress()],
])

/** A compressed body that yields nothing for ever would pass a limit on the output. */
function packedLimit(maxBytes: number): Transform {
  const most = maxBytes + 65_536
  let packedBytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      packedBytes += chunk.length
      if (packedBytes > most) done(new Error('the compressed body is larger than the limit for its content'))
      else done(null, chunk)
    },
  })
}

/** Some servers mean zlib by deflate, others raw deflate: the first two bytes decide. */
async function* inflate(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const reader = packed[Symbol.asyncIterator]()
  let head = Buffer.alloc(0)
  while (head.length < 2) {
    const { value, done } = await reader.next()
    if (done) break
    head = Buffer.concat([head, value])
  }
  if (head.length === 0) return
  const isZlib = (head.readUInt8(0) & 0x0f) === 8 && head.length > 1 && head.readUInt16BE(0) % 31 === 0
  const rest = Readable.from(rejoin(head, reader))
  yield* pipeline(rest, isZlib ? createInflate() : createInflateRaw(), () => {})
}

async function* rejoin(head: Buffer, reader: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield head
  for (let next = await reader.next(); !next.done; next = await reader.next()) yield next.value
}

const isCutOff = (cause: unknown): boolean =>
  cause instanceof Error &&
  ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'Z_BUF_ERROR'].includes(String(Reflect.get(cause, 'code')))
