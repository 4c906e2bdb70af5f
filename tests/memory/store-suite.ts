import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { memoryFailure, type MemoryFailure } from '../../src/knowledge/memory/failure.ts'
import { completeFix, verdictChange, type NewFix } from '../../src/knowledge/memory/fix.ts'
import type { Added, Embedder, FixFilter, FixStore } from '../../src/knowledge/memory/types.ts'
import { ToolError, type Code } from '../../src/kernel/error.ts'
import { wordEmbedder } from './word-embedder.ts'

/** What a test opens: a new store, and the same once more. */
export interface SuiteStore {
  readonly store: FixStore
  /** Opens the same place again, as another process would. */
  again(embedder: Embedder): Promise<FixStore>
  dispose(): Promise<void>
}

export type OpenSuiteStore = (parts: {
  readonly embedder: Embedder
  readonly redact: (text: string) => string
}) => Promise<SuiteStore>

const never = new AbortController().signal
const redact = (text: string): string => text.replaceAll('hunter2', '[redacted]')

export const portTaken: NewFix = {
  errorDescription: 'Error: listen EADDRINUSE: address already in use :::3000',
  rootCause: 'A second copy of the dev server was still running in another terminal',
  solution: 'Stop the old server before starting the new one',
  language: 'TypeScript',
  errorType: 'EADDRINUSE',
  confidence: 0.9,
  fixedIn: 'src/server.ts',
}
const noTable: NewFix = {
  errorDescription: 'django.db.utils.OperationalError: no such table: auth_user',
  rootCause: 'Migrations had never run on the fresh database',
  solution: 'Run manage.py migrate in the start script',
  language: 'python',
  errorType: 'OperationalError',
  confidence: 0.6,
  attempts: [{ tried: 'Deleting the sqlite file', failed: 'The tables were still missing afterwards' }],
}
const nullList: NewFix = {
  errorDescription: "TypeError: Cannot read properties of undefined (reading 'map')",
  rootCause: 'The answer of the API is null when nobody is found',
  solution: 'Use an empty list instead of null',
  language: 'typescript',
  errorType: 'TypeError',
  confidence: 0.8,
  userValidated: true,
}

