// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { chmodSync, chownSync, mkdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { openWorld, worldNames, type World } from './world.ts'

const it = needs('bubblewrap')

describe.each(worldNames)('the one way out of a command that was granted hosts (%s)', name => {
  let world: World
  let proxy: Server
  let socket: string
  const asked: string[] = []

  beforeAll(async () => {
    world = openWorld(name)
    // Root's own state is closed to the user whom a command becomes.
    const directory = join(world.base, 'state')
    mkdirSync(directory, { mode: name === 'root-on-user' ? 0o700 : 0o755 })
    socket = join(directory, 'proxy.sock')
    proxy = standInProxy(asked)
    await new Promise<void>(resolve => proxy.listen(socket, resolve))
    if (process.getuid?.() === 0 && name !== 'root-on-root') chownSync(socket, 1000, 1000)
    chmodSync(socket, 0o600)
  })
  afterAll(async () => {
    proxy.close()
    await world.close()
  })

  it('is our proxy, found by the usual variables', async () => {
    const script = `fetch('http://allowed.example/page').then(answer => answer.text()).then(text => console.log(text))`
    const answer = await world.one(['node', '-e', script], { network: { socket } })
    expect(answer).toMatchObject({ stdout: 'you asked for /page\n', exit: { code: 0 } })
    expect(asked).toEqual(['CONNECT allowed.example:80', 'GET /page'])
    asked.length = 0
  })

  it('tunnels by CONNECT, half-closed connections too', async () => {
    const script = `
      const net = require('net')
      const connection = net.connect({ port: Number(new URL(process.env.HTTPS_PROXY).port), host: '127.0.0.1', allowHalfOpen: true })
      connection.end('CONNECT echo.example:443 HTTP/1.1\\r\\nHost: echo.example:443\\r\\n\\r\\nhello')
      connection.pipe(process.stdout)`
    const { stdout } = await world.one(['node', '-e', script], { network: { socket } })
    expect(stdout).toContain('200')
    expect(asked).toContain('CONNECT echo.example:443')
  })

  it('is the only one: no name, no other address, no other socket', async () => {
    const script = `
      const net = require('net'), dns = require('dns')
      const tried = new Promise(resolve => net.connect(80, '192.0.2.1').on('connect', () => resolve('OUT')).on('error', error => resolve(error.code)))
      const named = new Promise(resolve => dns.lookup('example.com', error => resolve(error?.code ?? 'OUT')))
      const asked = new Promise(resolve => dns.resolve('example.com', error => resolve(error?.code ?? 'OUT')))
      Promise.all([tried, named, asked]).then(all => { console.log(all.join(' ')); process.exit() })`
    const { stdout } = await world.one(['node', '-e', script], { network: { socket } })
    expect(stdout).not.toContain('OUT')
    expect(stdout.trim().split(' ')).toHaveLength(3)
  })

  it('is open when the command begins, and gone with it', async () => {
    const { stdout, exit } = await world.sh('grep -c 0100007F:0C38 /proc/net/tcp', { network: { socket } })
    expect(stdout.trim()).toBe('1')
    expect(exit?.code).toBe(0)
  })
})

/** Answers everything with what it was asked, through a tunnel too. */
function standInProxy(asked: string[]): Server {
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.end(`you asked for ${request.url}`)
  })
  server.on('connect', (request, connection) => {
    asked.push(`${request.method} ${request.url}`)
    connection.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    server.emit('connection', connection)
  })
  return server
}
