import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ACCEPTS, beginSession, enveloped, initialize, mcpClient, messagesOf, rpc, textOf } from './mcp-client.ts'
import { ALLOWING, useServer } from './rig.ts'

const http = useServer({ 'a.txt': 'one\n' }, { config: ALLOWING, limits: { resumeMs: 1000 } })
const post = (body: object, headers: object, token?: string) =>
  http.current.request('POST', '/mcp', { body, headers: { ...ACCEPTS, ...headers }, ...(token && { token }) })
const read = (id: number) => rpc(id, 'tools/call', { name: 'read', arguments: { path: 'a.txt' } })
const calls = () => [...http.current.kit.workspace.journal.read()].filter(({ type }) => type === 'call').length
const sleep = (id: number, seconds = 30) =>
  rpc(id, 'tools/call', { name: 'run', arguments: { command: `sleep ${seconds}` } })

describe.each([undefined, '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const)('protocol %s', protocol => {
  it('lists the tools, calls them, and keeps what was read for a later write', async () => {
    const client = await mcpClient(http.current, protocol === undefined ? {} : { protocol })
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('edit')
    expect(textOf(await client.callTool({ name: 'read', arguments: { path: 'a.txt' } }))).toContain('one')
    const written = await client.callTool({ name: 'write', arguments: { path: 'a.txt', content: 'two\n' } })
    expect([written.isError, http.current.workspace.read('a.txt')]).toEqual([undefined, 'two\n'])
    const failed = await client.callTool({ name: 'read', arguments: { path: 'none.txt' } })
    expect(failed.isError).toBe(true)
    await client.close()
  })
})

