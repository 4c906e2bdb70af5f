import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { debugAssistant } from '../../../src/contracts.ts'
import { inputSchema } from '../../../src/kernel/json-schema.ts'
import { fakeFixes } from '../../../src/testing/fake-fixes.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../src/testing/index.ts'
import { failure, rigWith } from './rig.ts'

/** The fix that the document prints. */
const PRINTED = {
  id: 'rca-001',
  errorDescription: "TypeError: Cannot read property 'map' of undefined when rendering user list",
  rootCause: 'API response returns null when no users found, but component assumes array',
  solution: 'Add null check before mapping: users?.map(...) ?? []',
  language: 'typescript',
  errorType: 'TypeError',
  confidence: 0.89,
  userValidated: true,
  createdAt: '2025-12-01T10:30:00Z',
  fixedIn: 'src/components/UserList.tsx',
}
const QUERY = {
  query: "Cannot read property 'map' of undefined in React component",
  language: 'typescript',
  errorType: 'TypeError',
  minConfidence: 0.75,
  limit: 3,
}
const FEW = Array.from({ length: 12 }, (_, at) => ({
  ...PRINTED,
  id: `rca-1${at}`,
  language: at % 2 === 0 ? 'kotlin' : 'typescript',
  errorType: 'IOException',
  confidence: at / 12,
  userValidated: false,
}))

/** What a server of Chroma says of a collection. */
const COLLECTION = '{"id":"1","name":"fixes","dimension":3,"metadata":null}'

const DELAYS: Readonly<Record<string, number>> = { embed: 1_300, query: 900 }

const workspaces: TemporaryWorkspace[] = []
const servers: ReturnType<typeof createServer>[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
  for (const workspace of workspaces.splice(0)) await workspace.remove()
})

const search = async (parameters: unknown, fixes: readonly object[] = [PRINTED, ...FEW]) => {
  const workspace = temporaryWorkspace()
  workspaces.push(workspace)
  const kit = await workspace.open({ contract: 'debug-assistant', fixes: fakeFixes(fixes) })
  return kit.call('vector_search_db', parameters)
}

const listening = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const closed = async (): Promise<string> => {
  const url = await listening(() => {})
  await new Promise(resolve => servers.pop()?.close(resolve))
  return url
}

