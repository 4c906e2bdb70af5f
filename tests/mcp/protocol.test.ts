import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { connect } from './connect.ts'
import { initialize, start } from './start.ts'

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
})
afterEach(() => workspace.remove())

const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' }
const request = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params })
const read = (id: number) => request(id, 'tools/call', { name: 'read', arguments: { path: 'a.txt' } })

describe('a batch', () => {
  it('is answered as one where the version that was agreed on has batches', async () => {
    const [first, batch, last] = await start(workspace).answers(
      initialize('2025-03-26'),
      [initialized, read(2), request(3, 'ping'), request(4, 'no/such')],
      request(5, 'ping'),
    )
    // What is not in it does not wait for it.
    const [answers, single] = Array.isArray(batch) ? [batch, last] : [last, batch]
    expect([first.id, first.result.protocolVersion, single.id]).toEqual([1, '2025-03-26', 5])
    expect(answers.map(({ id }: { id: number }) => id).toSorted()).toEqual([2, 3, 4])
    expect(answers).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 2, result: expect.objectContaining({ content: expect.any(Array) }) }),
        expect.objectContaining({ id: 4, error: expect.objectContaining({ code: -32_601 }) }),
      ]),
    )
  })

  it.each(['2024-11-05', '2025-06-18', '2025-11-25'])('is refused in %s, and the connection goes on', async version => {
    const answers = await start(workspace).answers(initialize(version), [read(2), read(3)], request(4, 'ping'))
    const byId = new Map(answers.map(answer => [answer.id, answer]))
    expect([...byId.keys()].toSorted()).toEqual([1, 2, 3, 4])
    expect(byId.get(2).error).toEqual({
      code: -32_600,
      message: `Only protocol 2025-03-26 has batches, and this connection is in ${version}: send one message a line`,
    })
    expect(byId.get(4).result).toEqual({})
  })
})

describe('a message that is too long', () => {
  it('is refused by its id, and the connection goes on', async () => {
    const content = 'x'.repeat(65 * 1024 * 1024)
    const { answers } = start(workspace)
    const [, refused, pong] = await answers(
      initialize(),
      initialized,
      { method: 'tools/call', params: { name: 'write', arguments: { path: 'b', content } }, jsonrpc: '2.0', id: 2 },
      request(3, 'ping'),
    )
    expect(refused).toEqual({
      jsonrpc: '2.0',
      id: 2,
      error: { code: -32_600, message: 'A message may have 67108864 bytes at most; this one is dropped' },
    })
    expect(pong).toMatchObject({ id: 3, result: {} })
  })
})

describe('a call that is none', () => {
  it.each([
    [
      'arguments that are a list',
      { name: 'list', arguments: [1] },
      /^Invalid request: 'params.arguments' must be object/,
    ],
    [
      'arguments that are a text',
      { name: 'list', arguments: 'x' },
      /^Invalid request: 'params.arguments' must be object/,
    ],
    ['no name', { arguments: {} }, /^Invalid request: 'params.name' must be string/],
  ])('is refused in words: %s', async (_what, params, words) => {
    const [, refused] = await start(workspace).answers(initialize(), request(2, 'tools/call', params))
    expect(refused).toMatchObject({ id: 2, error: { code: -32_602, message: expect.stringMatching(words) } })
    expect(refused.error.message).not.toContain('\n')
  })
})

describe('a version', () => {
  it('that is none is refused in words', async () => {
    const [refused, agreed] = await start(workspace).answers(initialize(5), { ...initialize(), id: 2 })
    expect(refused).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -32_602,
        message: "Invalid request: 'params.protocolVersion' must be string but is number",
      },
    })
    expect(agreed).toMatchObject({ id: 2, result: { protocolVersion: '2025-06-18' } })
  })

  it('that is unknown is answered with a known one, as the protocol says', async () => {
    const [agreed] = await start(workspace).answers(initialize('1999-01-01'))
    expect(agreed).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } })
  })

  it('of a single request that is not served is refused by name', async () => {
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2099-01-01',
      'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const [refused] = await start(workspace).answers(request(1, 'tools/list', { _meta: meta }))
    expect(refused.error).toMatchObject({ message: 'Unsupported protocol version: 2099-01-01' })
  })

  it('of JSON-RPC that is another is refused by the id of the message', async () => {
    const [refused] = await start(workspace).answers({ ...initialize(), jsonrpc: '1.0' })
    expect(refused).toMatchObject({ id: 1, error: { code: -32_600 } })
  })
})

