import {
  chmodSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { openEmbeddedStore } from '../../src/knowledge/memory/embedded/embedded-store.ts'
import { repairStore } from '../../src/knowledge/memory/embedded/repair-store.ts'
import { memoryFailure } from '../../src/knowledge/memory/failure.ts'
import { completeFix } from '../../src/knowledge/memory/fix.ts'
import type { Embedder } from '../../src/knowledge/memory/types.ts'
import { portTaken, storeSuite } from './store-suite.ts'
import { wordEmbedder } from './word-embedder.ts'

const never = new AbortController().signal
const redact = (text: string): string => text
const directories: string[] = []
afterEach(() => {
  for (const path of directories.splice(0)) rmSync(path, { recursive: true, force: true })
})

const place = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'toolwright-memory-'))
  directories.push(directory)
  return join(directory, 'memory', 'fixes.sqlite')
}

storeSuite('embedded', async ({ embedder, redact: clean }) => {
  const file = place()
  const store = openEmbeddedStore({ file, embedder, redact: clean })
  return {
    store,
    again: async other => openEmbeddedStore({ file, embedder: other, redact: clean }),
    dispose: () => store.close(),
  }
})

const words = ['port', 'table', 'socket', 'module', 'thread', 'cursor', 'schema', 'packet', 'buffer', 'token', 'header']
const numbered = (at: number) => {
  const [one, other] = [words[at % 11], words[Math.floor(at / 11) % 11]]
  return completeFix({
    id: `fix-${at}`,
    createdAt: '2026-01-01T00:00:00.000Z',
    errorDescription: `Error number${at}: the ${one} of the ${other} is lost`,
    rootCause: `cause${at} of the ${other}`,
    solution: `remedy${at} for the ${one}`,
  })
}
const filled = async (file: string, count: number, embedder: Embedder): Promise<void> => {
  const store = openEmbeddedStore({ file, embedder, redact })
  await store.put(
    Array.from({ length: count }, (_, at) => numbered(at)),
    never,
  )
  await store.close()
}
const errorOf = async (
  work: () => Promise<unknown>,
): Promise<{ readonly failure: unknown; readonly message: string }> => {
  const error: unknown = await work().catch((reason: unknown) => reason)
  return { failure: memoryFailure(error), message: error instanceof Error ? error.message : '' }
}