describe('vector_search_db', () => {
  it('DA-08: answers the printed request with the printed shape', async () => {
    const { createdAt, fixedIn, ...fix } = PRINTED
    expect(await search(QUERY)).toEqual({
      success: true,
      data: {
        query: QUERY.query,
        results: [{ ...fix, similarity: expect.any(Number), metadata: { createdAt, fixedIn } }],
        totalFound: 1,
      },
    })
  })

  it('DA-08: defaults to 0.7 and 5, and filters by what is stored', async () => {
    const found = Object(await search({ query: 'null check' })).data
    expect(found.results.every(({ confidence }: typeof PRINTED) => confidence >= 0.7)).toBe(true)
    expect([found.results.length, found.totalFound]).toEqual([4, 4])
    const all = Object(await search({ query: 'null check', minConfidence: 0 })).data
    expect([all.results.length, all.totalFound]).toEqual([5, 13])
    const kotlin = Object(await search({ query: 'x', minConfidence: 0, language: 'Kotlin', limit: 10 })).data
    expect(kotlin.results.map(({ language }: typeof PRINTED) => language)).toEqual(Array(6).fill('kotlin'))
  })

  it('DA-08: describes its parameters in the words of the document', () => {
    const tool = debugAssistant.tools.find(({ name }) => name === 'vector_search_db')
    expect(tool?.description).toBe('Query ChromaDB for past RCA solutions similar to the current error.')
    expect(tool && inputSchema(tool)).toMatchObject({
      properties: {
        query: { type: 'string', description: 'Error description or stack trace to search for' },
        minConfidence: { minimum: 0, maximum: 1, default: 0.7 },
        limit: { minimum: 1, maximum: 10, default: 5 },
      },
      required: ['query'],
    })
  })

  it.each([{}, { query: 1 }, { query: 'x', limit: 11 }, { query: 'x', limit: 0 }, { query: 'x', minConfidence: 1.1 }])(
    'DA-08: refuses %j',
    async parameters => {
      expect(await search(parameters)).toMatchObject(failure('INVALID_PARAMETERS', expect.any(String)))
    },
  )

  it('DA-08: says NO_RESULTS for a memory without fixes, and for filters that nothing passes', async () => {
    await using rig = await rigWith({})
    expect(await rig.call('vector_search_db', { query: 'x' })).toMatchObject(
      failure('NO_RESULTS', expect.stringContaining('No past fix was found')),
    )
    expect(await search({ query: 'x', language: 'cobol' })).toMatchObject(failure('NO_RESULTS', expect.any(String)))
  })

  it('DA-08: says DB_CONNECTION_FAILED for a server that is not there', async () => {
    const url = await closed()
    await using rig = await rigWith({}, { memory: { chroma: { url, collection: 'fixes' } } })
    expect(await rig.call('vector_search_db', { query: 'x' })).toEqual(
      failure(
        'DB_CONNECTION_FAILED',
        expect.stringMatching(/cannot be reached: connection refused\. Start the server/),
      ),
    )
  })

  it('DA-08: says DB_CONNECTION_FAILED for a damaged file', async () => {
    await using rig = await rigWith({})
    rig.workspace.write(
      '../state/memory/fixes.sqlite',
      'no database at all, but long enough to be taken for one'.repeat(99),
      0o600,
    )
    expect(await rig.call('vector_search_db', { query: 'x' })).toEqual(
      failure('DB_CONNECTION_FAILED', expect.stringContaining('doctor --repair')),
    )
  })

  it('DA-08: says COLLECTION_NOT_FOUND for a server without the collection', async () => {
    const url = await listening((_request, response) => {
      response.writeHead(404, { 'content-type': 'application/json' })
      response.end('{"error":"NotFoundError","message":"Collection [fixes] does not exists"}')
    })
    await using rig = await rigWith({}, { memory: { chroma: { url, collection: 'fixes' } } })
    expect(await rig.call('vector_search_db', { query: 'x' })).toEqual(
      failure('COLLECTION_NOT_FOUND', expect.stringMatching(/no collection 'fixes' .* toolwright fixes add/)),
    )
  })

  it('DA-08: says EMBEDDING_FAILED for an embedder that refuses', async () => {
    const url = await listening(({ url: path = '' }, response) => {
      const isEmbedder = path.includes('/api/embed')
      response.writeHead(isEmbedder ? 500 : 200, { 'content-type': 'application/json' })
      response.end(isEmbedder ? 'no model' : COLLECTION)
    })
    const memory = { embedder: { ollama: { url, model: 'm' } }, chroma: { url, collection: 'fixes' } }
    await using rig = await rigWith({}, { memory })
    expect(await rig.call('vector_search_db', { query: 'x' })).toEqual(
      failure('EMBEDDING_FAILED', expect.stringMatching(/status 500: no model\. Check its address, model and key/)),
    )
  })

  /** Opens the tool with its own limit of time, on servers that answer after these times; `undefined` is never. */
  const slow = async (delayOf: (path: string) => number | undefined) => {
    const url = await listening(({ url: path = '' }, response) => {
      const delay = delayOf(path)
      const body = path.endsWith('/query')
        ? '{"ids":[[]],"documents":[[]],"metadatas":[[]],"embeddings":[[]]}'
        : path.endsWith('/get')
          ? '{"ids":[]}'
          : path.includes('/api/embed')
            ? '{"embeddings":[[1,0,0]]}'
            : COLLECTION
      if (delay === undefined) return
      setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(body), delay)
    })
    const memory = { embedder: { ollama: { url, model: 'm' } }, chroma: { url, collection: 'fixes' } }
    const workspace = temporaryWorkspace()
    workspaces.push(workspace)
    const file = join(workspace.base, 'config.json')
    writeFileSync(file, JSON.stringify({ memory }))
    return workspace.open({ contract: 'debug-assistant', config: file })
  }

  it('DA-08: says EMBEDDING_FAILED and to retry where no vector comes in 1.7 seconds', async () => {
    const kit = await slow(path => (path.includes('/api/embed') ? undefined : 0))
    const began = performance.now()
    expect(await kit.call('vector_search_db', { query: 'x' })).toEqual(
      failure('EMBEDDING_FAILED', expect.stringMatching(/no vector within 1\.7 seconds\. Retry/)),
    )
    expect(performance.now() - began).toBeGreaterThan(1_600)
  })

  it.each([
    ['a slow collection and then no answer', (path: string) => (path.endsWith('/query') ? undefined : 500)],
    ['a slow embedder and a slow query', (path: string) => DELAYS[path.split('/').at(-1) ?? ''] ?? 0],
  ])('DA-08: says DB_CONNECTION_FAILED in time for %s', async (_name, delayOf) => {
    const kit = await slow(delayOf)
    expect(await kit.call('vector_search_db', { query: 'x' })).toEqual(
      failure('DB_CONNECTION_FAILED', expect.stringContaining('did not answer in time')),
    )
  })

  it('DA-08: says DB_CONNECTION_FAILED for a server that is no ChromaDB', async () => {
    const url = await listening((_request, response) => {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not Found</h1>')
    })
    await using rig = await rigWith({}, { memory: { chroma: { url, collection: 'fixes' } } })
    expect(await rig.call('vector_search_db', { query: 'x' })).toEqual(
      failure('DB_CONNECTION_FAILED', expect.stringContaining('does not answer like ChromaDB')),
    )
  })
})
