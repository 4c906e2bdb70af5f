import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openChromaStore } from '../../src/knowledge/memory/chroma/chroma-store.ts'
import { memoryFailure } from '../../src/knowledge/memory/failure.ts'
import { completeFix, type Fix } from '../../src/knowledge/memory/fix.ts'
import type { Embedder, FixStore } from '../../src/knowledge/memory/types.ts'
import { startProxy, type ChromaProxy } from './chroma-proxy.ts'
import { startChroma, type ChromaServer } from './chroma-server.ts'
import { wordEmbedder } from './word-embedder.ts'

let server: ChromaServer
let proxy: ChromaProxy
beforeAll(async () => {
  server = await startChroma()
  proxy = await startProxy(server.url)
}, 40_000)
afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

/** Without TOOLWRIGHT_LONG a quarter of the requests is cut, and another quarter for another embedder. */
const LONG = process.env['TOOLWRIGHT_LONG'] === '1'
const never = new AbortController().signal
const [before, after, third] = [wordEmbedder('before'), wordEmbedder('after', 48), wordEmbedder('third', 32)]
const [NEXT, FORMER] = ['toolwright-next', 'toolwright-former']

const open = (collection: string, embedder: Embedder, url = server.url): FixStore =>
  openChromaStore({
    place: { url, collection },
    network: 'system',
    egress: { verdict: () => 'allow', refuses: () => undefined },
    embedder,
    redact: text => text,
    requestMs: 10_000,
  })

const fixNamed = (id: string): Fix =>
  completeFix({
    id,
    errorDescription: `Error: ${id} is lost`,
    rootCause: `The cause of ${id}`,
    solution: `Find ${id}`,
    ...(id.endsWith('1') && { attempts: [{ tried: `Waiting for ${id}`, failed: 'It never came' }] }),
  })
const ORIGINALS = ['fix-1', 'fix-2', 'fix-3']

interface Answer {
  readonly id: string
  readonly ids: readonly string[]
  readonly documents: unknown
  readonly metadatas: unknown
  readonly embeddings: unknown
}

/** Asks the server as another program would. */
const ask = async (method: string, path: string, body?: object): Promise<Answer> => {
  const base = `${server.url}/api/v2/tenants/default_tenant/databases/default_database/collections`
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${base}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(await response.text())
  return Object(await response.json())
}
const namesLike = async (collection: string): Promise<readonly string[]> => {
  const all: readonly { readonly name: string }[] = Object(await ask('GET', ''))
  return all.flatMap(({ name }) => (name.startsWith(collection) ? name.slice(collection.length) : [])).toSorted()
}
const idsIn = async (store: FixStore): Promise<readonly string[]> =>
  (await store.list({ limit: 100 }, never)).fixes.map(({ id }) => id).toSorted()

const filled = async (): Promise<string> => {
  const collection = `c-${randomUUID()}`
  await open(collection, before).put(ORIGINALS.map(fixNamed), never)
  return collection
}
const foreign = async (name: string): Promise<void> => {
  const { id } = await ask('POST', '', { name })
  await ask('POST', `/${id}/add`, { ids: ['precious'], documents: ['x'], metadatas: [{ a: 1 }], embeddings: [[1, 0]] })
}
const isUntouched = async (name: string): Promise<boolean> => {
  const { id } = await ask('GET', `/${name}`)
  return (await ask('POST', `/${id}/get`, { include: [] })).ids.includes('precious')
}
/** Stores a fix; returns its id if that was acknowledged. */
const acknowledged = async (store: FixStore, id: string): Promise<readonly string[]> =>
  store.add(fixNamed(id), { evenIfSimilar: true }, never).then(
    () => [id],
    () => [],
  )

