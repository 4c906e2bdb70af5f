import { request as startRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import type { Tally } from './tally.ts'
import { sentence } from './tunnel.ts'
import type { ProxyLimits, ProxyOptions } from './types.ts'
import { connectUpstream } from './upstream.ts'

/** Hop-by-hop headers, in either direction. */
const OWN = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer upgrade host'.split(' '),
)

/** Forwards a plain request with an absolute URL to the judged host, under its own name. */
export async function forward(
  options: ProxyOptions & { readonly limits: ProxyLimits },
  tally: Tally,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { url = '', method = 'GET' } = request
  if (!/^http:\/\//i.test(url)) {
    options.decided?.({ method, origin: url.slice(0, 200), allowed: false, why: 'no URL of a host' })
    return say(response, 403, 'this is a proxy: ask it for a whole http:// URL, or to CONNECT for https')
  }
  const way = await connectUpstream(options, method, url, options.limits.connectMs)
  if (!way.socket) return say(response, way.status, way.why)
  const { socket, target } = way
  if (response.destroyed) return void socket.destroy()
  const { pathname, search } = new URL(target.href)
  const outgoing = startRequest({
    createConnection: () => socket.setTimeout(options.limits.idleMs, () => socket.destroy()),
    method,
    path: `${pathname}${search}`,
    setHost: false,
    headers: { ...forwardedHeaders(request.headers), host: target.origin.slice('http://'.length), connection: 'close' },
  })
  response.on('close', () => socket.destroy())
  outgoing.on('error', cause => say(response, 502, `${target.host} did not answer: ${cause.message}`))
  outgoing.on('response', answer => {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, forwardedHeaders(answer.headers))
    pipeline(answer, tally.counter(), response, () => socket.destroy())
  })
  pipeline(request, tally.counter(), outgoing, error => error && socket.destroy())
}

function forwardedHeaders(headers: IncomingMessage['headers']): IncomingMessage['headers'] {
  const connectionHeaders = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/)
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !OWN.has(name) && !connectionHeaders.includes(name)),
  )
}

function say(response: ServerResponse, status: number, why: string): void {
  if (response.headersSent) return void response.destroy()
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(sentence(why))
}
