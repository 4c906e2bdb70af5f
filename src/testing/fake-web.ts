import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, createServer as createTcp, type Server, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import type { Network } from '../machine/web/network.ts'
import { selfSigned } from './certificate.ts'

/**
 * The answer of a fake name server: addresses, each answer in turn (the last one repeats), an alias, or nothing for a
 * while.
 */
export type FakeName =
  | readonly string[]
  | {
      readonly sequence?: readonly (readonly string[])[]
      readonly cname?: string
      readonly addresses?: readonly string[]
      readonly delay_ms?: number
    }

/** The names, certificates and answers of a fake web. */
export interface FakeWebOptions {
  /** Names that are not listed do not exist; without a list, every name is at one public address. */
  readonly dns?: Readonly<Record<string, FakeName>>
  /** The hosts that its certificate covers. */
  readonly hosts: readonly string[]
  /** Answers a request; `url` is what the client requested. */
  readonly answer: (url: string, request: IncomingMessage, response: ServerResponse) => void
}

/** A fake web: pass its `network` to a session. */
export interface FakeWeb extends AsyncDisposable {
  readonly network: Network
  /** Every connection that was opened, as the client sees it. */
  readonly connections: { readonly address: string; readonly port: number }[]
  readonly requests: { readonly url: string; readonly method: string; readonly headers: IncomingMessage['headers'] }[]
}

const SOMEWHERE = ['93.184.216.34']

/** Opens a fake web: real HTTP and TLS over loopback, at any addresses that the fake name server returns. */
export async function fakeWeb({ dns, hosts, answer }: FakeWebOptions): Promise<FakeWeb> {
  const { cert, key } = selfSigned(hosts)
  const connections: FakeWeb['connections'] = []
  const requests: FakeWeb['requests'] = []
  const sockets = new Set<Socket>()
  const serve: RequestListener = (request, response) => {
    const scheme = request.socket instanceof TLSSocket ? 'https' : 'http'
    const url = new URL(request.url ?? '/', `${scheme}://${request.headers.host}`).href
    requests.push({ url, method: request.method ?? '', headers: request.headers })
    answer(url, request, response)
  }
  const http = createServer(serve)
  const https = createSecureServer({ cert, key }, serve).on('tlsClientError', () => {})
  const [plain, secure] = [await listen(http), await listen(https)]
  const front = createTcp(socket => {
    socket.once('data', first => {
      // The first byte of a TLS handshake.
      const back = connect(first[0] === 22 ? secure : plain, '127.0.0.1')
      back.write(first)
      for (const [one, other] of [
        [socket, back],
        [back, socket],
      ] as const) {
        sockets.add(one.on('error', () => other.destroy()).on('close', () => other.destroy()))
        one.pipe(other)
      }
    })
  })
  const real = await listen(front)
  return {
    connections,
    requests,
    network: {
      ca: cert,
      lookup: dns ? fakeNames(dns) : async () => SOMEWHERE,
      connect(address, port) {
        connections.push({ address, port })
        return connect(real, '127.0.0.1')
      },
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      for (const server of [front, http, https]) await new Promise(resolve => server.close(resolve))
    },
  }
}

const listen = (server: Server): Promise<number> =>
  new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })

/** Opens a fake web of plain pages. */
export const fakePages = (pages: Readonly<Record<string, string>>): Promise<FakeWeb> =>
  fakeWeb({
    hosts: [...new Set(Object.keys(pages).map(url => new URL(url).hostname))],
    answer(url, _request, response) {
      const page = pages[url]
      if (page === undefined) response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such page')
      else response.writeHead(200, { 'content-type': page.startsWith('<') ? 'text/html' : 'text/plain' }).end(page)
    },
  })

function fakeNames(dns: Readonly<Record<string, FakeName>>): Network['lookup'] {
  const lookupCounts = new Map<string, number>()
  const find = async (name: string): Promise<readonly string[]> => {
    const entry = Object.hasOwn(dns, name) ? dns[name] : undefined
    if (entry === undefined) throw Object.assign(new Error(`no such host: ${name}`), { code: 'ENOTFOUND' })
    if (Array.isArray(entry)) return entry
    const { sequence, cname, addresses, delay_ms } = entry as Exclude<FakeName, readonly string[]>
    if (delay_ms !== undefined) await setTimeout(delay_ms, undefined, { ref: false })
    if (cname !== undefined) return cname === 'localhost' ? ['127.0.0.1', '::1'] : find(cname)
    const turn = lookupCounts.get(name) ?? 0
    lookupCounts.set(name, turn + 1)
    return (sequence ? (sequence[turn] ?? sequence.at(-1)) : addresses) ?? []
  }
  return find
}