/** Tests that hold for every store of fixes. */
export function storeSuite(name: string, open: OpenSuiteStore): void {
  describe(`${name}: every store`, () => {
    let opened: SuiteStore
    let store: FixStore
    let embedder: ReturnType<typeof wordEmbedder>
    beforeEach(async () => {
      embedder = wordEmbedder()
      opened = await open({ embedder, redact })
      store = opened.store
    })
    afterEach(() => opened.dispose())

    const stored = async (...fixes: readonly NewFix[]): Promise<readonly string[]> => {
      const ids: string[] = []
      for (const fix of fixes) {
        const added: Added = await store.add(fix, {}, never)
        if ('duplicates' in added) throw new Error('a near duplicate')
        ids.push(added.stored.id)
      }
      return ids
    }
    const failure = async (work: Promise<unknown>): Promise<MemoryFailure | Code | undefined> => {
      const error: unknown = await work.catch((reason: unknown) => reason)
      return memoryFailure(error) ?? (error instanceof ToolError ? error.code : undefined)
    }

    it('DA-09: records a fix and gives all of it back', async () => {
      const [id = ''] = await stored({ ...noTable, commit: 'abc123', transaction: 't1', diff: '--- a\n+++ b\n' })
      const fix = await store.get(id, never)
      expect(fix).toMatchObject({ ...noTable, commit: 'abc123', transaction: 't1', diff: '--- a\n+++ b\n' })
      expect(fix?.createdAt).toMatch(/^\d{4}-\d\d-\d\dT/)
      expect(await store.get('another', never)).toBeUndefined()
    })

    it('DA-08: finds the nearest first, with the plain cosine', async () => {
      await stored(portTaken, noTable, nullList)
      const text = noTable.errorDescription
      const { results, totalFound } = await store.search({ text, limit: 2 }, never)
      expect(totalFound).toBe(3)
      expect(results).toHaveLength(2)
      expect(results[0]?.fix.errorType).toBe('OperationalError')
      expect(results[0]?.similarity).toBeCloseTo(1, 4)
      expect(results[0]?.sameError).toBe(true)
      expect(results[0]?.score).toBeGreaterThan(results[1]?.score ?? Infinity)
      for (const { similarity } of results) expect(Math.abs(similarity)).toBeLessThanOrEqual(1)
    })

    it('DA-08: filters before it ranks', async () => {
      await stored(portTaken, noTable, nullList)
      const typesOf = async (filter: Parameters<FixStore['search']>[0]['filter']) =>
        (await store.search({ text: noTable.errorDescription, filter, limit: 10 }, never)).results
          .map(({ fix }) => fix.errorType)
          .toSorted()
      expect(await typesOf({ language: 'TYPESCRIPT' })).toEqual(['EADDRINUSE', 'TypeError'])
      expect(await typesOf({ errorType: 'typeerror' })).toEqual(['TypeError'])
      expect(await typesOf({ minConfidence: 0.8 })).toEqual(['EADDRINUSE', 'TypeError'])
      expect(await typesOf({ userValidated: true })).toEqual(['TypeError'])
      expect(await typesOf({ language: 'typescript', minConfidence: 0.85 })).toEqual(['EADDRINUSE'])
      const limited = await store.search({ text: 'x', filter: { language: 'typescript' }, limit: 1 }, never)
      expect(limited).toMatchObject({ totalFound: 2, results: { length: 1 } })
    })

    it('DA-08: tells that nothing was found', async () => {
      expect(await failure(store.search({ text: 'anything', limit: 5 }, never))).toBe('no_results')
      expect(await failure(store.searchWords({ text: 'anything', limit: 5 }, never))).toBe('no_results')
      await stored(portTaken)
      const filter = { language: 'cobol' }
      expect(await failure(store.search({ text: 'anything', filter, limit: 5 }, never))).toBe('no_results')
      expect(await failure(store.searchWords({ text: 'zebra', limit: 5 }, never))).toBe('no_results')
    })

    it('finds by words alone, without a similarity, and what was tried too', async () => {
      await stored(portTaken, noTable, nullList)
      embedder.seen.length = 0
      const { results } = await store.searchWords({ text: 'deleting the sqlite file', limit: 3 }, never)
      expect(results[0]?.fix.errorType).toBe('OperationalError')
      expect(results[0]).not.toHaveProperty('similarity')
      expect(embedder.seen).toEqual([])
      const named = await store.searchWords({ text: 'connect EADDRINUSE', limit: 1 }, never)
      expect(named.results[0]).toMatchObject({ sameError: true, fix: { errorType: 'EADDRINUSE' } })
    })

    it('finds what was tried by meaning too', async () => {
      await stored(portTaken, noTable, nullList)
      const { results } = await store.search({ text: 'Deleting the sqlite file', limit: 1 }, never)
      expect(results[0]?.fix.errorType).toBe('OperationalError')
    })

    it('DA-09: changes, validates, refutes and removes', async () => {
      const [id = '', other = ''] = await stored(portTaken, noTable)
      expect(await store.change(id, verdictChange('validated', { confidence: 0.9 }), never)).toMatchObject({
        userValidated: true,
      })
      await store.change(id, { errorDescription: 'the port is taken by a zombie' }, never)
      const found = await store.search({ text: 'the port is taken by a zombie', limit: 1 }, never)
      expect(found.results[0]).toMatchObject({ fix: { id, userValidated: true, solution: portTaken.solution } })
      expect(found.results[0]?.similarity).toBeCloseTo(1, 4)
      expect((await store.searchWords({ text: 'zombie', limit: 1 }, never)).results[0]?.fix.id).toBe(id)
      await store.change(other, verdictChange('refuted', { confidence: 0.6 }), never)
      const filter = { minConfidence: 0.1 }
      const rest = await store.search({ text: noTable.errorDescription, filter, limit: 5 }, never)
      expect(rest.results.map(({ fix }) => fix.id)).toEqual([id])
      expect((await store.remove(id, never)).id).toBe(id)
      expect(await store.get(id, never)).toBeUndefined()
      expect(await failure(store.searchWords({ text: 'zombie', limit: 1 }, never))).toBe('no_results')
      expect(await failure(store.remove(id, never))).toBe('not_found')
      expect(await failure(store.change(id, { confidence: 1 }, never))).toBe('not_found')
    })

    it('offers a near duplicate instead of storing it twice', async () => {
      const [id = ''] = await stored(portTaken, noTable)
      const twin = { ...portTaken, errorDescription: 'Error: listen EADDRINUSE: address already in use :::3001' }
      const added = await store.add(twin, {}, never)
      expect(added).toMatchObject({ duplicates: [{ fix: { id } }] })
      expect((await store.nearDuplicates(twin, never)).map(({ fix }) => fix.id)).toEqual([id])
      expect((await store.list({ limit: 10 }, never)).total).toBe(2)
      const otherCause = { ...portTaken, rootCause: 'Docker publishes it', solution: 'Change compose.yaml' }
      expect(await store.add(otherCause, {}, never)).toHaveProperty('stored')
      expect(await store.add(twin, { evenIfSimilar: true }, never)).toHaveProperty('stored')
      expect((await store.list({ limit: 10 }, never)).total).toBe(4)
    })

    it('refuses a second fix of the same id, and what is no fix', async () => {
      await store.add({ ...portTaken, id: 'one' }, {}, never)
      expect(await failure(store.add({ ...noTable, id: 'one' }, {}, never))).toBe('exists')
      expect(await failure(store.add({ ...noTable, confidence: 2 }, {}, never))).toBe('invalid_input')
      expect(await failure(store.add({ ...noTable, solution: '' }, {}, never))).toBe('invalid_input')
      expect(await failure(store.change('one', { confidence: -1 }, never))).toBe('invalid_input')
    })

    it('lists the newest first, in pages', async () => {
      const dated = (id: string, createdAt: string) => completeFix({ ...portTaken, id, createdAt })
      const all = [
        dated('b', '2026-02-01T00:00:00.000Z'),
        dated('c', '2026-03-01T00:00:00Z'),
        dated('a', '2026-01-01T00:00:00Z'),
      ]
      await store.put(all, never)
      const idsOf = async (limit: number, skip?: number) =>
        (await store.list({ limit, ...(skip !== undefined && { skip }) }, never)).fixes.map(({ id }) => id)
      expect(await idsOf(2)).toEqual(['c', 'b'])
      expect(await idsOf(2, 2)).toEqual(['a'])
      expect((await store.list({ limit: 1, filter: { language: 'typescript' } }, never)).total).toBe(3)
    })

    it('yields every fix that passes, and keeps those apart whose ids look alike', async () => {
      await store.put(
        ['a', 'a#1', 'a#2'].map(id => completeFix({ ...noTable, id })),
        never,
      )
      await store.put([completeFix({ ...portTaken, id: 'b' })], never)
      const idsOf = async (filter?: FixFilter) => {
        const ids: string[] = []
        for await (const { id } of store.each(filter, never)) ids.push(id)
        return ids.toSorted()
      }
      expect(await idsOf()).toEqual(['a', 'a#1', 'a#2', 'b'])
      expect(await idsOf({ language: 'python' })).toEqual(['a', 'a#1', 'a#2'])
      await store.remove('a', never)
      expect(await idsOf()).toEqual(['a#1', 'a#2', 'b'])
      expect(await failure(store.put([{ ...completeFix(noTable), id: 'a\u001F1' }], never))).toBe('invalid_input')
    })

    it('imports all or none, and replaces what has the same id', async () => {
      const fix = completeFix({ ...portTaken, id: 'one' })
      await store.put([fix, completeFix({ ...noTable, id: 'two' })], never)
      await store.put([{ ...fix, solution: 'Take another port' }], never)
      expect(await store.list({ limit: 9 }, never)).toMatchObject({ total: 2 })
      expect((await store.get('one', never))?.solution).toBe('Take another port')
      const broken = { ...fix, id: 'three', confidence: 7 }
      expect(await failure(store.put([completeFix({ ...nullList, id: 'four' }), broken], never))).toBe('invalid_input')
      expect(await store.get('four', never)).toBeUndefined()
    })

    it('redacts secrets before anything is stored or embedded', async () => {
      const [id = ''] = await stored({
        ...portTaken,
        errorDescription: 'login with hunter2 failed',
        diff: '+ password = "hunter2"',
        commit: 'hunter2',
        transaction: 'hunter2',
        language: 'hunter2',
        attempts: [{ tried: 'hunter2 again', failed: 'hunter2 is wrong' }],
      })
      await store.change(id, { rootCause: 'hunter2 was changed' }, never)
      await store.put([completeFix({ ...noTable, solution: 'set hunter2' })], never)
      await store.search({ text: 'is hunter2 wrong?', limit: 1 }, never)
      expect(await failure(store.put([completeFix({ ...noTable, id: 'hunter2' })], never))).toBe('invalid_input')
      const { fixes } = await store.list({ limit: 10 }, never)
      expect(JSON.stringify(fixes)).toContain('[redacted]')
      expect(JSON.stringify([fixes, embedder.seen])).not.toContain('hunter2')
    })

    it('gives EMBEDDING_FAILED when no vector comes in time, and answers by words meanwhile', async () => {
      await stored(portTaken)
      const late: Embedder = { ...embedder, embed: () => new Promise(() => {}) }
      const other = await opened.again(late)
      const query = { text: 'address already in use', limit: 1 }
      expect(await failure(other.search({ ...query, embedWithinMs: 50 }, never))).toBe('embedding_failed')
      expect((await other.searchWords(query, never)).results).toHaveLength(1)
      await other.close()
    })

    it('sees what another wrote', async () => {
      const other = await opened.again(wordEmbedder())
      const [id = ''] = await stored(portTaken, noTable)
      const query = { text: portTaken.errorDescription, limit: 1 }
      expect((await other.search(query, never)).results[0]?.fix.id).toBe(id)
      await store.remove(id, never)
      expect((await other.search(query, never)).results[0]?.fix.errorType).toBe('OperationalError')
      await other.add(nullList, {}, never)
      const back = await store.search({ text: nullList.errorDescription, limit: 1 }, never)
      expect(back.results[0]?.fix.errorType).toBe('TypeError')
      await other.close()
    })

    it('tells its state', async () => {
      await stored(portTaken, noTable)
      expect(await store.status(never)).toMatchObject({
        fixes: 2,
        embedder: { name: 'words', dimension: 96 },
        reembedding: undefined,
      })
      expect(((await store.doctor?.(never)) ?? []).filter(({ ok }) => !ok)).toEqual([])
    })
  })
}