describe('the file', () => {
  it('is not created by a search, and belongs to this user alone', async () => {
    const file = place()
    const store = openEmbeddedStore({ file, embedder: wordEmbedder(), redact })
    await errorOf(() => store.search({ text: 'x', limit: 1 }, never))
    expect((await store.list({ limit: 1 }, never)).total).toBe(0)
    expect(existsSync(file)).toBe(false)
    await store.add(portTaken, {}, never)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(`${file}-wal`).mode & 0o777).toBe(0o600)
    await store.close()
  })

  it('is refused if others may write to it', async () => {
    const file = place()
    await filled(file, 1, wordEmbedder())
    chmodSync(file, 0o666)
    const store = openEmbeddedStore({ file, embedder: wordEmbedder(), redact })
    expect((await errorOf(() => store.list({ limit: 1 }, never))).message).toMatch(/can be changed by other users/)
    await store.close()
  })

  it('is refused with what to do if it is no database', async () => {
    const file = place()
    await filled(file, 1, wordEmbedder())
    writeFileSync(file, 'this is no database, whatever its name says'.repeat(100))
    const store = openEmbeddedStore({ file, embedder: wordEmbedder(), redact })
    const { failure, message } = await errorOf(() => store.search({ text: 'x', limit: 1 }, never))
    expect(failure).toBe('store_unreachable')
    expect(message).toMatch(/damaged/)
    expect((await store.doctor(never)).find(({ name }) => name === 'file')).toMatchObject({ ok: false })
    await store.close()
  })

  it('is repaired from what can be read, and the damaged one is kept', async () => {
    const file = place()
    await filled(file, 400, wordEmbedder())
    const bytes = readFileSync(file)
    // In the middle, where vectors and the index of words lie, but not the tree of the table itself.
    bytes.fill(0xff, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 40 * 4096)
    writeFileSync(file, bytes)
    const broken = openEmbeddedStore({ file, embedder: wordEmbedder(), redact })
    expect((await broken.doctor(never)).some(({ ok }) => !ok)).toBe(true)
    await broken.close()
    const repaired = repairStore(file)
    expect(repaired?.saved).toBeGreaterThan(100)
    expect(existsSync(repaired?.kept ?? '')).toBe(true)
    expect(repairStore(file)).toBeUndefined()
    const store = openEmbeddedStore({ file, embedder: wordEmbedder(), redact })
    await store.reembedded()
    expect((await store.doctor(never)).filter(({ ok }) => !ok)).toEqual([])
    const { fix } = (await store.search({ text: numbered(0).errorDescription, limit: 1 }, never)).results[0] ?? {}
    expect(fix).toEqual(numbered(0))
    await store.close()
  })

  it.each<readonly [string, (file: string) => void, number]>([
    ['with pages of the table gone', zeroLeaves, 300],
    ['that was cut off', file => truncateSync(file, Math.floor((statSync(file).size * 0.6) / 4096) * 4096), 20],
  ])('is repaired %s, and says how many fixes could not be read', async (_what, harm, least) => {
    const file = place()
    await filled(file, 400, wordEmbedder())
    harm(file)
    const { saved, lost } = repairStore(file) ?? { saved: 0, lost: 0 }
    expect(saved).toBeGreaterThan(least)
    expect(lost).toBeGreaterThan(0)
    const store = openEmbeddedStore({ file, embedder: wordEmbedder(), redact })
    expect((await store.list({ limit: 1 }, never)).total).toBe(saved)
    await store.close()
  })

  it('gives up a search when its time is over, and goes on from there with the next', async () => {
    const file = place()
    await filled(file, 1_000, wordEmbedder())
    const store = openEmbeddedStore({ file, embedder: wordEmbedder(), redact })
    const query = { text: numbered(3).errorDescription, limit: 1 }
    const late = await store.search({ ...query, dueAt: performance.now() - 1 }, never).catch((error: unknown) => error)
    expect(late).toMatchObject({ code: 'timeout' })
    const lateWords = await store
      .searchWords({ ...query, dueAt: performance.now() - 1 }, never)
      .catch((error: unknown) => error)
    expect(lateWords).toMatchObject({ code: 'timeout' })
    const found = async () => {
      const answer = await store.search({ ...query, dueAt: performance.now() + 20 }, never).catch(() => undefined)
      return answer?.results[0]?.fix.id
    }
    await expect.poll(found, { interval: 1, timeout: 60_000 }).toBe('fix-3')
    await store.close()
  })

  it('is repaired under the eyes of another process, which goes on in the new file', async () => {
    const file = place()
    await filled(file, 400, wordEmbedder())
    const other = openEmbeddedStore({ file, embedder: wordEmbedder(), redact })
    expect(await other.get('fix-1', never)).toBeDefined()
    const damage = new DatabaseSync(file)
    // As a crash between two pages would leave it.
    damage.exec('DELETE FROM words')
    damage.close()
    expect(repairStore(file)?.saved).toBe(400)
    await other.add({ ...portTaken, id: 'after' }, { evenIfSimilar: true }, never)
    await other.close()
    const store = openEmbeddedStore({ file, embedder: wordEmbedder(), redact })
    expect([(await store.get('after', never))?.id, (await store.status(never)).fixes]).toEqual(['after', 401])
    await store.reembedded()
    expect((await store.doctor(never)).filter(({ ok }) => !ok)).toEqual([])
    await store.close()
  })

  it('of the first version is opened, and keeps its fixes', async () => {
    const file = place()
    await filled(file, 3, wordEmbedder())
    const old = new DatabaseSync(file)
    old.exec('ALTER TABLE spaces DROP COLUMN directory; PRAGMA user_version = 1')
    old.close()
    const store = openEmbeddedStore({ file, embedder: wordEmbedder(), redact })
    const { results } = await store.search({ text: numbered(2).errorDescription, limit: 1 }, never)
    expect(results[0]?.fix.id).toBe('fix-2')
    await store.close()
  })
})

/** Zeroes pages that hold fixes, and no others. */
function zeroLeaves(file: string): void {
  const database = new DatabaseSync(file)
  const leaves = database
    .prepare("SELECT pageno FROM dbstat WHERE name = 'fixes' AND pagetype = 'leaf' ORDER BY pageno")
    .all()
  database.close()
  expect(leaves.length).toBeGreaterThan(10)
  const descriptor = openSync(file, 'r+')
  for (const share of [0.3, 0.6])
    writeSync(
      descriptor,
      Buffer.alloc(4096),
      0,
      4096,
      (Number(leaves[Math.floor(leaves.length * share)]?.['pageno']) - 1) * 4096,
    )
  closeSync(descriptor)
}

