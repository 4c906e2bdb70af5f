import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

/** From a question to the process of a workspace until the last data before the next one, in µs of the clock that profiles have. */
export interface Wait {
  readonly from: number
  to: number
}

const CHANNEL = 'net.client.socket'
const RESIDENT = /\/src\/knowledge\/resident\//

/** Notes when this process waits for that of a workspace, on connections that are opened from now on. */
export function residentWaits(): Disposable & { readonly waits: readonly Wait[] } {
  const waits: Wait[] = []
  let isAnswered = true
  const asked = (): void => {
    if (!isAnswered) return
    const from = now()
    waits.push({ from, to: from })
    isAnswered = false
  }
  const answered = (): void => {
    const last = waits.at(-1)
    if (last) last.to = now()
    isAnswered = true
  }
  const watch = (message: unknown): void => {
    const { socket }: { socket: Socket } = Object(message)
    if (!RESIDENT.test(new Error('Who connects?').stack ?? '')) return
    // Connecting gives a socket its own way to write again.
    socket.once('connect', () => {
      const { write } = socket
      Object.assign(socket, {
        write(...given: unknown[]): unknown {
          asked()
          return Reflect.apply(write, socket, given)
        },
      })
    })
    socket.on('data', answered)
  }
  subscribe(CHANNEL, watch)
  return { waits, [Symbol.dispose]: () => void unsubscribe(CHANNEL, watch) }
}

const now = (): number => Number(process.hrtime.bigint()) / 1000
