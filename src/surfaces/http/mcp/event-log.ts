import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'

/** What a session's client may have missed of its streams, newest last. */
interface EventLog extends EventStore {
  getStreamIdForEventId(eventId: string): Promise<string | undefined>
}

/** A client that was away longer than this many characters of answers has to call again. */
const MOST_CHARACTERS = 1 << 20

interface StoredEvent {
  readonly stream: string
  readonly message: JSONRPCMessage
  readonly size: number
}

/** Keeps the last events of one session, so that a client whose connection broke gets the rest. */
export function createEventLog(most: number = MOST_CHARACTERS): EventLog {
  const events = new Map<string, StoredEvent>()
  let [count, size] = [0, 0]
  const drop = (id: string, event: StoredEvent): void => {
    events.delete(id)
    size -= event.size
  }
  return {
    async storeEvent(stream, message) {
      const id = `${stream}_${++count}`
      const event = { stream, message, size: JSON.stringify(message).length }
      events.set(id, event)
      size += event.size
      for (const [oldId, old] of events) {
        if (size <= most || oldId === id) break
        drop(oldId, old)
      }
      return id
    },
    getStreamIdForEventId: async id => events.get(id)?.stream,
    async replayEventsAfter(last, { send }) {
      const stream = events.get(last)?.stream
      if (stream === undefined) throw new Error(`The event ${last} is not stored`)
      let isLater = false
      for (const [id, event] of events) {
        // The first event of a stream carries no message.
        if (isLater && event.stream === stream && 'jsonrpc' in event.message) await send(id, event.message)
        isLater ||= id === last
      }
      return stream
    },
  }
}