describe('another embedder', () => {
  it('re-embeds 1,000 fixes while the old vectors answer, then swaps once', async () => {
    const file = place()
    const [before, after] = [wordEmbedder('before'), wordEmbedder('after', 64)]
    await filled(file, 1_000, before)
    const slow: Embedder = {
      ...after,
      async embed(texts, signal, options) {
        // Time passes between two batches, as with a model.
        if (options?.isBackground) await new Promise(resolve => setTimeout(resolve, 2))
        return after.embed(texts, signal)
      },
    }
    const store = openEmbeddedStore({ file, embedder: slow, redact, formerEmbedder: async () => before })
    const answered: string[] = []
    const progress: number[] = []
    for (let at = 0; progress.at(-1) !== 1_000 || answered.at(-1) !== 'after'; at = (at + 37) % 1_000) {
      const { errorDescription: text, id } = numbered(at)
      const { results } = await store.search({ text, limit: 1 }, never)
      expect(results[0]?.fix.id).toBe(id)
      expect(results[0]?.similarity).toBeCloseTo(1, 4)
      const { embedder, reembedding } = await store.status(never)
      answered.push(embedder?.name ?? '')
      progress.push(reembedding?.done ?? 1_000)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    expect(answered.length).toBeGreaterThan(10)
    expect([...answered].toSorted().toReversed()).toEqual(answered)
    expect(progress).toEqual(progress.toSorted((one, other) => one - other))
    expect(await store.status(never)).toMatchObject({
      embedder: { name: 'after', dimension: 64 },
      reembedding: undefined,
      fixes: 1_000,
    })
    await store.close()
  })

  it('refuses a query vector of another length, though the embedder has the same name', async () => {
    const file = place()
    await filled(file, 3, wordEmbedder('remote'))
    const longer = wordEmbedder('remote', 128)
    // A server tells its dimension with the first vector.
    const remote: Embedder = { ...longer, dimension: undefined }
    const store = openEmbeddedStore({ file, embedder: remote, redact, formerEmbedder: async () => undefined })
    const failed = await store.search({ text: 'port', limit: 1 }, never).catch((error: unknown) => error)
    expect(memoryFailure(failed)).toBe('embedding_failed')
    expect(String(failed)).toContain('128 numbers, and those of the stored fixes have 96')
    await store.close()
  })

  it('finds what was recorded or changed meanwhile, and goes on where another process ended', async () => {
    const file = place()
    const [before, after] = [wordEmbedder('before'), wordEmbedder('after', 64)]
    await filled(file, 200, before)
    const stuck = stuckInBackground(after)
    const formerEmbedder = async () => before
    const first = openEmbeddedStore({ file, embedder: stuck, redact, formerEmbedder })
    await first.add({ ...portTaken, id: 'new' }, {}, never)
    await first.change('fix-7', { errorDescription: 'an utterly different symptom' }, never)
    const firstOf = async (store: typeof first, text: string) =>
      (await store.search({ text, limit: 1 }, never)).results[0]?.fix.id
    expect(await firstOf(first, portTaken.errorDescription)).toBe('new')
    expect(await firstOf(first, 'an utterly different symptom')).toBe('fix-7')
    expect(await firstOf(first, numbered(9).errorDescription)).toBe('fix-9')
    await first.close()
    const second = openEmbeddedStore({ file, embedder: after, redact, formerEmbedder })
    await second.reembedded()
    expect((await second.status(never)).embedder?.name).toBe('after')
    expect(await firstOf(second, 'an utterly different symptom')).toBe('fix-7')
    await second.close()
  })

  it('is not asked by a search by words, a list or a look at the state', async () => {
    const file = place()
    await filled(file, 5, wordEmbedder('before'))
    const after = wordEmbedder('after')
    const store = openEmbeddedStore({ file, embedder: after, redact })
    await store.searchWords({ text: 'number3', limit: 1 }, never)
    await store.list({ limit: 5 }, never)
    await store.status(never)
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(after.seen).toEqual([])
    await store.close()
  })

  it('says how far it is where the former embedder is gone, and answers when all have vectors', async () => {
    const file = place()
    await filled(file, 5, wordEmbedder('before'))
    const after = wordEmbedder('after')
    const formerEmbedder = async () => undefined
    const stuck = openEmbeddedStore({ file, embedder: stuckInBackground(after), redact, formerEmbedder })
    const early = await stuck.search({ text: 'number3', limit: 1 }, never).catch((error: unknown) => error)
    expect(memoryFailure(early)).toBe('embedding_failed')
    expect(String(early)).toContain('0 of 5 fixes have vectors of after so far')
    await stuck.close()
    const store = openEmbeddedStore({ file, embedder: after, redact, formerEmbedder })
    await store.reembedded()
    const { results } = await store.search({ text: numbered(3).errorDescription, limit: 1 }, never)
    expect(results[0]?.fix.id).toBe('fix-3')
    await store.close()
  })
})

/** Answers questions, and never ends what is done in the background. */
const stuckInBackground = (embedder: Embedder): Embedder => ({
  ...embedder,
  embed: (texts, signal, options) =>
    options?.isBackground
      ? new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      : embedder.embed(texts, signal),
})