describe('the roots of a client', () => {
  const other = (): string => {
    const path = join(workspace.base, 'other place')
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, 'here.txt'), 'here\n')
    return path
  }
  const uri = (path: string): string => pathToFileURL(path).href

  it('give the workspace where none is named: the first that is a directory here', async () => {
    const path = other()
    await using server = await connect(workspace, {
      protocol: '2025-06-18',
      roots: () => ['https://example.com/x', uri(join(workspace.base, 'gone')), uri(path), uri(workspace.path)],
    })
    expect(server.client.getInstructions()).toContain("one workspace, the client's first root")
    expect((await server.client.listTools()).tools.map(({ name }) => name)).toContain('read')
    expect((await server.call('read', { path: 'here.txt' })).text).toContain('1\there')
    expect((await server.call('read', { path: 'a.txt' })).isError).toBe(true)
    expect(server.errors()).toBe('')
  })

  it('are not asked for where --root names the workspace, and not used where the protocol has none', async () => {
    const path = other()
    const roots = vi.fn<() => string[]>(() => [uri(path)])
    await using named = await connect(workspace, { protocol: '2025-06-18', roots, args: ['--root', workspace.path] })
    expect((await named.call('read', { path: 'a.txt' })).isError).toBe(false)
    await using modern = await connect(workspace, { protocol: 'modern', roots })
    expect((await modern.call('read', { path: 'a.txt' })).isError).toBe(false)
    await using atCurrent = await connect(workspace, {
      protocol: '2025-06-18',
      roots,
      args: ['--contract', 'cli-agent'],
    })
    expect((await atCurrent.call('read_file', { path: 'a.txt' })).text).toContain('one')
    expect(roots).not.toHaveBeenCalled()
  })

  it('that are none leave the current directory', async () => {
    await using server = await connect(workspace, { protocol: '2025-06-18', roots: () => [] })
    expect((await server.call('read', { path: 'a.txt' })).isError).toBe(false)
  })

  it('that the client does not tell leave the current directory, and it is said', async () => {
    await using server = await connect(workspace, {
      protocol: '2025-06-18',
      roots() {
        throw new Error('no window')
      },
    })
    expect((await server.call('read', { path: 'a.txt' })).isError).toBe(false)
    expect(server.errors()).toContain('did not say what its roots are')
  })

  it('that change later leave the connection where it is, and it is said', async () => {
    const path = other()
    let now = path
    await using server = await connect(workspace, { protocol: '2025-06-18', roots: () => [uri(now)] })
    expect((await server.call('read', { path: 'here.txt' })).isError).toBe(false)
    now = workspace.path
    await server.client.sendRootsListChanged()
    await vi.waitFor(() => expect(server.errors()).toContain(`This server stays in ${path}`), 60_000)
    expect((await server.call('read', { path: 'here.txt' })).isError).toBe(false)
  })

  it('with a broken configuration are refused in words, and the connection goes on', async () => {
    const path = other()
    writeFileSync(join(path, 'toolwright.json'), '{')
    await using server = await connect(workspace, { protocol: '2025-06-18', roots: () => [uri(path)] })
    await expect(server.call('read', { path: 'here.txt' })).rejects.toThrow(/toolwright\.json/)
    writeFileSync(join(path, 'toolwright.json'), '{}')
    expect((await server.call('read', { path: 'here.txt' })).isError).toBe(false)
  })
})

describe('a server that cannot open its workspace', () => {
  it('ends, and says why', async () => {
    workspace.write('toolwright.json', '{')
    const { answers, ended, err } = start(workspace)
    await answers(initialize())
    expect((await ended)[0]).not.toBe(0)
    expect(err()).toContain('toolwright.json')
  })
})
