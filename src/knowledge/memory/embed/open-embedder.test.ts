import { symlinkSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import type { Egress } from '../../../kernel/egress.ts'
import { fakeWeb } from '../../../testing/fake-web.ts'
import { temporaryWorkspace } from '../../../testing/temporary-workspace.ts'
import { memoryFailure } from '../failure.ts'
import { openEmbedder, type EmbedderChoice } from './open-embedder.ts'

const never = new AbortController().signal
const open: Egress = { verdict: () => 'allow', refuses: () => undefined }
const openai: EmbedderChoice = { openai: { url: 'https://models.example/v1/', model: 'small', key: '$ENV.KEY' } }
const ollama: EmbedderChoice = { ollama: { url: 'http://models.example:11434', model: 'nomic' } }

type Answer = (body: { readonly model: string; readonly input: readonly string[] }, response: ServerResponse) => void

const server = (answer: Answer) =>
  fakeWeb({
    hosts: ['models.example'],
    answer: (_url, request: IncomingMessage, response) =>
      void text(request).then(body => answer(JSON.parse(body), response)),
  })

const opened = (choice: EmbedderChoice, network: Awaited<ReturnType<typeof server>>['network'], egress = open) =>
  openEmbedder(choice, { network, egress, reveal: async name => (name === '$ENV.KEY' ? 'the key' : name) })

const failureOf = async (work: Promise<unknown>): Promise<string> => {
  const error: unknown = await work.catch((reason: unknown) => reason)
  return `${memoryFailure(error)}: ${error instanceof Error ? error.message : ''}`
}

it('asks a server of the OpenAI protocol, in the order of the texts, with its key', async () => {
  await using web = await server(({ model, input }, response) => {
    const data = input.map((said, index) => ({ index, embedding: [said.length, model.length, 0] })).toReversed()
    response.end(JSON.stringify({ data }))
  })
  const embedder = await opened(openai, web.network)
  const vectors = await embedder.embed(
    Array.from({ length: 40 }, (_, at) => 'x'.repeat(at)),
    never,
  )
  expect(vectors).toHaveLength(40)
  expect(Array.from(vectors[12] ?? [])).toEqual([12 / 13, 5 / 13, 0].map(Math.fround))
  expect(embedder).toMatchObject({ name: 'openai:small', dimension: 3, origin: 'https://models.example' })
  expect(web.requests[0]).toMatchObject({ url: 'https://models.example/v1/embeddings', method: 'POST' })
  expect(web.requests[0]?.headers.authorization).toBe('Bearer the key')
})

it('asks Ollama', async () => {
  await using web = await server(({ input }, response) =>
    response.end(JSON.stringify({ embeddings: input.map(() => [0, 2]) })),
  )
  const embedder = await opened(ollama, web.network)
  expect(await embedder.embed(['a'], never)).toEqual([Float32Array.of(0, 1)])
  expect(web.requests[0]?.url).toBe('http://models.example:11434/api/embed')
})

it.each<readonly [string, Answer, RegExp]>([
  ['an error', (_, response) => response.writeHead(404).end('no such model'), /status 404: no such model/],
  ['no JSON', (_, response) => response.end('<html>'), /not JSON/],
  ['another shape', (_, response) => response.end('{"data":[]}'), /does not answer like Ollama/],
  ['too few vectors', (_, response) => response.end('{"embeddings":[]}'), /0 vectors for 1 texts/],
  ['a broken connection', (_, response) => response.destroy(), /gave no vectors/],
])('tells %s from the server as a failure to embed', async (_name, answer, message) => {
  await using web = await server(answer)
  const embedder = await opened(ollama, web.network)
  const said = await failureOf(embedder.embed(['a'], never))
  expect(said).toMatch(/^embedding_failed/)
  expect(said).toMatch(message)
})

it('sends nothing where a rule forbids it, or where there is no network', async () => {
  await using web = await server((_, response) => response.end())
  const denied = await opened(ollama, web.network, { ...open, verdict: () => 'deny' })
  expect(await failureOf(denied.embed(['a'], never))).toMatch(/^embedding_failed: .*a rule denies/)
  const inside = await opened(ollama, web.network, { ...open, refuses: () => 'it is loopback' })
  expect(await failureOf(inside.embed(['a'], never))).toMatch(/^embedding_failed: .*it is loopback/)
  expect(web.connections).toEqual([])
  const parts = { network: 'none' as const, egress: open, reveal: async (said: string) => said }
  const cut = await openEmbedder(ollama, parts)
  expect(cut.name).toBe('ollama:nomic')
  expect(await failureOf(cut.embed(['a'], never))).toMatch(/^embedding_failed: .*no network/)
})

it('says what is missing in a directory of the user, and runs the model once it is there', async () => {
  const place = temporaryWorkspace()
  const directory = join(place.path, 'all-MiniLM-L6-v2-int8')
  const parts = { network: 'none' as const, egress: open, reveal: async (said: string) => said }
  const embedder = await openEmbedder({ onnx: directory }, parts)
  expect(await failureOf(embedder.embed(['a text'], never))).toMatch(/^embedding_failed: .*holds no model/)
  symlinkSync(new URL('../../../../models/all-MiniLM-L6-v2-int8', import.meta.url).pathname, directory)
  expect(embedder.dimension).toBeUndefined()
  await embedder.embed(['a text'], never)
  expect(embedder.dimension).toBe(384)
  expect(embedder.name).toMatch(/^onnx:all-MiniLM-L6-v2-int8:\d+$/)
  await embedder.close()
  await place.remove()
}, 60_000)