describe('a collection that is re-embedded', () => {
  it('leaves collections of others alone, and refuses where one is in the way', async () => {
    const collection = await filled()
    for (const name of ['next', 'former']) await foreign(`${collection}.${name}`)
    await open(collection, after).reembedded?.(never)
    expect(await namesLike(collection)).toEqual(['', '.former', '.next'])
    for (const name of ['next', 'former']) expect(await isUntouched(`${collection}.${name}`)).toBe(true)
    expect(await idsIn(open(collection, after))).toEqual(ORIGINALS)
    for (const name of [NEXT, FORMER]) {
      const other = await filled()
      await foreign(`${other}.${name}`)
      await expect(open(other, after).reembedded?.(never)).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining(`'${other}.${name}'`),
      })
      expect(await isUntouched(`${other}.${name}`)).toBe(true)
      expect(await idsIn(open(other, before))).toEqual(ORIGINALS)
    }
  })

  it('tells how far it is', async () => {
    const collection = `c-${randomUUID()}`
    await open(collection, before).put(
      Array.from({ length: 40 }, (_, at) => fixNamed(`fix-${at}`)),
      never,
    )
    const told: (readonly [number, number])[] = []
    await open(collection, after).reembedded?.(never, (done, total) => told.push([done, total]))
    expect(told).toEqual([16, 32, 40].map(done => [done, 40]))
  })

  it.each([
    { resuming: after, phase: 0 },
    { resuming: third, phase: 2 },
  ])(
    'DA-09: interrupted after any request, it loses nothing and goes on with $resuming.name',
    async ({ resuming, phase }) => {
      let requests = 0
      const cutAfter = async (most: number): Promise<void> => {
        const collection = await filled()
        requests = 0
        proxy.watch = () => {
          requests += 1
          if (requests >= most) throw new Error('cut')
        }
        const interrupted = Promise.resolve(open(collection, after, proxy.url).reembedded?.(never))
        await (most === Infinity ? interrupted : interrupted.catch(() => {}))
        const kept = [
          ...(await acknowledged(open(collection, before), 'by-old')),
          ...(await acknowledged(open(collection, after), 'by-new')),
        ]
        await open(collection, resuming).reembedded?.(never)
        const store = open(collection, resuming)
        expect(await idsIn(store), `cut after ${most}`).toEqual([...kept, ...ORIGINALS].toSorted())
        expect(await store.get('fix-1', never)).toEqual({ ...fixNamed('fix-1'), createdAt: expect.any(String) })
        expect((await store.search({ text: 'Waiting for fix-1', limit: 1 }, never)).results[0]?.fix.id).toBe('fix-1')
        expect(await namesLike(collection)).toEqual([''])
      }
      await cutAfter(Infinity)
      const all = requests
      expect(all).toBeGreaterThan(12)
      for (let most = 1; most <= all; most++)
        if (LONG || most === 1 || most === all || most % 4 === phase) await cutAfter(most)
    },
    120_000,
  )

  it('DA-09: keeps what others store while the names change, or refuses it', async () => {
    const collection = await filled()
    const { id } = await ask('GET', `/${collection}`)
    const other = open(collection, after)
    const late = async (fix: string): Promise<void> => {
      const source = `c-${randomUUID()}`
      await open(source, before).put([fixNamed(fix)], never)
      const { id: from } = await ask('GET', `/${source}`)
      const { ids, documents, metadatas, embeddings } = await ask('POST', `/${from}/get`, {
        include: ['documents', 'metadatas', 'embeddings'],
      })
      await ask('POST', `/${id}/add`, { ids, documents, metadatas, embeddings })
    }
    const seen: unknown[] = []
    proxy.watch = async ({ method, body }) => {
      if (method !== 'PUT') return
      const isTaken = !body.includes(FORMER)
      seen.push(isTaken ? 'named' : 'nameless')
      // Writes that began before the old one lost its name.
      await late(isTaken ? 'late-2' : 'late-1')
      const added = other.add(fixNamed(isTaken ? 'new-2' : 'new-1'), { evenIfSimilar: true }, never)
      seen.push(
        await added.then(
          () => 'stored',
          (reason: unknown) => memoryFailure(reason),
        ),
      )
    }
    await open(collection, after, proxy.url).reembedded?.(never)
    expect(seen).toEqual(['nameless', 'store_unreachable', 'named', 'stored'])
    expect(await idsIn(other)).toEqual([...ORIGINALS, 'late-1', 'late-2', 'new-2'].toSorted())
    expect(await namesLike(collection)).toEqual([''])
  })

  it('DA-09: re-embedded by two at once, it loses nothing', async () => {
    const collection = await filled()
    await Promise.allSettled([open(collection, after).reembedded?.(never), open(collection, after).reembedded?.(never)])
    await open(collection, after).reembedded?.(never)
    expect(await idsIn(open(collection, after))).toEqual(ORIGINALS)
    expect(await namesLike(collection)).toEqual([''])
  })

  it('says where the fixes are if a collection was made in place of one that is being replaced', async () => {
    const collection = await filled()
    await open(collection, after).reembedded?.(never)
    const { id } = await ask('POST', '', { name: `${collection}.${FORMER}` })
    const metadata = { 'toolwright:embedder': after.name, 'toolwright:replaces': id }
    await ask('POST', '', { name: `${collection}.${NEXT}`, metadata })
    await expect(open(collection, after).reembedded?.(never)).rejects.toMatchObject({
      code: 'conflict',
      hint: expect.stringContaining(`'${collection}.${FORMER}'`),
    })
    expect(await namesLike(collection)).toEqual(['', `.${FORMER}`, `.${NEXT}`])
  })

  it('makes no empty collection in place of one that is being replaced', async () => {
    const collection = `c-${randomUUID()}`
    const metadata = { 'toolwright:embedder': after.name, 'toolwright:replaces': randomUUID() }
    await ask('POST', '', { name: `${collection}.${NEXT}`, metadata })
    const store = open(collection, after)
    for (const work of [() => store.list({ limit: 1 }, never), () => store.add(fixNamed('one'), {}, never)])
      await expect(work()).rejects.toMatchObject({
        details: { memory: 'store_unreachable' },
        hint: expect.stringContaining('doctor --repair'),
      })
    await expect(store.reembedded?.(never)).rejects.toMatchObject({ code: 'conflict' })
    expect(await namesLike(collection)).toEqual([`.${NEXT}`])
  })
})
