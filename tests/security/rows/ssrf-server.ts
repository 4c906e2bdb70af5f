import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FakeWebOptions } from '../../../src/testing/fake-web.ts'

/** What a row's server says. */
export interface FakeResponse {
  readonly status?: number
  readonly location?: string
  readonly body?: string
  /** So many bytes instead of a body, made as they are read. */
  readonly body_bytes?: number
  readonly content_type?: string
  readonly content_encoding?: string
  readonly content_length?: number
  readonly gzip_bomb_ratio?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Silence before the answer. */
  readonly delay_ms?: number
  /** Silence between two bytes. */
  readonly drip_ms?: number
}

/** Answers as the row says; what it does not speak of is a page that says ok. */
export const answerWith =
  (responses: Readonly<Record<string, FakeResponse>>): FakeWebOptions['answer'] =>
  (url, _request, response) => {
    const known = Object.entries(responses).find(([key]) => URL.parse(key)?.href === url)?.[1] ?? { body: 'ok' }
    const { status = 200, location, content_type, content_encoding, content_length, delay_ms = 0 } = known
    setTimeout(() => {
      response.on('error', () => {})
      response.writeHead(status, {
        'content-type': content_type ?? 'text/plain',
        ...known.headers,
        ...(location !== undefined && { location }),
        ...(content_encoding !== undefined && { 'content-encoding': content_encoding }),
        ...(content_length !== undefined && { 'content-length': content_length }),
      })
      const body = Readable.from(bodyOf(known)).on('error', () => {})
      const packed = content_encoding === 'gzip' ? body.pipe(createGzip()) : body
      response.on('close', () => body.destroy())
      packed.pipe(response)
    }, delay_ms).unref()
  }

const BLOCK = Buffer.alloc(65_536, 'a')

async function* bodyOf({ body = '', body_bytes, drip_ms }: FakeResponse): AsyncGenerator<Buffer> {
  if (drip_ms !== undefined)
    for (const byte of Buffer.from(body === '' ? BLOCK : body)) {
      await new Promise(resolve => setTimeout(resolve, drip_ms).unref())
      yield Buffer.of(byte)
    }
  else if (body_bytes === undefined) yield Buffer.from(body)
  else for (let left = body_bytes; left > 0; left -= BLOCK.length) yield BLOCK.subarray(0, Math.min(left, BLOCK.length))
}
