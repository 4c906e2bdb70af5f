import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ALLOWING, useServer } from './rig.ts'

const http = useServer({ 'a.txt': 'one\n' }, { config: ALLOWING })
const call = (tool: string, input: object, more: object = {}) =>
  http.current.json('POST', '/v1/calls', { body: { tool, input, ...more } })

/** The events of a stream, as [name, data]. */
const eventsIn = (text: string): readonly (readonly [string, unknown])[] =>
  [...text.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, name = '', data = '']) => [name, JSON.parse(data)])

describe('POST /v1/calls', () => {
  it('answers with the envelope, and does what the call says', async () => {
    const answer = await call('write', { path: 'b.txt', content: 'two\n', expect: 'absent' })
    expect(answer).toMatchObject({ ok: true, data: { path: 'b.txt', created: true }, meta: { changed: ['b.txt'] } })
    expect(http.current.workspace.read('b.txt')).toBe('two\n')
  })

  it('answers a refused call with status 200 and its envelope', async () => {
    const response = await http.current.request('POST', '/v1/calls', {
      body: { tool: 'read', input: { path: '../../etc/passwd' } },
    })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ ok: false, error: { code: 'outside_workspace' } })
  })

  it('changes nothing in a dry run, and applies its plan', async () => {
    const input = { path: 'a.txt', edits: [{ old: 'one', new: 'two' }] }
    await call('read', { path: 'a.txt' })
    const dry = await call('edit', input, { dryRun: true })
    expect(dry).toMatchObject({ ok: true, meta: { plan: expect.stringMatching(/^plan-/) } })
    expect(http.current.workspace.read('a.txt')).toBe('one\n')
    expect(await call('edit', input, { plan: 'plan-0' })).toMatchObject({ ok: false, error: { code: 'conflict' } })
    expect(await call('edit', input, { plan: dry.meta.plan })).toMatchObject({ ok: true })
    expect(http.current.workspace.read('a.txt')).toBe('two\n')
  })

  it('answers as the named contract does', async () => {
    const answer = await call('Read', { file: 'a.txt' }, { contract: 'sage' })
    expect(answer).toMatchObject({ ok: true, data: { content: 'one\n' } })
  })

  it('remembers for each token alone what its calls have read', async () => {
    const { client, json } = http.current
    const tokens = [client('call'), client('call')]
    await json('POST', '/v1/calls', { token: tokens[0] ?? '', body: { tool: 'read', input: { path: 'a.txt' } } })
    const written = await Promise.all(
      tokens.map((token, at) =>
        json('POST', '/v1/calls', {
          token,
          body: { tool: 'write', input: { path: 'a.txt', content: `by ${at}\n` }, dryRun: true },
        }),
      ),
    )
    expect(written.map(({ ok }) => ok)).toEqual([true, false])
  })

  it('sends output as it comes, and the answer last', async () => {
    const response = await http.current.request('POST', '/v1/calls', {
      body: { tool: 'run', input: { command: 'echo first; sleep 1; echo second' } },
      headers: { accept: 'text/event-stream' },
    })
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    const events = eventsIn(await response.text())
    expect(events.at(-1)).toEqual(['answer', expect.objectContaining({ ok: true })])
    const output = events.filter(([name]) => name === 'output').map(([, data]) => Object(data).text)
    expect(output.join('')).toBe('first\nsecond\n')
    expect(output.length).toBeGreaterThan(1)
  })

  it('ends a call whose client leaves', async () => {
    const leaving = new AbortController()
    const body = { tool: 'run', input: { command: 'sleep 60; touch late.txt' } }
    const sent = http.current.request('POST', '/v1/calls', { body, signal: leaving.signal })
    const left = sent.catch((error: unknown) => String(error))
    await expect.poll(() => http.current.server.inFlight()).toBe(1)
    leaving.abort()
    expect(await left).toMatch(/abort/i)
    await expect
      .poll(async () => (await http.current.json('GET', '/v1/journal?type=call')).records[0])
      .toMatchObject({ ok: false, code: 'cancelled' })
    expect(http.current.workspace.snapshot()).not.toHaveProperty('late.txt')
  })
})

describe('a server that stops', () => {
  it('finishes the calls in flight, and takes no others', async () => {
    const body = { tool: 'run', input: { command: 'sleep 1; echo done' } }
    const running = http.current.json('POST', '/v1/calls', { body })
    await expect.poll(() => http.current.server.inFlight()).toBe(1)
    const stopping = http.current.server.stop()
    await pause(50)
    await expect(http.current.request('GET', '/v1/tools')).rejects.toThrow(/fetch failed/)
    expect(await running).toMatchObject({ ok: true, data: { exitCode: 0 } })
    await stopping
  })
})

describe('a call that outlives the time of a stop', () => {
  const brief = useServer({}, { config: ALLOWING, limits: { stopMs: 100 } })

  it('is ended, and its client is told', async () => {
    const body = { tool: 'run', input: { command: 'sleep 60' } }
    const running = brief.current.json('POST', '/v1/calls', { body })
    await expect.poll(() => brief.current.server.inFlight()).toBe(1)
    await brief.current.server.stop()
    expect(await running).toMatchObject({ ok: false, error: { code: 'cancelled' } })
  })
})
