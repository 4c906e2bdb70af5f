import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as startTls } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { egressOf } from '../../../guards/egress/egress.ts'
import { makePolicy } from '../../../guards/policy/policy.ts'
import { fakeWeb, type FakeWeb } from '../../../testing/fake-web.ts'
import { createNetGrant } from '../../web/net-grant.ts'
import { startProxy } from './start-proxy.ts'
import type { Proxy, ProxyDecision, ProxyLimits } from './types.ts'

let directory: string
let web: FakeWeb
let proxy: Proxy
let decisions: ProxyDecision[]

const GRANTED = ['https://registry.test', 'http://registry.test', 'http://inside.test', 'https://odd.test:22']

async function start(limits: Partial<ProxyLimits> = {}): Promise<void> {
  proxy = await startProxy({
    directory,
    allows: createNetGrant(GRANTED.map(resource => ({ action: 'net', resource }))),
    egress: egressOf(makePolicy({ permissions: ['net'] })),
    network: web.network,
    limits,
    decided: decision => decisions.push(decision),
  })
}

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'toolwright-proxy-test-'))
  decisions = []
  web = await fakeWeb({
    dns: {
      'registry.test': ['93.184.216.34'],
      'other.test': ['93.184.216.34'],
      'inside.test': ['10.0.0.5'],
      'odd.test': ['93.184.216.34'],
    },
    hosts: ['registry.test', 'other.test'],
    answer(url, incoming, response) {
      if (url.endsWith('/big')) return void response.end(Buffer.alloc(300_000, 'a'))
      incoming.setEncoding('utf8').on('data', body => response.write(`got ${body}`))
      incoming.on('end', () => response.end(`${incoming.method} ${url}`))
    },
  })
  await start()
})

afterEach(async () => {
  await proxy.close()
  await web[Symbol.asyncDispose]()
  rmSync(directory, { recursive: true })
})

interface Said {
  readonly status: number
  readonly body: string
}

/** A request with a whole URL, as programs send it to a proxy. */
const ask = (url: string, options: { method?: string; headers?: Record<string, string>; body?: string } = {}) =>
  new Promise<Said>((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = options
    const asking = request({ socketPath: proxy.socket, path: url, method, headers }, answer => {
      let text = ''
      answer.setEncoding('utf8').on('data', chunk => (text += chunk))
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text })).on('error', reject)
    })
    asking.on('error', reject).end(body)
  })

/** CONNECT by hand: the socket where it worked, else what the proxy said. */
const tunnel = (authority: string) =>
  new Promise<{ status: number; body: string; socket: Socket }>((resolve, reject) => {
    const asking = request({ socketPath: proxy.socket, method: 'CONNECT', path: authority })
    asking.on('connect', (answer, socket, head) => {
      socket.unshift(head)
      if (answer.statusCode === 200) return resolve({ status: 200, body: '', socket })
      let body = ''
      socket
        .on('data', chunk => (body += chunk))
        .on('close', () => resolve({ status: answer.statusCode ?? 0, body, socket }))
    })
    asking.on('error', reject).end()
  })

/** What a TLS client gets for this path when it names this server. */
async function secureGet(authority: string, servername: string, path = '/x'): Promise<string> {
  const { socket } = await tunnel(authority)
  const tls = startTls({ socket, servername, ...(web.network.ca !== undefined && { ca: web.network.ca }) })
  return new Promise((resolve, reject) => {
    let text = ''
    tls.on('secureConnect', () => tls.write(`GET ${path} HTTP/1.1\r\nHost: ${servername}\r\nConnection: close\r\n\r\n`))
    tls
      .on('data', chunk => (text += chunk))
      .on('end', () => resolve(text))
      .on('error', reject)
    tls.on('close', () => (text === '' ? reject(new Error('closed')) : resolve(text)))
  })
}

