import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, request as startRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createTally, type Tally } from './tally.ts'
import { openTunnel, refuseTunnel, sentence } from './tunnel.ts'
import type { Proxy, ProxyLimits, ProxyOptions } from './types.ts'
import { connectUpstream } from './upstream.ts'

/** Hop-by-hop headers, in either direction. */
const OWN = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer upgrade host'.split(' '),
)

/** Forwards a plain request with an absolute URL to the judged host, under its own name. */
async function forward(
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

const LIMITS: ProxyLimits = { connections: 64, bytes: 4 * 1024 ** 3, connectMs: 15_000, idleMs: 300_000 }
/** Maximum length of a socket's address on known systems, with a margin. */
const LONGEST_PATH = 100

/** Starts the proxy of one command on a unix socket that only its owner can reach. */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const limits = { ...LIMITS, ...options.limits }
  const limitedOptions = { ...options, limits }
  const tally = createTally(limits)
  const sockets = new Set<Socket>()
  const server = createServer({ requestTimeout: 0 })
  server.maxConnections = limits.connections
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
  })
  server.on(
    'connect',
    (request, client, head) =>
      void openTunnel(limitedOptions, tally, request, client, head).catch(() => client.destroy()),
  )
  server.on(
    'request',
    (request, response) => void forward(limitedOptions, tally, request, response).catch(() => response.destroy()),
  )
  server.on('upgrade', (_request, client) => refuseTunnel(client, 403, 'this proxy does not change protocols'))
  server.on('clientError', (_error, client) => void client.destroy())

  const { directory, socket } = privatePlace(options)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    // Private from the moment it is created.
    const mask = withoutThread(() => process.umask(0o177))
    server.listen(socket, () => resolve())
    if (mask !== undefined) process.umask(mask)
  })
  chmodSync(socket, 0o600)
  if (options.owner) chownSync(socket, options.owner.uid, options.owner.gid)
  return {
    socket,
    async close() {
      const serverEnd = new Promise(resolve => void server.close(resolve))
      for (const open of sockets) open.destroy()
      await serverEnd
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function privatePlace({ directory: parent, owner }: ProxyOptions): { directory: string; socket: string } {
  const isLong = join(parent, 'proxy-XXXXXX', 's').length > LONGEST_PATH
  const directory = mkdtempSync(join(isLong ? tmpdir() : parent, isLong ? 'toolwright-proxy-' : 'proxy-'))
  if (owner) chownSync(directory, owner.uid, owner.gid)
  return { directory, socket: join(directory, 's') }
}

/** A worker thread may not set the mask; the directory is private anyway. */
function withoutThread<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
