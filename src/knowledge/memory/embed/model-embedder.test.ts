import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openEmbeddedStore } from '../embedded/embedded-store.ts'
import { memoryFailure } from '../failure.ts'
import { modelEmbedder } from './model-embedder.ts'
import { ownModel } from './model-files.ts'

interface Known {
  readonly text: string
  readonly vector: readonly number[]
}

const files = ownModel()
const known: readonly Known[] = JSON.parse(readFileSync(join(files.directory, 'vectors.json'), 'utf8'))
const embedder = modelEmbedder(files)
afterAll(() => embedder.close())

const cosine = (one: ArrayLike<number>, other: ArrayLike<number>): number => {
  let [dot, a, b] = [0, 0, 0]
  for (let at = 0; at < one.length; at++) {
    dot += (one[at] ?? 0) * (other[at] ?? 0)
    a += (one[at] ?? 0) ** 2
    b += (other[at] ?? 0) ** 2
  }
  return dot / Math.sqrt(a * b)
}

const never = new AbortController().signal

it('gives the vectors of the model, for an empty text and a long one too', async () => {
  const vectors = await embedder.embed(
    known.map(({ text }) => text),
    never,
  )
  expect(vectors.map(({ length }) => length)).toEqual(known.map(() => 384))
  expect(Math.min(...vectors.map((vector, at) => cosine(vector, known[at]?.vector ?? [])))).toBeGreaterThan(0.999)
  expect(Math.hypot(...(vectors[0] ?? []))).toBeCloseTo(1, 4)
}, 60_000)

it('tells a near duplicate in other words from another cause of the same error', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'toolwright-memory-'))
  const store = openEmbeddedStore({ file: join(directory, 'fixes.sqlite'), embedder, redact: text => text })
  const errorDescription = 'Error: listen EADDRINUSE: address already in use :::3000'
  const stored = {
    errorDescription,
    rootCause: 'A second dev server was still running',
    solution: 'Stop the old server',
  }
  await store.add({ ...stored, id: 'first' }, {}, never)
  const same = {
    errorDescription: 'Error: listen EADDRINUSE: address already in use :::8080',
    rootCause: 'The dev server was already running in another terminal',
    solution: 'Kill the old server first',
  }
  expect(await store.add(same, {}, never)).toMatchObject({ duplicates: [{ fix: { id: 'first' } }] })
  const other = { errorDescription, rootCause: 'Docker publishes the port', solution: 'Change compose.yaml' }
  expect(await store.add(other, {}, never)).toHaveProperty('stored')
  await store.close()
  rmSync(directory, { recursive: true })
}, 60_000)

it('answers a query before the rest of a long list', async () => {
  const order: string[] = []
  const long = embedder.embed(Array<string>(40).fill('a text of the list'), never).then(() => order.push('list'))
  await embedder.embed(['a query'], never)
  order.push('query')
  await long
  expect(order).toEqual(['query', 'list'])
}, 60_000)

it('starts again after it was stopped, and stops waiting when told to', async () => {
  await embedder.close()
  const stop = new AbortController()
  const given = embedder.embed(['a text'], stop.signal)
  stop.abort(new Error('no longer needed'))
  await expect(given).rejects.toThrow('no longer needed')
  expect(await embedder.embed(['a text'], never)).toHaveLength(1)
}, 60_000)

it('tells that a model is broken', async () => {
  const broken = modelEmbedder({ ...files, model: join(files.directory, 'vectors.json') })
  const error: unknown = await broken.embed(['a text'], never).catch((reason: unknown) => reason)
  expect(memoryFailure(error)).toBe('embedding_failed')
  await broken.close()
}, 60_000)