describe('the proxy of a command', () => {
  it('listens where only its owner comes, and leaves nothing behind', async () => {
    expect(statSync(proxy.socket).mode & 0o777).toBe(0o600)
    expect(statSync(join(proxy.socket, '..')).mode & 0o777).toBe(0o700)
    const open = connect(proxy.socket)
    await new Promise(resolve => open.once('connect', resolve))
    const ended = new Promise(resolve => open.once('close', resolve))
    await proxy.close()
    await ended
    expect(readdirSync(directory)).toEqual([])
    await start()
  })

  it('passes on plain requests to a host that was granted, bodies and all', async () => {
    expect(await ask('http://registry.test/left-pad?x=1')).toEqual({
      status: 200,
      body: 'GET http://registry.test/left-pad?x=1',
    })
    expect(await ask('http://registry.test/put', { method: 'PUT', body: 'words' })).toEqual({
      status: 200,
      body: 'got wordsPUT http://registry.test/put',
    })
    expect(decisions).toEqual([
      { method: 'GET', origin: 'http://registry.test', allowed: true },
      { method: 'PUT', origin: 'http://registry.test', allowed: true },
    ])
  })

  it('tunnels TLS to a host that was granted', async () => {
    expect(await secureGet('registry.test:443', 'registry.test')).toContain('GET https://registry.test/x')
    expect(web.connections).toEqual([{ address: '93.184.216.34', port: 443 }])
  })

  it.each([
    ['other.test:443', /not granted other\.test:443/],
    ['registry.test:8443', /not granted registry\.test:8443/],
    ['registry.test:80', /not granted registry\.test:80/],
    ['odd.test:22', /port 22/],
    ['127.0.0.1:443', /not granted/],
    ['user@registry.test:443', /Invalid URL/],
    ['registry.test:443/../', /Invalid URL/],
    ['registry.test', /Invalid URL/],
  ])('refuses to CONNECT to %s, in words, and connects to nothing', async (authority, why) => {
    const { status, body } = await tunnel(authority)
    expect(status).toBe(403)
    expect(body).toMatch(/^Toolwright: /)
    expect(body).toMatch(why)
    expect(web.connections).toEqual([])
    expect(decisions).toMatchObject([{ method: 'CONNECT', allowed: false }])
  })

  it.each([
    ['http://other.test/', 403, /not granted other\.test:80/],
    ['http://inside.test/', 403, /10\.0\.0\.5, which is private/],
    ['http://169.254.169.254/', 403, /not granted/],
    ['https://registry.test/', 403, /ask it for a whole http:/],
    ['/left-pad', 403, /this is a proxy/],
    ['ftp://registry.test/', 403, /this is a proxy/],
  ])('refuses %s', async (url, status, why) => {
    const said = await ask(url)
    expect(said.status).toBe(status)
    expect(said.body).toMatch(why)
    expect(web.connections).toEqual([])
  })

  it('speaks to the host of the URL, whatever the Host header says, and keeps its own headers to itself', async () => {
    await ask('http://registry.test/', {
      headers: {
        Host: 'other.test',
        'Proxy-Authorization': 'Basic x',
        Connection: 'X-Hop',
        'X-Hop': '1',
        'X-Own': '2',
      },
    })
    const [{ headers } = { headers: {} as Record<string, string> }] = web.requests
    expect(headers.host).toBe('registry.test')
    expect(headers).toMatchObject({ 'x-own': '2' })
    expect(Object.keys(headers)).not.toContain('proxy-authorization')
    expect(Object.keys(headers)).not.toContain('x-hop')
  })

  it('does not let TLS for another name through, where many hosts share an address', async () => {
    expect(await secureGet('registry.test:443', 'other.test').catch(() => '')).toBe('')
    expect(decisions.at(-1)).toMatchObject({ allowed: false, why: 'TLS for another name: other.test' })
    expect(web.requests).toEqual([])
  })

  it('says that a granted host is not there', async () => {
    await proxy.close()
    await web[Symbol.asyncDispose]()
    await start()
    expect(await ask('http://registry.test/')).toMatchObject({
      status: 502,
      body: expect.stringContaining('connection refused'),
    })
  })

  it('stops at the bytes and the connections that a command may have', async () => {
    await proxy.close()
    await start({ bytes: 100_000, connections: 2 })
    await expect(ask('http://registry.test/big')).rejects.toThrow(/aborted|hang up/)
    const held = [connect(proxy.socket), connect(proxy.socket)]
    await Promise.all(held.map(socket => new Promise(resolve => socket.once('connect', resolve))))
    await expect(ask('http://registry.test/')).rejects.toThrow(/hang up|ECONNRESET/)
    for (const socket of held) socket.destroy()
  })

  it('closes a tunnel in which nothing moves', async () => {
    await proxy.close()
    await start({ idleMs: 100 })
    const { socket } = await tunnel('registry.test:443')
    await new Promise(resolve => socket.resume().once('close', resolve))
    expect(socket.destroyed).toBe(true)
  })

  it('serves a real program by the usual variables: one host works, a second is refused', async () => {
    const forwarder = createServer(from => {
      const to = connect(proxy.socket)
      from
        .on('error', () => to.destroy())
        .pipe(to)
        .on('error', () => from.destroy())
        .pipe(from)
    })
    await new Promise<void>(resolve => void forwarder.listen(0, '127.0.0.1', resolve))
    const { port } = forwarder.address() as AddressInfo
    writeFileSync(join(directory, 'ca.pem'), web.network.ca ?? '')
    const script =
      "for (const url of ['https://registry.test/left-pad', 'https://other.test/'])" +
      " await fetch(url).then(async a => console.log(a.status, await a.text()), e => console.log('failed', e.cause?.message))"
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: {
        HTTPS_PROXY: `http://127.0.0.1:${port}`,
        NODE_USE_ENV_PROXY: '1',
        NODE_EXTRA_CA_CERTS: join(directory, 'ca.pem'),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let out = ''
    child.stdout.setEncoding('utf8').on('data', text => (out += text))
    await new Promise(resolve => child.on('close', resolve))
    forwarder.close()
    const [first, second] = out.trim().split('\n')
    expect(first).toBe('200 GET https://registry.test/left-pad')
    expect(second).toMatch(/^failed/)
    expect(decisions.map(({ origin, allowed }) => [origin, allowed])).toEqual([
      ['https://registry.test', true],
      ['https://other.test', false],
    ])
  })
})
