import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openChromaStore } from '../../src/knowledge/memory/chroma/chroma-store.ts'
import { memoryFailure } from '../../src/knowledge/memory/failure.ts'
import { completeFix } from '../../src/knowledge/memory/fix.ts'
import type { Embedder, FixFilter, FixStore } from '../../src/knowledge/memory/types.ts'
import { startProxy } from './chroma-proxy.ts'
import { startChroma, type ChromaServer } from './chroma-server.ts'
import { portTaken, storeSuite } from './store-suite.ts'
import { wordEmbedder } from './word-embedder.ts'

let server: ChromaServer
beforeAll(async () => {
  server = await startChroma()
}, 40_000)
afterAll(() => server[Symbol.asyncDispose]())

const never = new AbortController().signal
const egress = { verdict: () => 'allow' as const, refuses: () => undefined }

interface Opening {
  readonly collection: string
  readonly embedder?: Embedder
  readonly redact?: (text: string) => string
  readonly fields?: Readonly<Record<string, string>>
  readonly url?: string
  readonly requestMs?: number
}

const open = ({
  collection,
  embedder = wordEmbedder(),
  redact = text => text,
  fields,
  url = server.url,
  requestMs = 10_000,
}: Opening): FixStore =>
  openChromaStore({
    place: { url, collection, ...(fields && { fields }) },
    network: 'system',
    egress,
    embedder,
    redact,
    requestMs,
  })

