import { chmodSync, unlinkSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import type { AskOptions } from '../kernel/ask-options.ts'
import { answerClient } from './answer-client.ts'
import type { Build } from './own-build.ts'
import { addressOf, type Place } from './place.ts'
import { callNamed } from './remote.ts'
import { unfinishedFrames } from './unfinished-frames.ts'

export interface Served {
  clients(): number
  /** Stops listening, waits briefly for open requests, and ends every connection. */
  close(): Promise<void>
}

interface ServeOptions {
  readonly place: Pick<Place, 'directory' | 'socket'>
  readonly build: Build
  /** The user whose ignore files apply to the answers. */
  readonly user?: string
  /** The methods that clients can call, and groups of them. */
  readonly answers: object
  /** Called when the last client leaves or a first one connects. */
  onClients(count: number): void
  onLeave(): void
}

const MOST_CLIENTS = 256
const GRACE_MS = 500

/** Listens at the place. The caller holds its lock, so a socket there was left by a dead process. */
export async function serve({ place, build, user, answers, onClients, onLeave }: ServeOptions): Promise<Served> {
  const sockets = new Set<Socket>()
  const frames = unfinishedFrames()
  const answer = (method: string, question: unknown, options: AskOptions) =>
    callNamed(answers, method, question, options)
  const server = createServer(socket => {
    sockets.add(socket)
    onClients(sockets.size)
    socket.on('close', () => {
      sockets.delete(socket)
      onClients(sockets.size)
    })
    // The client that asks us to end counts too.
    answerClient(socket, { build, user, answer, unfinished: frames, leave: () => sockets.size <= 1 && onLeave() })
  })
  server.maxConnections = MOST_CLIENTS
  const address = addressOf(place.directory, place.socket)
  try {
    unlinkSync(address.path)
  } catch {}
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    // Until the next line, only the directory's mode keeps other users out, which suffices.
    server.listen(address.path, resolve)
    chmodSync(address.path, 0o600)
  })
  return {
    clients: () => sockets.size,
    async close() {
      const serverClosed = new Promise(resolve => server.close(resolve))
      for (const socket of sockets) socket.end()
      const timer = setTimeout(() => sockets.forEach(socket => socket.destroy()), GRACE_MS)
      await serverClosed
      clearTimeout(timer)
      address.release()
    },
  }
}
