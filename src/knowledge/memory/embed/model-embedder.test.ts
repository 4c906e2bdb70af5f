import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
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
