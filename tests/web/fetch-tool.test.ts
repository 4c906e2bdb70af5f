import { describe, expect, it } from 'vitest'
import { fakePerson, fakeSecrets } from '../../src/testing/fakes.ts'
import { fakeWeb, type FakeWeb } from '../../src/testing/fake-web.ts'
import { temporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import type { ToolkitOptions } from '../../src/toolkit.ts'

const SECRET = 'tok-8a3f19c2-very-secret'

/** Calls the tool in a web where a.test echoes what it is sent, and inside.test is inside. */
async function call(input: object, options: Omit<ToolkitOptions, 'network'> = {}, dryRun = false) {
  await using web = await fakeWeb({
    dns: { 'a.test': ['93.184.216.34'], 'inside.test': ['10.0.0.5'] },
    hosts: ['a.test'],
    answer: (url, { headers }, response) => void response.end(`${url} ${headers.authorization ?? ''}`),
  })
  await using workspace = temporaryWorkspace()
  const records: object[] = []
  const kit = await workspace.open({ network: web.network, onRecord: record => records.push(record), ...options })
  const { outcome } = await kit.run('fetch', input, { dryRun })
  return { outcome, records, requests: web.requests satisfies FakeWeb['requests'] }
}

describe('toolwright/fetch', () => {
  it('asks a person, dry run or not, and does nothing without one', async () => {
    for (const dryRun of [false, true]) {
      const { outcome, requests } = await call({ url: 'https://a.test/' }, {}, dryRun)
      expect(outcome).toMatchObject({ ok: false, error: { code: 'rejected' } })
      expect(requests).toEqual([])
    }
    const { outcome, records } = await call({ url: 'https://a.test/x' }, { approve: fakePerson('yes') })
    expect(outcome).toMatchObject({ ok: true, data: { content: 'https://a.test/x ', status: 200 } })
    expect(JSON.stringify(records)).toContain('"resource":"https://a.test"')
  })

  it('does not reach internal addresses, even with approval', async () => {
    for (const url of ['http://inside.test/', 'http://127.0.0.1/', 'http://169.254.169.254/latest/meta-data/'])
      for (const permissions of [[], ['net'], ['net:*', 'net:inside.test']]) {
        const { outcome, requests } = await call({ url }, { permissions, approve: fakePerson('yes') })
        expect(outcome).toMatchObject({ ok: false, error: { code: 'denied' } })
        expect(requests).toEqual([])
      }
  })

  it('reaches it where the rules name the host and its address', async () => {
    const { outcome } = await call({ url: 'http://inside.test/' }, { permissions: ['net:inside.test', 'net:10.0.0.5'] })
    expect(outcome).toMatchObject({ ok: true, data: { content: 'http://inside.test/ ' } })
  })

  it('sends a secret in a header, and keeps it out of the answer and the journal', async () => {
    const { outcome, requests, records } = await call(
      { url: 'https://a.test/', headers: { Authorization: 'Bearer $ENV.TOKEN' } },
      { permissions: ['net'], secrets: fakeSecrets({ TOKEN: SECRET }), grantSecrets: true },
    )
    expect(requests[0]?.headers.authorization).toBe(`Bearer ${SECRET}`)
    expect(outcome.ok).toBe(true)
    expect(JSON.stringify([outcome, records])).not.toContain(SECRET)
  })

  it('takes no secret into a URL', async () => {
    const { outcome, requests } = await call(
      { url: 'https://a.test/?t=$ENV.TOKEN' },
      { permissions: ['net'], secrets: fakeSecrets({ TOKEN: SECRET }), grantSecrets: true },
    )
    expect(outcome).toMatchObject({
      ok: false,
      error: { code: 'invalid_input', message: 'Invalid URL: it names a secret' },
    })
    expect(requests).toEqual([])
  })

  it('SG-24: has no network in deterministic mode', async () => {
    await using workspace = temporaryWorkspace()
    const kit = await workspace.open({ deterministic: true, permissions: ['net'] })
    const { outcome } = await kit.run('fetch', { url: 'https://a.test/' })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'unavailable' } })
  })
})
