import { signal } from '@preact/signals'
import { openEvents } from '../api/events.ts'
import { Refused } from '../api/request.ts'

/** How the connection to the server is. */
export type Connection =
  | { readonly state: 'connecting' }
  | { readonly state: 'live' }
  | { readonly state: 'reconnecting'; readonly at: number }
  | { readonly state: 'offline'; readonly since: number }

export const connection = signal<Connection>({ state: 'connecting' })

/** After this long without the server, what is shown is called stale. */
const OFFLINE_MS = 15_000
const LONGEST_PAUSE_MS = 8_000

interface Listeners {
  /** The stream is open: whatever is shown is loaded again. */
  readonly onOpen: () => Promise<void>
  readonly onEvent: (name: string, data: unknown) => void
  /** The session of this tab is over. */
  readonly onEnd: (error: Refused) => void
}

/** Follows the events of the workspace until the tab is closed, through restarts of the server. */
export async function follow({ onOpen, onEvent, onEnd }: Listeners): Promise<void> {
  let lostAt: number | undefined
  let lastId: string | undefined
  for (let pause = 500; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    const leaving = new AbortController()
    try {
      const events = await openEvents('/v1/events', { query: { form: 'row' }, signal: leaving.signal, after: lastId })
      await onOpen()
      connection.value = { state: 'live' }
      lostAt = undefined
      pause = 500
      for await (const { id, name, data } of events) {
        lastId = id ?? lastId
        onEvent(name, data)
      }
    } catch (error) {
      if (error instanceof Refused && error.status === 401) return onEnd(error)
      // Another journal has other numbers.
      if (error instanceof Refused && error.status === 400) lastId = undefined
    } finally {
      leaving.abort()
    }
    lostAt ??= Date.now()
    const isLong = Date.now() - lostAt >= OFFLINE_MS
    connection.value = isLong ? { state: 'offline', since: lostAt } : { state: 'reconnecting', at: Date.now() + pause }
    await new Promise(resolve => setTimeout(resolve, pause))
  }
}
