import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import * as anthropic from './anthropic-messages.ts'
import * as openai from './openai-responses.ts'
import { nextStep, type Script } from './script.ts'

/** A fake of two model services on loopback: real protocols, and a script in place of a model. */
export interface FakeModel extends AsyncDisposable {
  readonly url: string
  /** The newest request of a conversation, as it came. */
  heard(): string
}

const PROTOCOLS = { '/v1/messages': anthropic, '/v1/responses': openai } as const

export async function startFakeModel(script: Script): Promise<FakeModel> {
  let [answers, heard] = [0, '']
  const server = createServer((request, response) => {
    const hear = (conversation: string) => void (heard = conversation)
    answer(request, response, script, `fake${++answers}`, hear).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The fake model has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    heard: () => heard,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  script: Script,
  id: string,
  hear: (conversation: string) => void,
): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://localhost').pathname
  const protocol = Object.entries(PROTOCOLS).find(([name]) => name === path)?.[1]
  if (request.method !== 'POST' || !protocol) return void response.writeHead(404).end('{}')
  const received = await text(request)
  const body = JSON.parse(received)
  const isConversation = protocol.isConversation(body)
  if (isConversation) hear(received)
  const step = isConversation ? nextStep(script, protocol.turnsOf(body)) : 'A title'
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of protocol.eventsOf(step, body, id))
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  response.end()
}
