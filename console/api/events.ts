import { send, withQuery } from './request.ts'

export interface StreamEvent {
  readonly id: string | undefined
  readonly name: string
  readonly data: unknown
}

interface EventsRequest {
  readonly signal: AbortSignal
  /** The id of the last event that was seen. */
  readonly after?: string | undefined
  readonly body?: object
  readonly query?: Readonly<Record<string, string>>
}

/** Opens a stream of events, with the token that an `EventSource` could not send. */
export async function openEvents(
  path: string,
  { signal, after, body, query }: EventsRequest,
): Promise<AsyncGenerator<StreamEvent>> {
  const headers = { accept: 'text/event-stream', ...(after !== undefined && { 'last-event-id': after }) }
  const response = body
    ? await send('POST', path, { signal, headers, body })
    : await send('GET', withQuery(path, query), { signal, headers })
  if (!response.body) throw new TypeError('The stream has no content')
  return eventsOf(response.body)
}

async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const events = (rest + value).split('\n\n')
    rest = events.pop() ?? ''
    for (const text of events) {
      const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1]
      const name = field('event')
      if (name !== undefined) yield { id: field('id'), name, data: parse(field('data') ?? 'null') }
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
