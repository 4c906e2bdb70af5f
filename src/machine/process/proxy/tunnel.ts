import { STATUS_CODES, type IncomingMessage } from 'node:http'
import { Transform, type Duplex } from 'node:stream'
import type { Tally } from './tally.ts'
import type { ProxyLimits, ProxyOptions } from './types.ts'
import { connectUpstream } from './upstream.ts'
import type { Target } from '../../../kernel/target.ts'
import { readServerName } from './server-name.ts'

/** Handles CONNECT: carries bytes both ways to a judged host without reading the content. */
export async function openTunnel(
  options: ProxyOptions & { readonly limits: ProxyLimits },
  tally: Tally,
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
): Promise<void> {
  client.on('error', () => client.destroy())
  const authority = request.url ?? ''
  // Only a host and a port: no path, and no user name before an @.
  const url = /^[^\s/?#@\\]+:\d{1,5}$/.test(authority) ? `https://${authority}` : `connect:${authority}`
  const way = await connectUpstream(options, 'CONNECT', url, options.limits.connectMs)
  if (!way.socket) return refuseTunnel(client, way.status, way.why)
  const { socket, target } = way
  if (client.destroyed) return void socket.destroy()
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
  if (head.length > 0) client.unshift(head)
  const { origin } = target
  const refuse = (name: string) =>
    options.decided?.({ method: 'CONNECT', origin, allowed: false, why: `TLS for another name: ${name.slice(0, 253)}` })
  tally.join(client, socket, nameGuard(target, refuse))
}

/** Sends a readable refusal, for the person who reads the command's output. */
export function refuseTunnel(client: Duplex, status: number, why: string): void {
  const body = sentence(why)
  const length = Buffer.byteLength(body)
  client.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${body}`,
  )
}

export const sentence = (why: string): string => `Toolwright: ${why}\n`

/**
 * Restricts a TLS client to the host that it requested from the proxy. Otherwise the name in its hello could reach any
 * host at a shared address. `refuse` receives the other name.
 */
function nameGuard({ host, isAddress }: Target, refuse: (name: string) => void): Transform {
  let hello: Buffer | undefined = Buffer.alloc(0)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (hello === undefined) return done(null, chunk)
      hello = Buffer.concat([hello, chunk])
      const serverName = readServerName(hello)
      if (serverName === 'more') return done()
      const bytes = hello
      hello = undefined
      if (serverName === 'none' || (!isAddress && serverName.name.toLowerCase().replace(/\.$/, '') === host))
        return done(null, bytes)
      refuse(serverName.name)
      done(new Error('TLS for another name'))
    },
    flush(done) {
      done(null, hello)
    },
  })
}
