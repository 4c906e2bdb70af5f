import { describe, expect, it } from 'vitest'
import { ACCEPTS, beginSession, enveloped, initialize, mcpClient, messagesOf, rpc } from './mcp-client.ts'
import { useServer } from './rig.ts'

const http = useServer({ 'a.txt': 'one\n' }, { approvalMs: 60_000 })

const post = (body: object, headers: object, token: string) =>
  http.current.request('POST', '/mcp', { body, token, headers: { ...ACCEPTS, ...headers } })
const INPUT = { path: 'b.txt', content: 'b\n', expect: 'absent' }
const read = (id: number) => rpc(id, 'tools/call', { name: 'read', arguments: { path: 'a.txt' } })
const calls = () => [...http.current.kit.workspace.journal.read()].filter(({ type }) => type === 'call').length
const untouched = () =>
  expect([http.current.workspace.snapshot(), calls()]).toEqual([{ 'a.txt': expect.anything() }, 0])

const revokeAll = () => {
  for (const { name } of http.current.tokens.list()) http.current.tokens.revoke(name)
}

it('a revoked token is refused in its own open session, and by every method', async () => {
  const token = http.current.client('read', 'call')
  const session = await beginSession(http.current, { token })
  expect((await post(rpc(1, 'tools/list'), session, token)).status).toBe(200)
  revokeAll()
  const modern = enveloped(3, 'tools/call', { name: 'read', arguments: { path: 'a.txt' } })
  for (const [body, headers] of [
    [read(2), session],
    [rpc(2, 'tools/list'), session],
    [initialize(), {}],
    [modern.body, modern.headers],
  ] as const)
    expect((await post(body, headers, token)).status).toBe(401)
  for (const method of ['GET', 'DELETE'])
    expect((await http.current.request(method, '/mcp', { token, headers: session })).status).toBe(401)
  // The session is nobody else's either, nor that of a new token with the old name.
  for (const other of [http.current.token, http.current.client('read', 'call')])
    expect((await post(read(4), session, other)).status).toBe(404)
  untouched()
})

it('a session is not used, listened to, answered, or ended by another token', async () => {
  const [mine, other] = [http.current.client('read', 'call'), http.current.client('read', 'call', 'approve')]
  const session = await beginSession(http.current, { token: mine })
  for (const body of [read(1), rpc(1, 'tools/list'), { jsonrpc: '2.0', id: 0, result: { action: 'accept' } }])
    expect((await post(body, session, other)).status).toBe(404)
  for (const method of ['GET', 'DELETE']) {
    const response = await http.current.request(method, '/mcp', { token: other, headers: session })
    expect([method, response.status >= 400]).toEqual([method, true])
  }
  untouched()
  expect((await post(rpc(2, 'tools/list'), session, mine)).status).toBe(200)
})

const ELICITS = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw-client', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  },
}

it('a question is not answered with the state of another token, a made-up state, or none', async () => {
  const [mine, other] = [http.current.client('read', 'call'), http.current.client('read', 'call')]
  const { headers } = enveloped(1, 'tools/call', { name: 'write', arguments: INPUT })
  const sent = async (more: object, token: string) => {
    const body = rpc(1, 'tools/call', { name: 'write', arguments: INPUT, ...ELICITS, ...more })
    const [message] = await messagesOf(await post(body, headers, token))
    return Object(message)
  }
  const { result } = await sent({}, mine)
  expect(result).toMatchObject({ requestState: expect.any(String), inputRequests: expect.anything() })
  const [key = ''] = Object.keys(result.inputRequests)
  const inputResponses = { [key]: { action: 'accept', content: { answer: 'yes' } } }
  const state: string = result.requestState
  for (const [requestState, token] of [
    [state, other],
    [`${state}x`, mine],
    [state.slice(0, -1), mine],
    ['', mine],
  ] as const) {
    const answer = await sent({ inputResponses, requestState }, token)
    expect([requestState, answer.error?.message]).toEqual([requestState, expect.stringContaining('requestState')])
    expect(Object.keys(http.current.workspace.snapshot())).toEqual(['a.txt'])
  }
  expect((await sent({ requestState: state, inputResponses }, mine)).result.structuredContent).toMatchObject({
    ok: true,
  })
  expect(Object.keys(http.current.workspace.snapshot())).toEqual(['a.txt', 'b.txt'])
  // Without a state it is another call, which asks for itself.
  const another = { ...INPUT, path: 'c.txt' }
  expect((await sent({ inputResponses, arguments: another }, mine)).result).toHaveProperty('requestState')
  expect(Object.keys(http.current.workspace.snapshot())).toEqual(['a.txt', 'b.txt'])
})

