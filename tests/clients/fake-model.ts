import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import * as anthropic from './anthropic-messages.ts'
import * as gemini from './gemini.ts'
import * as chat from './openai-chat.ts'
import * as openai from './openai-responses.ts'
import { answerOf, nextStep, type Script, type Step, type Usage } from './script.ts'

/** A fake of the model services on loopback: real protocols, and a script in place of a model. */
export interface FakeModel extends AsyncDisposable {
  readonly url: string
  /** The newest request of a conversation, as it came. */
  heard(): string
  /** Every request of a conversation, as it came. */
  requests(): readonly string[]
  /** All tokens that were counted, of broken answers too. */
  counted(): number
}

interface FakeOptions {
  /** Returns what an answer costs; a thousand tokens and ten by default. */
  readonly usage?: (request: string, step: Step, mostOutput: number | undefined) => Usage
}

const PROTOCOLS = [
  { path: /^\/v1\/messages$/, protocol: anthropic },
  { path: /^\/v1\/responses$/, protocol: openai },
  { path: /^\/v1\/chat\/completions$/, protocol: chat },
  { path: /^\/v1(?:beta)?\/models\/[^/]+:streamGenerateContent$/, protocol: gemini },
] as const

const USUAL: Usage = { input: 1000, output: 10 }

/** Starts the service. A script may also be a function of each request, as it came. */
export async function startFakeModel(
  script: Script | ((request: string) => Step),
  { usage = () => USUAL }: FakeOptions = {},
): Promise<FakeModel> {
  const requests: string[] = []
  const served = new Map<string, number>()
  let [answers, tokens] = [0, 0]
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The fake model has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    heard: () => requests.at(-1) ?? '',
    requests: () => requests,
    counted: () => tokens,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const protocol = PROTOCOLS.find(each => each.path.test(path))?.protocol
    if (request.method !== 'POST' || !protocol) return void response.writeHead(404).end('{}')
    const received = await text(request)
    const body = JSON.parse(received)
    const isConversation = protocol.isConversation(body)
    if (isConversation) requests.push(received)
    const step = !isConversation
      ? 'A title'
      : typeof script === 'function'
        ? script(received)
        : nextStep(script, protocol.turnsOf(body))
    const { failures = [], breaks = 0 } = answerOf(step)
    // What fails is told apart by what was asked: the same request comes again.
    const tries = served.get(received) ?? 0
    served.set(received, tries + 1)
    const failure = failures[tries]
    if (failure) {
      const { status, message = 'The service is busy', headers = {} } = failure
      const error = JSON.stringify({ type: 'error', error: { type: 'error', message, code: status, status: 'ERROR' } })
      return void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(error)
    }
    const cost = usage(received, step, mostOutputIn(body))
    tokens += cost.input + cost.output
    const events = protocol.eventsOf(step, body, `fake${++answers}`, cost)
    const isBroken = tries - failures.length < breaks
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of isBroken ? events.slice(0, Math.ceil(events.length / 2)) : events)
      response.write(`${event.type === undefined ? '' : `event: ${event.type}\n`}data: ${JSON.stringify(event)}\n\n`)
    if (!isBroken) return void response.end(protocol === chat ? 'data: [DONE]\n\n' : '')
    // What was written arrives before the connection is gone.
    setTimeout(() => response.destroy(), 20)
  }
}

/** The most output tokens that a request allows. */
function mostOutputIn(body: Readonly<Record<string, unknown>>): number | undefined {
  const { maxOutputTokens } = Object(body['generationConfig'])
  const most = body['max_tokens'] ?? body['max_completion_tokens'] ?? body['max_output_tokens'] ?? maxOutputTokens
  return typeof most === 'number' ? most : undefined
}
