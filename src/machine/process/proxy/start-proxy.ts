import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forward } from './forward.ts'
import { createTally } from './tally.ts'
import { openTunnel, refuseTunnel } from './tunnel.ts'
import type { Proxy, ProxyLimits, ProxyOptions } from './types.ts'

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