/** What another program sends to the server. */
const post = async (path: string, body: object): Promise<{ readonly id: string }> => {
  const response = await fetch(
    `${server.url}/api/v2/tenants/default_tenant/databases/default_database/collections${path}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    },
  )
  if (!response.ok) throw new Error(await response.text())
  return Object(await response.json())
}

const failure = async (work: Promise<unknown>): Promise<unknown> =>
  memoryFailure(await work.catch((reason: unknown) => reason))

storeSuite('chroma', async ({ embedder, redact }) => {
  const collection = `suite-${randomUUID()}`
  await post('', { name: collection, configuration: { hnsw: { space: 'cosine' } } })
  return {
    store: open({ collection, embedder, redact }),
    again: async other => open({ collection, embedder: other, redact }),
    dispose: async () => {},
  }
})

/** As many fixes as an import of several batches has. */
const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    completeFix({ ...portTaken, id: `fix-${at}`, errorDescription: `Error number${at}: word${at} is lost` }),
  )

describe('a server of Chroma', () => {
  it('DA-08: tells a missing collection from an empty one, and the first fix makes it', async () => {
    const store = open({ collection: 'new' })
    const query = { text: 'port', limit: 1 }
    expect(await failure(store.search(query, never))).toBe('collection_missing')
    expect(await failure(store.searchWords(query, never))).toBe('collection_missing')
    expect(await store.list({ limit: 5 }, never)).toEqual({ fixes: [], total: 0 })
    await store.add(portTaken, {}, never)
    expect((await store.search(query, never)).results).toHaveLength(1)
    const made = await fetch(`${server.url}/api/v2/tenants/default_tenant/databases/default_database/collections/new`)
    expect(Object(await made.json()).configuration_json).toMatchObject({
      hnsw: { space: 'cosine' },
      embedding_function: null,
    })
  })

  it('DA-08: a tenant and a database of its own, which have to be there', async () => {
    const elsewhere = openChromaStore({
      place: { url: server.url, collection: 'fixes', tenant: 'acme', database: 'shop' },
      network: 'system',
      egress,
      embedder: wordEmbedder(),
      redact: text => text,
      requestMs: 10_000,
    })
    expect(await failure(elsewhere.search({ text: 'x', limit: 1 }, never))).toBe('collection_missing')
  })

  it('refuses a collection whose vectors another embedder made', async () => {
    const collection = `other-${randomUUID()}`
    await open({ collection }).add(portTaken, {}, never)
    const other = open({ collection, embedder: wordEmbedder('another', 48) })
    expect(await failure(other.add(portTaken, { evenIfSimilar: true }, never))).toBe('embedding_failed')
    expect(await failure(other.search({ text: 'x', limit: 1 }, never))).toBe('embedding_failed')
    const sameLength = open({ collection, embedder: wordEmbedder('third') })
    expect(await failure(sameLength.search({ text: 'x', limit: 1 }, never))).toBe('embedding_failed')
  })

  it('searches a collection that its own client made, by a mapping of fields', async () => {
    const embedder = wordEmbedder()
    const texts = ['TypeError: users is undefined', 'ECONNREFUSED at start']
    const vectors = await embedder.embed(texts, never)
    const { ChromaClient } = createRequire(join(import.meta.dirname, '../../tools/chroma/package.json'))('chromadb')
    const { hostname: host, port } = new URL(server.url)
    const client = new ChromaClient({ host, port: Number(port) })
    const made = await client.createCollection({ name: 'foreign', embeddingFunction: null })
    await made.add({
      ids: ['1', '2'],
      documents: texts,
      embeddings: vectors.map(vector => [...vector]),
      metadatas: [
        { cause: 'null from the API', remedy: 'an empty list', lang: 'TypeScript', kind: 'TypeError', ok: true },
        { cause: 'no database', remedy: 'start it', lang: 'Go', kind: 'ECONNREFUSED', ok: false },
      ],
    })
    const fields = { rootCause: 'cause', solution: 'remedy', language: 'lang', errorType: 'kind', userValidated: 'ok' }
    const store = open({ collection: 'foreign', embedder, fields: { ...fields, errorDescription: '#document' } })
    const query = { text: 'users is undefined', limit: 2 }
    const { results, totalFound } = await store.search({ ...query, filter: { minConfidence: 0.7 } }, never)
    expect(totalFound).toBe(2)
    expect(results[0]).toMatchObject({
      fix: {
        id: '1',
        errorDescription: texts[0],
        rootCause: 'null from the API',
        userValidated: true,
        confidence: 0.7,
      },
      similarity: expect.closeTo(Math.SQRT1_2, 3),
    })
    const sure = store.search({ ...query, filter: { minConfidence: 0.9 } }, never)
    await expect(sure).rejects.toMatchObject({ details: { memory: 'no_results' } })
    const go = await store.search({ ...query, filter: { language: 'go', userValidated: false } }, never)
    expect(go.results.map(({ fix }) => fix.id)).toEqual(['2'])
    await made.add({
      ids: ['3', '4', '5'],
      documents: ['a doubtful one', 'a sure one', 'one without any field'],
      embeddings: (await embedder.embed(['a doubtful one', 'a sure one', 'another'], never)).map(each => [...each]),
      metadatas: [{ lang: 'typescript', confidence: 0.2 }, { lang: 'TYPESCRIPT', confidence: 1 }, { note: 'none' }],
    })
    const idsOf = async (filter: FixFilter) => {
      const { results: passed, totalFound: total } = await store.search({ text: 'one', limit: 9, filter }, never)
      const { fixes } = await store.list({ limit: 9, filter }, never)
      expect([total, fixes.map(({ id }) => id).toSorted()]).toEqual([
        passed.length,
        passed.map(({ fix }) => fix.id).toSorted(),
      ])
      return fixes.map(({ id }) => id).toSorted()
    }
    expect(await idsOf({ minConfidence: 0.5 })).toEqual(['1', '2', '4', '5'])
    expect(await idsOf({ minConfidence: 0.9 })).toEqual(['4'])
    expect(await idsOf({ language: 'TypeScript' })).toEqual(['1', '3', '4'])
    expect(await idsOf({ userValidated: false })).toEqual(['2', '3', '4', '5'])
    await expect(store.add(portTaken, {}, never)).rejects.toMatchObject({ code: 'denied' })
    await expect(store.remove('1', never)).rejects.toMatchObject({ code: 'denied' })
  })

  it('DA-09: a change keeps what another changed meanwhile, and brings nothing removed back', async () => {
    const collection = `both-${randomUUID()}`
    const store = open({ collection })
    await store.put([completeFix({ ...portTaken, id: 'one' }), completeFix({ ...portTaken, id: 'two' })], never)
    await using proxy = await startProxy(server.url)
    const slow = open({ collection, url: proxy.url })
    const once = (work: () => Promise<unknown>): void => {
      proxy.watch = async ({ path }) => {
        if (!path.endsWith('/get')) return
        proxy.watch = () => {}
        await work()
      }
    }
    once(() => store.change('one', { userValidated: true }, never))
    await slow.change('one', { solution: 'Wait' }, never)
    expect(await store.get('one', never)).toMatchObject({ userValidated: true, solution: 'Wait' })
    once(() => store.remove('two', never))
    await expect(slow.change('two', { solution: 'Wait' }, never)).rejects.toMatchObject({ code: 'not_found' })
    expect(await store.get('two', never)).toBeUndefined()
    let changes = 0
    proxy.watch = async ({ path }) => {
      if (path.endsWith('/get')) await store.change('one', { solution: `Wait ${(changes += 1)}` }, never)
    }
    await expect(slow.change('one', { rootCause: 'Another' }, never)).rejects.toMatchObject({ code: 'conflict' })
    expect(await store.get('one', never)).toMatchObject({ rootCause: portTaken.rootCause })
  })

  it('a change adds what was tried, and takes it away', async () => {
    const store = open({ collection: `tried-${randomUUID()}` })
    await store.add({ ...portTaken, id: 'one', diff: '+ 1' }, {}, never)
    const attempts = [{ tried: 'Restarting the laptop', failed: 'The port was taken again' }]
    await store.change('one', { attempts }, never)
    expect(await store.get('one', never)).toMatchObject({ attempts, diff: '+ 1' })
    const { results } = await store.search({ text: 'Restarting the laptop', limit: 1 }, never)
    expect(results[0]?.similarity).toBeGreaterThan(0.5)
    await store.put([completeFix({ ...portTaken, id: 'one' })], never)
    expect(await store.get('one', never)).not.toHaveProperty('attempts')
  })

  it('DA-08: finds by words among more fixes than one page has', async () => {
    const store = open({ collection: `many-${randomUUID()}` })
    const many = Array.from({ length: 560 }, (_, at) =>
      completeFix({ ...portTaken, id: `fix-${at}`, errorDescription: `request failed with timeout number${at}` }),
    )
    for (let at = 0; at < many.length; at += 280) await store.put(many.slice(at, at + 280), never)
    const text = 'request failed with timeout in the frobnicator'
    await store.add({ ...portTaken, id: 'target', errorDescription: text, diff: '+ 1' }, { evenIfSimilar: true }, never)
    const { results } = await store.searchWords({ text, limit: 1 }, never)
    expect(results[0]?.fix).toMatchObject({ id: 'target', diff: '+ 1' })
  }, 60_000)

  it('reads no text or vector that it does not need', async () => {
    const collection = `read-${randomUUID()}`
    await open({ collection }).put(numbered(30), never)
    await using proxy = await startProxy(server.url)
    const reads: { readonly include: readonly string[]; readonly ids?: readonly string[] }[] = []
    proxy.watch = ({ path, body }) => void (path.endsWith('/get') && reads.push(JSON.parse(body)))
    const mapped = { errorDescription: 'errorDescription', language: 'language' }
    const store = open({ collection, url: proxy.url, fields: mapped })
    const filter = { minConfidence: 0.7 }
    await store.search({ text: 'nothing named here', limit: 3, filter }, never)
    expect(reads.map(({ include }) => include)).toEqual([[], ['metadatas']])
    reads.length = 0
    await open({ collection, url: proxy.url }).list({ limit: 2, filter }, never)
    expect(reads.map(({ include, ids = [] }) => [include, ids.length])).toEqual([
      [[], 0],
      [['metadatas'], 30],
      [['documents', 'metadatas'], 2],
    ])
  })

  it('DA-08: has one limit of time for all requests of a search', async () => {
    const collection = `slow-${randomUUID()}`
    await open({ collection }).put(numbered(3), never)
    await using proxy = await startProxy(server.url)
    proxy.watch = () => new Promise(resolve => setTimeout(resolve, 300))
    const query = { text: 'word1 is lost', limit: 1 }
    const slow = open({ collection, url: proxy.url, requestMs: 500 })
    expect(await failure(slow.search(query, never))).toBe('store_unreachable')
    expect(await failure(slow.searchWords(query, never))).toBe('store_unreachable')
    proxy.watch = () => {}
    const embedder = wordEmbedder()
    const late: Embedder = {
      ...embedder,
      embed: async (...given) => {
        await new Promise(resolve => setTimeout(resolve, 900))
        return embedder.embed(...given)
      },
    }
    expect(await failure(open({ collection, embedder: late, requestMs: 500 }).search(query, never))).toBe(
      'embedding_failed',
    )
  })

  it('DA-08: killed in the middle of a search, it is a connection that failed', async () => {
    const collection = `killed-${randomUUID()}`
    const store = open({ collection })
    await store.put(numbered(20), never)
    const searches = Array.from({ length: 40 }, async (_, at) => {
      await new Promise(resolve => setTimeout(resolve, at * 3))
      return failure(store.search({ text: `word${at} is lost`, limit: 3 }, never))
    })
    await new Promise(resolve => setTimeout(resolve, 40))
    await server.kill()
    const ends = new Set(await Promise.all(searches))
    expect([...ends].filter(end => end !== undefined)).toEqual(['store_unreachable'])
    await server.restart()
    expect((await store.search({ text: 'word7 is lost', limit: 1 }, never)).results[0]?.fix.id).toBe('fix-7')
  }, 60_000)

  it('DA-09: killed in the middle of an import, it has lost nothing that was acknowledged', async () => {
    const collection = `import-${randomUUID()}`
    const store = open({ collection })
    const all = numbered(400)
    let acknowledged = 0
    const importing = failure(
      (async () => {
        for (let at = 0; at < all.length; at += 10) {
          await store.put(all.slice(at, at + 10), never)
          acknowledged = at + 10
        }
      })(),
    )
    await expect.poll(() => acknowledged, { interval: 1, timeout: 20_000 }).toBeGreaterThanOrEqual(60)
    await server.kill()
    expect(await importing).toBe('store_unreachable')
    await server.restart()
    const { fixes } = await store.list({ limit: 1_000 }, never)
    const kept = new Set(fixes.map(({ id }) => id))
    expect(all.slice(0, acknowledged).filter(({ id }) => !kept.has(id))).toEqual([])
    await store.put(all, never)
    expect((await store.list({ limit: 1 }, never)).total).toBe(400)
    // Which of 400 vectors that are much alike is the nearest, the server only guesses: each is compared instead.
    const { id } = await post('', { name: collection, get_or_create: true })
    const asked = { ids: all.map(fix => fix.id), include: ['embeddings'] }
    const { ids, embeddings } = Object(await post(`/${id}/get`, asked))
    const vectors = await wordEmbedder().embed(
      ids.map((each: string) => all.find(fix => fix.id === each)?.errorDescription ?? ''),
      never,
    )
    const differences = vectors.map((vector, at) =>
      Math.max(...vector.map((value, place) => Math.abs(value - embeddings[at][place]))),
    )
    expect(differences).toHaveLength(400)
    expect(Math.max(...differences)).toBeLessThan(1e-6)
    expect((await store.search({ text: 'word399 is lost', limit: 1 }, never)).totalFound).toBe(400)
    const { results: named } = await store.searchWords({ text: 'word399 is lost', limit: 1 }, never)
    expect(named[0]?.fix.id).toBe('fix-399')
  }, 60_000)
})
