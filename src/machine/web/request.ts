import { request as startRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { ToolError } from '../../kernel/error.ts'
import type { Target } from '../../kernel/target.ts'
import { fetchFailure, reasonOf } from './web-error.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'

/** Headers that the caller may not set: they belong to the connection, not to the page. */
const OWN =
  /^(host|connection|content-length|transfer-encoding|upgrade|te|trailer|expect|keep-alive|accept-encoding|proxy-.*)$/i

const DEFAULTS = {
  'user-agent': 'toolwright',
  accept: 'text/markdown, text/html;q=0.9, text/plain;q=0.9, application/json;q=0.8, */*;q=0.5',
}

/** Validates the headers of a request. Throws `invalid_input` naming one that cannot be sent. */
export function headersOf(requestHeaders: Readonly<Record<string, string>> = {}): Record<string, string> {
  const headers: Record<string, string> = { ...DEFAULTS }
  for (const [name, value] of Object.entries(requestHeaders)) {
    if (!/^[\w!#$%&'*+.^`|~-]{1,200}$/.test(name) || OWN.test(name)) throw unsendable(name)
    // oxlint-disable-next-line no-control-regex
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) throw unsendable(name)
    headers[name.toLowerCase()] = value
  }
  return headers
}

/** Sends one request, with a body of JSON if given, over an open connection. Returns the response as soon as its header has arrived. */
export function sendRequest(
  socket: Socket,
  target: Target,
  method: Method,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
  body?: string,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const stop = () => void socket.destroy()
    const url = new URL(target.href)
    const request = startRequest({
      createConnection: () => socket,
      method,
      path: `${url.pathname}${url.search}`,
      setHost: false,
      headers: {
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        host: target.origin.slice(target.protocol.length + 2),
        'accept-encoding': 'gzip, deflate, br, zstd',
        connection: 'close',
      },
    })
    request.on('response', resolve)
    request.on('error', cause =>
      reject(signal.aborted ? signal.reason : fetchFailure(reasonOf(cause), target.origin, cause)),
    )
    request.on('upgrade', () => {
      stop()
      reject(fetchFailure('the server changed the protocol', target.origin))
    })
    request.on('close', () => signal.removeEventListener('abort', stop))
    signal.addEventListener('abort', stop, { once: true })
    request.end(body)
  })
}

const unsendable = (name: string): ToolError =>
  new ToolError('invalid_input', `The header '${name.slice(0, 60)}' cannot be sent`, {
    hint: 'Give headers of the page, such as Accept or Authorization, without line breaks; the connection sets its own',
  })