describe('a token', () => {
  it('is needed, must have the scope, and a session belongs to it', async () => {
    const [reader, caller] = [http.current.client('read'), http.current.client('call')]
    for (const token of ['', 'tw_wrong'])
      expect((await http.current.request('POST', '/mcp', { token, body: initialize(), headers: ACCEPTS })).status).toBe(
        401,
      )
    const session = await beginSession(http.current, { token: reader })
    expect((await post(rpc(1, 'tools/list'), session, reader)).status).toBe(200)
    expect((await post(read(2), session, reader)).status).toBe(403)
    expect((await post(rpc(1, 'tools/list'), session, caller)).status).toBe(404)
    const { body, headers } = enveloped(3, 'tools/call', { name: 'read', arguments: { path: 'a.txt' } })
    expect([(await post(body, headers, reader)).status, (await post(body, headers, caller)).status]).toEqual([403, 200])
    expect(calls()).toBe(1)
  })

  it('is not asked for by pages that say how to get one: they are not there, in plain text', async () => {
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-protected-resource/mcp',
      '/register',
    ]) {
      const response = await http.current.request(path === '/register' ? 'POST' : 'GET', path, { token: '' })
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        404,
        'text/plain; charset=UTF-8',
      ])
    }
  })

  it('does not let pages of other sites in', async () => {
    const { body, headers } = enveloped(1, 'tools/list')
    expect((await post(body, { ...headers, origin: 'http://example.com' })).status).toBe(403)
    expect((await post(body, { ...headers, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  })
})

describe('clients that mix the generations', () => {
  it.each(['2026-07-28', '2099-01-01'])('are served in a session whatever version they send: %s', async version => {
    const session = await beginSession(http.current)
    const [answer] = await messagesOf(await post(read(1), { ...session, 'mcp-protocol-version': version }))
    expect(answer).toMatchObject({ id: 1, result: { content: expect.any(Array) } })
  })

  it('may begin a session with the header of the newest protocol', async () => {
    const session = await beginSession(http.current, { headers: { 'mcp-protocol-version': '2026-07-28' } })
    expect(session['mcp-session-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect((await post(rpc(1, 'tools/list'), session)).status).toBe(200)
  })

  it('may ask for the newest first, and then begin a session', async () => {
    const { body, headers } = enveloped(1, 'server/discover')
    expect((await messagesOf(await post(body, headers)))[0]).toMatchObject({
      result: { supportedVersions: ['2026-07-28'] },
    })
    expect((await post(rpc(1, 'tools/list'), await beginSession(http.current))).status).toBe(200)
  })

  it('are refused when a request contradicts its headers', async () => {
    const { body, headers } = enveloped(1, 'tools/list')
    const answers = await Promise.all([
      post(body, { ...headers, 'mcp-protocol-version': '2025-11-25' }),
      post(body, { ...headers, 'mcp-method': 'tools/call' }),
      post(rpc(1, 'tools/list'), headers),
      post(enveloped(1, 'initialize').body, enveloped(1, 'initialize').headers),
    ])
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 404])
  })

  it('learn that a session is over, so that they begin another', async () => {
    expect((await post(read(1), { 'mcp-session-id': 'none' })).status).toBe(404)
    expect((await post(read(1), {})).status).toBe(400)
    const session = await beginSession(http.current)
    expect((await http.current.request('DELETE', '/mcp', { headers: session })).status).toBe(200)
    expect((await post(read(1), session)).status).toBe(404)
  })
})

describe('an id', () => {
  it('that is in flight is refused in its session, and only there', async () => {
    const session = await beginSession(http.current)
    const other = await beginSession(http.current)
    const first = post(sleep(7, 2), session)
    await first
    const [second] = await messagesOf(await post(read(7), session))
    expect(second).toMatchObject({ id: 7, error: { message: expect.stringContaining('in flight') } })
    expect((await messagesOf(await post(read(7), other)))[0]).toMatchObject({ id: 7, result: {} })
    expect((await messagesOf(await first))[0]).toMatchObject({ id: 7, result: { content: expect.any(Array) } })
    expect((await messagesOf(await post(read(7), session)))[0]).toMatchObject({ id: 7, result: {} })
  })

  it('may repeat in one batch of requests only if they differ', async () => {
    const session = await beginSession(http.current, { version: '2025-03-26' })
    expect((await http.current.request('POST', '/mcp', { body: [read(1), read(1)], headers: session })).status).toBe(
      400,
    )
  })
})

describe('a call', () => {
  it('that its client cancels ends, and its stream is closed', async () => {
    const session = await beginSession(http.current)
    const response = await post(sleep(1), session)
    await post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, session)
    expect(await messagesOf(response)).toEqual([])
    await expect.poll(calls).toBe(1)
    expect(http.current.server.inFlight()).toBe(0)
  })

  it.each(['in a session', 'without one'])('ends when its client leaves: %s', async where => {
    const leaving = new AbortController()
    const { body, headers } =
      where === 'without one'
        ? enveloped(1, 'tools/call', sleep(1).params)
        : { body: sleep(1), headers: await beginSession(http.current) }
    const call = http.current.request('POST', '/mcp', { body, headers, signal: leaving.signal })
    call.catch(() => {})
    await pause(500)
    leaving.abort()
    await expect.poll(calls).toBe(1)
  })

  it('goes on for a client whose connection broke and that comes back', async () => {
    const session = await beginSession(http.current)
    const leaving = new AbortController()
    const headers = { ...session, 'mcp-protocol-version': '2025-11-25' }
    const broken = await http.current.request('POST', '/mcp', { body: sleep(1, 2), headers, signal: leaving.signal })
    const first = new TextDecoder().decode((await broken.body?.getReader().read())?.value)
    const [, last = ''] = /^id: (\S+)$/m.exec(first) ?? []
    leaving.abort()
    let back: Response | undefined
    for (let tries = 0; tries < 100 && !back?.ok; tries++) {
      await pause(50)
      back = await http.current.request('GET', '/mcp', { headers: { ...headers, 'last-event-id': last } })
    }
    expect(back && (await messagesOf(back))).toMatchObject([
      { id: 1, result: { content: [{ text: expect.any(String) }] } },
    ])
    expect([...http.current.kit.workspace.journal.read()].find(({ type }) => type === 'call')).toMatchObject({
      ok: true,
    })
  })
})