/** Replies that are no yes, as they stand on the wire. */
const REPLIES = [
  '{"action":"accept","content":{"answer":"YES"}}',
  '{"action":"accept","content":{"answer":" yes"}}',
  '{"action":"accept","content":{"answer":"yes\\n"}}',
  '{"action":"accept","content":{"answer":"y"}}',
  '{"action":"accept","content":{"answer":"allow"}}',
  '{"action":"accept","content":{"answer":true}}',
  '{"action":"accept","content":{"answer":1}}',
  '{"action":"accept","content":{"answer":["yes"]}}',
  '{"action":"accept","content":{"answer":{"answer":"yes"}}}',
  '{"action":"accept","content":{"answer":null}}',
  '{"action":"accept","content":{"answer":"no","confirmed":true,"approve":"yes"}}',
  '{"action":"accept","content":{"answer":"no","Answer":"yes"}}',
  '{"action":"accept","content":{"decision":"yes"}}',
  '{"action":"accept","content":{"__proto__":{"answer":"yes"}}}',
  '{"action":"accept","__proto__":{"content":{"answer":"yes"}}}',
  '{"action":"accept","content":["yes"]}',
  '{"action":"accept","content":"yes"}',
  '{"action":"accept","answer":"yes"}',
  '{"action":"Accept","content":{"answer":"yes"}}',
  '{"action":"decline","content":{"answer":"yes"}}',
  '{"action":"cancel","content":{"answer":"always"}}',
  '{"content":{"answer":"yes"}}',
  '{"action":"accept","content":{"answer":"always","scope":"user"}}',
  '["accept"]',
  '"yes"',
  'true',
  'null',
]

describe('a form', () => {
  const alone = useServer({ 'a.txt': 'one\n' })
  // The form shows not all of it, and so does not offer always.
  const long = { path: 'b.txt', content: `${'x'.repeat(60_000)}\n`, expect: 'absent' }
  const sent = async (more: string) => {
    const { body, headers } = enveloped(1, 'tools/call', { name: 'write', arguments: long })
    const text = JSON.stringify({ ...body, params: { ...body.params, ...ELICITS } })
    const token = alone.current.token
    const response = await alone.current.request('POST', '/mcp', {
      token,
      body: text.replace('"_meta"', `${more}"_meta"`),
      headers: { ...ACCEPTS, ...headers },
    })
    const [message] = await messagesOf(response)
    return Object(message)
  }

  it('is answered yes by nothing but the word that it offers', async () => {
    const rules = async () => (await alone.current.json('GET', '/v1/policy')).answers
    const { result: first } = await sent('')
    const [key = ''] = Object.keys(first.inputRequests)
    expect(first.inputRequests[key].params.requestedSchema.properties.answer.enum).toEqual(['yes', 'no'])
    let asked = first
    for (const reply of REPLIES) {
      const [name = ''] = Object.keys(asked.inputRequests)
      const answered = await sent(
        `"requestState":${JSON.stringify(asked.requestState)},"inputResponses":{${JSON.stringify(name)}:${reply}},`,
      )
      const refusal = answered.error?.message ?? answered.result.structuredContent.error.code
      expect([reply, refusal]).toEqual([reply, expect.stringMatching(/^rejected$|nvalid/)])
      expect([reply, Object.keys(alone.current.workspace.snapshot())]).toEqual([reply, ['a.txt']])
      asked = (await sent('')).result
    }
    expect(await rules()).toEqual([])
    const [name = ''] = Object.keys(asked.inputRequests)
    const yes = `{${JSON.stringify(name)}:{"action":"accept","content":{"answer":"yes"}}}`
    await sent(`"requestState":${JSON.stringify(asked.requestState)},"inputResponses":${yes},`)
    expect(Object.keys(alone.current.workspace.snapshot())).toEqual(['a.txt', 'b.txt'])
  })
})

it('the answer of a form is not recorded as that of a terminal, the page, or another token, whatever the client’s name', async () => {
  for (const [at, name] of ['ann (approve)', 'root (page)', 'bot (http token)'].entries()) {
    const client = await mcpClient(http.current, {
      protocol: '2025-11-25',
      capabilities: { elicitation: {} },
      name,
      prepare: each =>
        each.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { answer: 'yes' } })),
    })
    const made = await client.callTool({ name: 'write', arguments: { ...INPUT, path: `${at}.txt` } })
    expect(made.isError).toBeUndefined()
    await client.close()
    const records = JSON.stringify([...http.current.kit.workspace.journal.read()])
    expect([name, records.includes(name)]).toEqual([name, false])
    expect(records).toContain(`"${name.replace('(', '[').replace(')', ']')}`)
  }
})
