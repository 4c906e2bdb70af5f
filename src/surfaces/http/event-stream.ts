import { jsonLine } from '../../kernel/json-line.ts'

/** One server-sent event. */
export interface StreamedEvent {
  readonly event: string
  readonly data: unknown
  /** What a client sends as `Last-Event-ID` to go on after this event. */
  readonly id?: string
}

/** Comments keep proxies and clients from ending a quiet stream. */
const QUIET_MS = 15_000
/** A client that reads nothing must not fill the memory: its stream ends. */
const MOST_WAITING = 16 << 20

/**
 * Answers with events while `work` runs. The stream ends with it, when the client leaves, or with `signal`. A failure
 * of the work is the last event.
 */
export function eventStream(
  signal: AbortSignal,
  work: (send: (event: StreamedEvent) => void) => Promise<void>,
  failureEvent: (error: unknown) => StreamedEvent,
): Response {
  const encoder = new TextEncoder()
  let isOpen = true
  let waiting: NodeJS.Timeout | undefined
  let close = (): void => {}
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const put = (text: string): void => {
          if (!isOpen) return
          controller.enqueue(encoder.encode(text))
          if ((controller.desiredSize ?? 0) < -MOST_WAITING) close()
        }
        close = () => {
          if (!isOpen) return
          isOpen = false
          clearInterval(waiting)
          controller.close()
        }
        const send = ({ event, data, id }: StreamedEvent): void =>
          put(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${jsonLine(data)}\n\n`)
        waiting = setInterval(put, QUIET_MS, ': still here\n\n')
        // Sends the headers now.
        put(': open\n\n')
        if (signal.aborted) return close()
        signal.addEventListener('abort', () => setImmediate(close), { once: true })
        void work(send)
          .catch((error: unknown) => send(failureEvent(error)))
          .finally(close)
      },
      cancel() {
        isOpen = false
        clearInterval(waiting)
      },
    },
    { highWaterMark: 1, size: chunk => chunk?.byteLength ?? 0 },
  )
  return new Response(body, {
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}
