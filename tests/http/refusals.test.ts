import { once } from 'node:events'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../../src/surfaces/http/route.ts'
import { ROUTES } from '../../src/surfaces/http/routes/table.ts'
import { ALLOWING, serveTest, type ServedTest } from './rig.ts'

let http: ServedTest
beforeAll(async () => {
  const limits = { bodyBytes: 10_000, headerBytes: 4_000, headersMs: 2_000, requestMs: 3_000 }
  http = await serveTest({ 'a.txt': 'one\n' }, { config: ALLOWING, limits })
})
afterAll(() => http.stop())

/** Bodies that would do something, for each route that does. */
const BODIES: Readonly<Record<string, object>> = {
  makeCall: { tool: 'write', input: { path: 'b.txt', content: 'b\n', expect: 'absent' } },
  addRule: { deny: ['exec:git push'] },
  checkPolicy: { command: 'ls' },
  queryGraph: { query: 'MATCH (n) RETURN n' },
  writePlan: { items: [] },
}

const pathOf = ({ path }: Route): string => path.replaceAll(/\{\w+\}/g, 'x')
const guarded = ROUTES.filter(({ scope }) => scope !== 'none')
const named = guarded.map(route => [`${route.method} ${route.path}`, route] as const)

/** Sends bytes as they are, and returns the whole answer. */
async function raw(...parts: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect(http.server.port, '127.0.0.1')
  let answer = ''
  socket.on('data', chunk => (answer += chunk)).on('error', () => {})
  const closed = once(socket, 'close')
  for (const part of parts) socket.write(part)
  await closed
  return answer
}

const headersOf = (host: string, more: readonly string[] = []): string =>
  [`Host: ${host}`, `Authorization: Bearer ${http.token}`, 'Connection: close', ...more, '', ''].join('\r\n')

/** Sends a route's request with these headers, as a browser or an attacker could. */
const sent = (route: Route, host: string, more: readonly string[] = [], target = pathOf(route)): Promise<string> => {
  const body = JSON.stringify(BODIES[route.id] ?? {})
  const sending = route.method === 'POST' ? ['Content-Type: application/json', `Content-Length: ${body.length}`] : []
  return raw(
    `${route.method} ${target} HTTP/1.1\r\n${headersOf(host, [...more, ...sending])}`,
    sending.length ? body : '',
  )
}

/** Whatever a request did would be in one of these. */
const state = () => [http.kit.workspace.journal.head(), http.workspace.snapshot(), http.kit.workspace.hasDenials()]

async function expectNothingDone(work: () => Promise<void>): Promise<void> {
  const before = state()
  await work()
  expect(state()).toEqual(before)
}

describe.each(named)('%s', (_, route) => {
  const ask = (token: string): Promise<Response> =>
    http.request(route.method, pathOf(route), {
      token,
      ...(route.method === 'POST' && { body: BODIES[route.id] ?? {} }),
    })

  it('is refused without a token, and with one that is wrong, revoked or of another server', async () => {
    await using other = await serveTestApart()
    const revoked = http.client('read', 'call', 'approve')
    for (const { name } of http.tokens.list()) http.tokens.revoke(name)
    await expectNothingDone(async () => {
      for (const token of ['', 'tw_wrong', revoked, other.token, `${http.token}x`]) {
        const response = await ask(token)
        expect([token, response.status]).toEqual([token, 401])
        expect(await response.json()).toMatchObject({ error: { code: 'wrong_token' } })
      }
    })
  })

  it('is refused with a token of other scopes', async () => {
    const others = (['read', 'call', 'approve'] as const).filter(scope => scope !== route.scope)
    const token = http.client(...others)
    await expectNothingDone(async () => {
      const response = await ask(token)
      expect(response.status).toBe(403)
      expect(await response.json()).toMatchObject({ error: { code: 'wrong_scope' } })
    })
  })

  it('is refused for another Host or Origin, and for a whole address in the request line', async () => {
    const { port } = http.server
    const here = `127.0.0.1:${port}`
    await expectNothingDone(async () => {
      for (const host of [
        'evil.example',
        `evil.example:${port}`,
        '127.0.0.1',
        `127.0.0.1:${port + 1}`,
        `0.0.0.0:${port}`,
      ])
        expect([host, await sent(route, host)]).toEqual([host, expect.stringMatching(/^HTTP\/1\.1 421 /)])
      expect(await sent(route, here, ['Host: evil.example'])).toMatch(/^HTTP\/1\.1 4\d\d /)
      for (const origin of ['http://evil.example', 'null', `https://127.0.0.1:${port}`, `http://127.0.0.1:${port + 1}`])
        expect([origin, await sent(route, here, [`Origin: ${origin}`])]).toEqual([
          origin,
          expect.stringMatching(/^HTTP\/1\.1 403 /),
        ])
      expect(await sent(route, here, ['Sec-Fetch-Site: cross-site'])).toMatch(/^HTTP\/1\.1 403 /)
      expect(await sent(route, here, [], `http://${here}${pathOf(route)}`)).toMatch(/^HTTP\/1\.1 400 /)
      expect(await sent(route, 'evil.example', [], `http://${here}${pathOf(route)}`)).toMatch(/^HTTP\/1\.1 4\d\d /)
      expect(await sent(route, here, ['Authorization: Bearer tw_other'])).toMatch(/^HTTP\/1\.1 401 /)
    })
  })
})

