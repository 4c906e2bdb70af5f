import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { serveStdio } from '../../src/mcp.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { CLI, connect } from './connect.ts'
import { INITIALIZE, start as startIn } from './start.ts'

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
})
afterEach(() => workspace.remove())

const start = (args: readonly string[] = []) => startIn(workspace, args)

const ROUNDS = process.env['TOOLWRIGHT_LONG'] === '1' ? 4 : 1

const isAlive = (pid: number | undefined): boolean => {
  try {
    return pid !== undefined && process.kill(pid, 0)
  } catch {
    return false
  }
}

async function untilGone(pid: number | undefined): Promise<void> {
  for (let waited = 0; waited < 2000 && isAlive(pid); waited++) await pause(20)
}

describe('the server', () => {
  it('ends when its input ends, and answers what was asked before', async () => {
    const { child, ended, send, lines, err } = start()
    send(INITIALIZE, { jsonrpc: '2.0', id: 2, method: 'tools/list' })
    child.stdin.end()
    expect(await ended).toEqual([0, null])
    expect(lines().map(line => JSON.parse(line).id)).toEqual([1, 2])
    expect(err()).toBe('')
  })

  it('answers lines that are no message with an error, and keeps its output clean', async () => {
    const { child, ended, send, lines, err } = start()
    send('garbage', '', '{"jsonrpc":"2.0"', '[1]', INITIALIZE, '{"jsonrpc":"1.0","id":7,"method":"ping"}', {
      jsonrpc: '2.0',
      id: 2,
      method: 'ping',
    })
    child.stdin.end()
    await ended
    expect(lines().map(line => JSON.parse(line).id)).toEqual([null, null, null, 7, 1, 2])
    expect(err()).toContain('not a message was skipped: "garbage"')
  })

  it('runs no call that waited for its workspace when the connection ended', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    let text = ''
    output.on('data', (piece: Buffer) => (text += piece.toString()))
    const send = (message: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const { env, path } = workspace
    const serving = await serveStdio({ otherwiseIn: () => path, env, permissions: ['fs:write'], input, output })
    send({
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: { roots: {} },
        clientInfo: { name: 'one that offers roots and never names them', version: '1' },
      },
    })
    await expect.poll(() => text).toContain('"id":1')
    send({ method: 'notifications/initialized' })
    send({ id: 2, method: 'tools/call', params: { name: 'write', arguments: { path: 'late.txt', content: 'x' } } })
    await expect.poll(() => text).toContain('roots/list')
    await serving.close()
    await pause(1_000)
    expect(Object.keys(workspace.snapshot())).toEqual(['a.txt'])
  })

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('ends at a %s, cleanly', async signal => {
    const { child, ended, ready } = start()
    await ready()
    child.kill(signal)
    expect(await ended).toEqual([0, null])
  })

  it('says what is wrong with its options, and does not start', async () => {
    const { child, ended, err } = start(['--contract', 'nope'])
    child.stdin.end()
    expect(await ended).toEqual([2, null])
    expect(err()).toContain("There is no contract 'nope'")
  })

  it('ends when its parent dies, even where its input stays open', async () => {
    // The grandchild keeps our pipe as its input: no end of input tells it that its parent is gone.
    const script = `
      const child = require('node:child_process').spawn(process.execPath, ${JSON.stringify([CLI, 'mcp'])}, { stdio: ['inherit', 'pipe', 'inherit'] })
      child.stdout.on('data', () => process.stdout.write(child.pid + '\\n'))`
    const parent = spawn(process.execPath, ['-e', script], { cwd: workspace.path, env: workspace.env })
    parent.stdin.write(`${JSON.stringify(INITIALIZE)}\n`)
    const [text] = await once(parent.stdout, 'data')
    const pid = Number.parseInt(String(text), 10)
    expect(isAlive(pid)).toBe(true)
    parent.kill('SIGKILL')
    await untilGone(pid)
    expect(isAlive(pid)).toBe(false)
  })

  it('leaves nothing running after many were started and killed', async () => {
    const children: ChildProcess[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const batch = Array.from({ length: 5 }, () => start())
      await Promise.all(batch.map(({ ready }) => ready()))
      batch.forEach(({ child }, at) => (at % 2 === 0 ? child.kill('SIGKILL') : child.stdin.destroy()))
      await Promise.all(batch.map(({ ended }) => ended))
      children.push(...batch.map(({ child }) => child))
    }
    expect(children).toHaveLength(ROUNDS * 5)
    expect(children.filter(({ pid }) => isAlive(pid))).toEqual([])
  })
})

describe('a call that takes long', () => {
  let web: Server
  let port: number
  beforeEach(async () => {
    web = createServer(() => {}).listen(0, '127.0.0.1')
    await once(web, 'listening')
    port = (web.address() as AddressInfo).port
  })
  afterEach(() => {
    web.closeAllConnections()
    web.close()
  })

  it.each(['modern', '2025-06-18'] as const)('is cancelled by its client in the protocol %s', async protocol => {
    const args = ['--allow', `net:127.0.0.1:${port}`]
    await using server = await connect(workspace, { protocol, args })
    const requested = once(web, 'request')
    const controller = new AbortController()
    const call = server.call('fetch', { url: `http://127.0.0.1:${port}/` }, { signal: controller.signal })
    const [request] = await requested
    controller.abort()
    await expect(call).rejects.toThrow('aborted')
    // The request on the web ends with the call.
    await new Promise(resolve => request.once('close', resolve))
    expect((await server.call('read', { path: 'a.txt' })).isError).toBe(false)
    await server.client.close()
    const kit = await workspace.open()
    expect([...kit.workspace.journal.read()].map(record => Reflect.get(record, 'code'))).toContain('cancelled')
  })

  it('ends with the input', async () => {
    const { child, ended, ready, send } = start(['--allow', `net:127.0.0.1:${port}`])
    await ready()
    const requested = once(web, 'request')
    const params = { name: 'fetch', arguments: { url: `http://127.0.0.1:${port}/` } }
    send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params })
    await requested
    child.stdin.end()
    expect(await ended).toEqual([0, null])
  })
})
