import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect as startTls, type TLSSocket } from 'node:tls'
import type { Target } from '../../kernel/target.ts'
import type { Network } from './network.ts'
import { fetchFailure, reasonOf } from './web-error.ts'

const ONE_ATTEMPT_MS = 5_000

/** Connects to the first of these addresses that responds, and to no other. */
export async function connectTo(
  network: Network,
  target: Target,
  addresses: readonly string[],
  signal: AbortSignal,
): Promise<Socket> {
  let last: unknown
  for (const [at, address] of addresses.entries()) {
    const isLast = at === addresses.length - 1
    const limit = isLast ? signal : AbortSignal.any([signal, AbortSignal.timeout(ONE_ATTEMPT_MS)])
    const socket = network.connect(address, target.port)
    try {
      await whenOpened(socket, 'connect', limit)
      return socket
    } catch (cause) {
      socket.destroy()
      if (signal.aborted) throw signal.reason
      last = cause
    }
  }
  throw fetchFailure(reasonOf(last), target.origin, last)
}

/** Starts TLS over a connection. The certificate must match the target's name, regardless of the environment. */
export async function secure(
  network: Network,
  target: Target,
  socket: Socket,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const tls = startTls({
    socket,
    host: target.host,
    ...(!target.isAddress && { servername: target.host }),
    ...(network.ca !== undefined && { ca: network.ca }),
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
  })
  try {
    await whenOpened(tls, 'secureConnect', signal)
    return tls
  } catch (cause) {
    tls.destroy()
    socket.destroy()
    if (signal.aborted) throw signal.reason
    throw fetchFailure(reasonOf(cause), target.origin, cause)
  }
}

async function whenOpened(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  await once(socket, event, { signal })
}