const posts = named.filter(([, { method }]) => method === 'POST')

describe.each(posts)('the body of %s', (_, route) => {
  const here = () => `127.0.0.1:${http.server.port}`
  const head = (more: readonly string[]) => `POST ${pathOf(route)} HTTP/1.1\r\n${headersOf(here(), more)}`
  const JSON_TYPE = 'Content-Type: application/json'

  it('is refused if it is too large, declared or not', async () => {
    const large = JSON.stringify({ tool: 'write', input: { path: 'b.txt', content: 'x'.repeat(20_000) } })
    await expectNothingDone(async () => {
      expect(await raw(head([JSON_TYPE, `Content-Length: ${large.length}`]), large)).toMatch(/^HTTP\/1\.1 413 /)
      const chunk = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`
      expect(await raw(head([JSON_TYPE, 'Transfer-Encoding: chunked']), chunk)).toMatch(/^HTTP\/1\.1 413 /)
    })
  })

  it('is refused if it is no JSON, of another type, or has fields that the route does not know', async () => {
    await expectNothingDone(async () => {
      for (const [body, type, status] of [
        ['{"tool":', 'application/json', 400],
        ['{"tool":"read","tool":"write","input":{}}', 'application/json', 400],
        ['[]', 'application/json', 400],
        ['{"nonsense":true}', 'application/json', 400],
        ['tool=write', 'application/x-www-form-urlencoded', 415],
        [JSON.stringify(BODIES[route.id] ?? {}), 'text/plain', 415],
      ] as const) {
        const response = await http.request('POST', pathOf(route), { body, headers: { 'content-type': type } })
        expect([body, response.status]).toEqual([body, status])
      }
      const latin = Buffer.from('{"x":"\xe4"}', 'latin1')
      expect(await raw(head([JSON_TYPE, `Content-Length: ${latin.length}`]), latin)).toMatch(/^HTTP\/1\.1 400 /)
    })
  })
})

describe('every body', () => {
  const head = (route: Route) =>
    `POST ${pathOf(route)} HTTP/1.1\r\n${headersOf(`127.0.0.1:${http.server.port}`, ['Content-Type: application/json', 'Content-Length: 100'])}`

  it('is refused if it comes too slowly', async () => {
    await expectNothingDone(async () => {
      const answers = await Promise.all(posts.map(([, route]) => raw(head(route), '{"tool":')))
      expect(answers.filter(answer => !answer.startsWith('HTTP/1.1 408 '))).toEqual([])
    })
  })

  it('is refused if it breaks off', async () => {
    await expectNothingDone(async () => {
      await Promise.all(
        posts.map(async ([, route]) => {
          const socket = connect(http.server.port, '127.0.0.1').on('error', () => {})
          socket.end(`${head(route)}{"tool":`)
          await once(socket.resume(), 'close')
        }),
      )
    })
  })
})

describe('a request', () => {
  it('reaches the server at 127.0.0.1 and no other address of this machine', async () => {
    const addresses = Object.values(networkInterfaces()).flatMap(each => each?.map(({ address }) => address) ?? [])
    const others = [...addresses, '127.0.0.2', '::1'].filter(address => address !== '127.0.0.1')
    const reaches = (host: string) =>
      new Promise<boolean>(resolve => {
        const socket = connect({ host, port: http.server.port, timeout: 2_000 })
        const end = (isReached: boolean) => {
          socket.destroy()
          resolve(isReached)
        }
        socket
          .on('connect', () => end(true))
          .on('error', () => end(false))
          .on('timeout', () => end(false))
      })
    expect(await reaches('127.0.0.1')).toBe(true)
    for (const address of others) expect([address, await reaches(address)]).toEqual([address, false])
  })

  it('is refused if its headers are too large or come too slowly', async () => {
    await expectNothingDone(async () => {
      expect(await sent(guarded[0] as Route, `127.0.0.1:${http.server.port}`, [`X: ${'x'.repeat(5_000)}`])).toMatch(
        /^HTTP\/1\.1 431 /,
      )
      expect(await raw('GET /v1/tools HTTP/1.1\r\n')).toMatch(/^HTTP\/1\.1 408 /)
    })
  })

  it('for what there is not is answered with 404, with and without a token', async () => {
    for (const token of ['', http.token])
      for (const [method, path] of [
        ['GET', '/.well-known/oauth-protected-resource'],
        ['POST', '/register'],
        ['GET', '/v1/nothing'],
        ['DELETE', '/v1/calls'],
      ] as const)
        expect((await http.request(method, path, { token })).status).toBe(404)
  })
})

async function serveTestApart() {
  const other = await serveTest()
  return { token: other.token, [Symbol.asyncDispose]: () => other.stop() }
}
