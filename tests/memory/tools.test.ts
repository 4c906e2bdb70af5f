import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakeFixes } from '../../src/testing/fake-fixes.ts'
import { fakePerson, fakeSecrets, temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { startChroma } from './chroma-server.ts'
import { memoryError } from '../../src/knowledge/memory/failure.ts'

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace()
})
afterEach(() => workspace.remove())

const FIX = { errorDescription: 'ECONNREFUSED at start', rootCause: 'No database', solution: 'Start it' }
const STORED = {
  ...FIX,
  id: 'fix-1',
  errorType: 'ECONNREFUSED',
  diff: '+ start',
  attempts: [{ tried: 'a wait', failed: 'no' }],
}

describe('remember', () => {
  it('asks, and a permission on memory:fixes answers', async () => {
    const fixes = fakeFixes()
    const refused = await workspace.open({ fixes })
    expect(Object(await refused.call('remember', FIX)).error).toMatchObject({ code: 'rejected' })
    const person = fakePerson('yes')
    const asked = await workspace.open({ fixes, approve: person })
    expect(Object(await asked.call('remember', FIX))).toMatchObject({ ok: true, data: { stored: true } })
    expect(person.asked[0]?.card.why).toContain('write memory:fixes')
    const allowed = await workspace.open({ fixes, permissions: ['fs:write:memory:fixes'] })
    const other = { ...FIX, errorDescription: 'EACCES at start' }
    expect(Object(await allowed.call('remember', other)).data).toMatchObject({ stored: true })
  })

  it('is asked inside a transaction too, and stores nothing in a dry run', async () => {
    const fixes = fakeFixes()
    const kit = await workspace.open({ fixes, permissions: ['fs:write:src/**'] })
    await kit.call('stage', { action: 'begin' })
    expect(Object(await kit.call('remember', FIX)).error).toMatchObject({ code: 'rejected' })
    const free = await workspace.open({ fixes, permissions: ['fs:write'] })
    const { outcome } = await free.run('remember', FIX, { dryRun: true })
    expect([outcome.ok, (await fixes.list({ limit: 9 }, new AbortController().signal)).total]).toEqual([true, 0])
  })

  it('offers what says the same, and merges into it', async () => {
    const fixes = fakeFixes([STORED])
    const kit = await workspace.open({ fixes, permissions: ['fs:write'] })
    const again = { ...FIX, solution: 'docker compose up', attempts: [{ tried: 'a restart', failed: 'same' }] }
    expect(Object(await kit.call('remember', again)).data).toMatchObject({ stored: false, similar: [{ id: 'fix-1' }] })
    expect(Object(await kit.call('remember', { ...again, into: 'fix-1' })).data).toEqual({ stored: true, id: 'fix-1' })
    const merged = Object(await kit.call('fixes', { id: 'fix-1' })).data.fixes[0]
    expect(merged).toMatchObject({
      solution: 'docker compose up',
      diff: '+ start',
      attempts: [{}, { tried: 'a restart' }],
    })
    expect(Object(await kit.call('remember', { ...again, into: 'fix-9' })).error).toMatchObject({ code: 'not_found' })
  })

  it('fills in no secret, and keeps none', async () => {
    const fixes = fakeFixes()
    const secrets = { ...fakeSecrets({ TOKEN: 'hunter2hunter2' }), keys: async () => ['TOKEN'] }
    const kit = await workspace.open({ fixes, secrets, permissions: ['fs:write', 'secret:*'] })
    await kit.call('remember', { ...FIX, solution: 'export TOKEN=$ENV.TOKEN', rootCause: 'it was hunter2hunter2' })
    const { fixes: stored } = await fixes.list({ limit: 1 }, new AbortController().signal)
    expect(stored[0]).toMatchObject({ solution: 'export TOKEN=$ENV.TOKEN', rootCause: 'it was [redacted:TOKEN]' })
  })
})

describe('fixes', () => {
  it('answers by words alone where no vector comes in time, without a similarity', async () => {
    const fake = fakeFixes([STORED])
    const late = async () => Promise.reject(memoryError('embedding_failed', 'No vector in time', 'Retry'))
    const words: typeof fake.searchWords = async (query, signal) => {
      const { results, totalFound } = await fake.searchWords(query, signal)
      return { results: results.map(({ fix, score, sameError }) => ({ fix, score, sameError })), totalFound }
    }
    const kit = await workspace.open({ fixes: { ...fake, search: late, searchWords: words } })
    const { data } = Object(await kit.call('fixes', { query: 'ECONNREFUSED' }))
    expect(data).toMatchObject({ fixes: [{ id: 'fix-1' }], total: 1, byWords: 'No vector in time' })
    expect(data.fixes[0]).not.toHaveProperty('similarity')
    expect(data.fixes[0]).not.toHaveProperty('diff')
  })

  it('is read-only, and a rule can deny it', async () => {
    const fixes = fakeFixes([STORED])
    const reading = await workspace.open({ fixes, readOnly: true })
    expect(Object(await reading.call('fixes', { query: 'x' })).ok).toBe(true)
    expect(Object(await reading.call('remember', FIX)).ok).toBe(false)
    workspace.write(
      '../config/config.json',
      JSON.stringify({ policy: { rules: [{ action: 'read', path: 'memory:*', verdict: 'deny' }] } }),
    )
    const denied = await workspace.open({ fixes })
    expect(Object(await denied.call('fixes', { query: 'x' })).error).toMatchObject({ code: 'denied' })
  })
})

describe('vector_search_db', () => {
  it('DA-08: finds a fix on a real server with the model of the package', async () => {
    await using server = await startChroma()
    const memory = { chroma: { url: server.url, collection: 'fixes-of-a-team' } }
    workspace.write('../config/config.json', JSON.stringify({ memory, timeouts: { 'debug-assistant/*': 60_000 } }))
    const own = await workspace.open({ permissions: ['fs:write', 'net'] })
    for (const errorDescription of ['ECONNREFUSED when the database is down', 'The list of users is undefined'])
      expect(Object(await own.call('remember', { ...FIX, errorDescription }))).toMatchObject({ ok: true })
    const kit = await workspace.open({ contract: 'debug-assistant', permissions: ['net'] })
    const search = (input: object) => kit.call('vector_search_db', input)
    expect(await search({ query: 'postgres refuses connections', limit: 1 })).toMatchObject({
      success: true,
      data: {
        query: 'postgres refuses connections',
        results: [{ errorDescription: 'ECONNREFUSED when the database is down', similarity: expect.any(Number) }],
        totalFound: 2,
      },
    })
    expect(await search({ query: 'x', language: 'cobol' })).toMatchObject({ error: { code: 'NO_RESULTS' } })
    await server.kill()
    expect(await search({ query: 'x' })).toMatchObject({ error: { code: 'DB_CONNECTION_FAILED' } })
  }, 120_000)
})
