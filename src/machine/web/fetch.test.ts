import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { egressOf } from '../../guards/egress/egress.ts'
import { makePolicy } from '../../guards/policy/policy.ts'
import { nets } from '../../kernel/claim.ts'
import type { FakeName, FakeWeb } from '../../testing/fake-web.ts'
import { fetched, PUBLIC, sent, to, type Answer } from '../../../tests/web/fetched.ts'
import { systemNetwork } from './network.ts'
import { openWeb } from './open-web.ts'

describe('fetchUrl', () => {
  it('CA-13: gives the page, its type and its size; a status is an answer', async () => {
    expect(await fetched({ '*': 'hello' }, { url: 'http://a.test/x#y' })).toEqual({
      url: 'http://a.test/x#y',
      status: 200,
      headers: expect.objectContaining({ 'content-type': 'text/plain' }),
      contentType: 'text/plain',
      bytes: 5,
      truncated: false,
      encoding: 'utf-8',
      content: 'hello',
      warnings: [],
    })
    const missing: Answer = (_request, response) => void response.writeHead(404, { 'content-length': 4 }).end('gone')
    expect(await fetched({ '*': missing }, { url: 'https://a.test/' })).toMatchObject({
      status: 404,
      announcedBytes: 4,
      content: 'gone',
    })
  })

  it('sends JSON, but never to where a redirect leads', async () => {
    const bodies: string[] = []
    const echo: Answer = (request, response) => {
      request.on('data', (chunk: Buffer) =>
        bodies.push(`${request.method} ${request.headers['content-type']} ${chunk}`),
      )
      request.on('end', () => response.end('got it'))
    }
    const given = { method: 'POST', body: '{"a":1}' } as const
    expect(await fetched({ '*': echo }, { url: 'https://a.test/', ...given })).toMatchObject({ content: 'got it' })
    expect(bodies).toEqual(['POST application/json {"a":1}'])
    const away: Answer = (_request, response) => void response.writeHead(307, { location: '/other' }).end()
    await expect(fetched({ '*': away }, { url: 'https://a.test/', ...given })).rejects.toMatchObject({ code: 'denied' })
  })

  it('turns HTML into Markdown, and leaves it alone when asked for it raw', async () => {
    const pages = { '*': sent('<title>T</title><h1>H</h1>', { 'content-type': 'text/html; charset=utf-8' }) }
    expect(await fetched(pages, { url: 'https://a.test/' })).toMatchObject({ content: '# H', title: 'T' })
    expect(await fetched(pages, { url: 'https://a.test/', as: 'raw' })).toMatchObject({
      content: '<title>T</title><h1>H</h1>',
    })
  })

  it('asks for a page as HEAD without reading a body', async () => {
    const page = await fetched({ '*': sent('', { 'content-length': 99 }) }, { url: 'https://a.test/', method: 'HEAD' })
    expect(page).toMatchObject({ bytes: 0, announcedBytes: 99, content: '', truncated: false })
  })

  it('refuses an origin that the call did not claim', async () => {
    const egress = egressOf(makePolicy({ permissions: ['net'] }))
    const engine = openWeb({ claims: nets('https://a.test/'), network: systemNetwork, egress })
    for (const url of ['https://b.test/', 'http://a.test/', 'https://a.test:8443/'])
      await expect(engine.fetch({ url }, new AbortController().signal)).rejects.toMatchObject({ code: 'denied' })
    const none = openWeb({ claims: nets('https://a.test/'), network: 'none', egress })
    await expect(none.fetch({ url: 'https://a.test/' }, new AbortController().signal)).rejects.toMatchObject({
      code: 'unavailable',
    })
  })
})

describe('addresses', () => {
  it.each([
    ['one inside among public ones', ['93.184.216.34', '10.0.0.5']],
    ['an inside one the second time', { sequence: [['93.184.216.34'], ['127.0.0.1']] }],
    ['an alias of this machine', { cname: 'localhost' }],
    ['a translated one', ['64:ff9b::7f00:1']],
    ['nonsense', ['93.184.216.34%eth0']],
  ] satisfies [string, FakeName][])('refuses a name with %s, and connects to nothing', async (_what, name) => {
    const after = ({ connections }: FakeWeb) => expect(connections).toEqual([])
    await expect(fetched({}, { url: 'http://a.test/' }, { dns: { 'a.test': name }, after })).rejects.toMatchObject({
      code: 'denied',
    })
  })

  it.each([
    ['http://169.254.169.254/', {}, "'net:169.254.169.254:80'"],
    ['https://a.test/', { 'a.test': ['10.0.0.5'] }, "'net:10.0.0.5:443'"],
    ['http://[::1]:8080/', {}, "'net:[::1]:8080'"],
    ['http://a.test:22/', { 'a.test': ['93.184.216.34'] }, "'net:a.test:22'"],
  ] satisfies [string, Record<string, FakeName>, string][])('says what would open %s', async (url, dns, permission) => {
    await expect(fetched({}, { url }, { dns })).rejects.toMatchObject({ hint: expect.stringContaining(permission) })
  })

  it('connects to the address that was judged, whatever the name stands for by after', async () => {
    const dns = { 'a.test': { sequence: [['93.184.216.34'], ['93.184.216.34'], ['127.0.0.1']] } }
    const after = ({ connections }: FakeWeb) => expect(connections).toEqual([{ address: '93.184.216.34', port: 80 }])
    expect(await fetched({ '*': 'ok' }, { url: 'http://a.test/' }, { dns, after })).toMatchObject({ content: 'ok' })
  })

  it.each([
    ['a name that does not exist', {}, 'no such host'],
    ['a name without addresses', { 'a.test': [] }, 'no such host'],
  ] satisfies [string, Record<string, FakeName>, string][])('CA-13: says so of %s', async (_what, dns, reason) => {
    await expect(fetched({}, { url: 'http://a.test/' }, { dns })).rejects.toMatchObject({
      code: 'io',
      details: { reason },
    })
  })

  it('CA-13: says that a connection was refused, and tries every address before', async () => {
    const tried: string[] = []
    const closed = await new Promise<number>(resolve => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo
        server.close(() => resolve(port))
      })
    })
    const network = {
      lookup: async () => ['93.184.216.34', '93.184.216.35'],
      connect(address: string) {
        tried.push(address)
        return systemNetwork.connect('127.0.0.1', closed)
      },
    }
    const egress = egressOf(makePolicy({ permissions: ['net'] }))
    const engine = openWeb({ claims: nets('http://a.test/'), network, egress })
    const failure = engine.fetch({ url: 'http://a.test/' }, new AbortController().signal)
    await expect(failure).rejects.toMatchObject({ code: 'io', details: { reason: 'connection refused' } })
    expect(tried).toEqual(['93.184.216.34', '93.184.216.35'])
  })

  it('reaches this machine where the rules of the user name it, over the real network', async () => {
    const server = createServer((_request, response) => response.end('from inside'))
    await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const get = (host: string, permission: string) => {
      const url = `http://${host}:${port}/`
      const egress = egressOf(makePolicy({ permissions: [permission] }))
      return openWeb({ claims: nets(url), network: 'system', egress }).fetch({ url }, new AbortController().signal)
    }
    try {
      expect(await get('127.0.0.1', `net:127.0.0.1:${port}`)).toMatchObject({ content: 'from inside' })
      expect(await get('localhost', `net:localhost:${port}`)).toMatchObject({ content: 'from inside' })
      for (const permission of ['net', 'net:*', `net:*:${port}`])
        await expect(get('127.0.0.1', permission)).rejects.toMatchObject({ code: 'denied' })
    } finally {
      server.close()
    }
  })
})

describe('redirects', () => {
  it('follows them, relative ones too, and says where they ended', async () => {
    const pages = {
      'http://a.test/1': to('/2', 301),
      'http://a.test/2': to('http://b.test/3', 307),
      'http://b.test/3': 'there',
    }
    expect(await fetched(pages, { url: 'http://a.test/1' })).toMatchObject({ url: 'http://b.test/3', content: 'there' })
  })

  it.each([
    ['file:///etc/passwd', /only http and https are fetched, not file/],
    ['http://10.0.0.1/', /10\.0\.0\.1 is private/],
    ['http://inside.test/', /inside\.test resolves to 169\.254\.169\.254, which is link-local/],
    ['http://user:pass@b.test/', /user name or password/],
    ['https://b.test:22/', /port 22/],
    ['http://[::ffff:7f00:1]/', /loopback/],
  ])('refuses one to %s', async (location, why) => {
    const dns = { ...PUBLIC, 'inside.test': ['169.254.169.254'] }
    const after = ({ connections }: FakeWeb) => expect(connections).toHaveLength(1)
    const failure = fetched({ '*': to(location) }, { url: 'https://a.test/' }, { dns, after })
    await expect(failure).rejects.toMatchObject({ code: 'denied', message: expect.stringMatching(why) })
  })

  it('refuses one to a host that policy does not allow, and names it', async () => {
    const failure = fetched(
      { '*': to('https://b.test/x') },
      { url: 'https://a.test/' },
      { permissions: ['net:a.test'] },
    )
    await expect(failure).rejects.toMatchObject({
      code: 'denied',
      message: 'Refused: https://a.test redirects to https://b.test, and b.test is not allowed without asking',
    })
  })

  it('names the port of a place that is not allowed', async () => {
    const pages = { '*': to('https://b.test:8443/x') }
    const failure = fetched(pages, { url: 'https://a.test/' }, { permissions: ['net:a.test', 'net:b.test'] })
    await expect(failure).rejects.toMatchObject({
      message: expect.stringContaining('and b.test:8443 is not allowed without asking'),
    })
  })

  it('follows the same host from http to https even where only that origin was granted', async () => {
    const pages = { 'http://a.test/': to('https://a.test/'), 'https://a.test/': 'safe' }
    expect(await fetched(pages, { url: 'http://a.test/' }, { permissions: ['net:http://a.test'] })).toMatchObject({
      content: 'safe',
    })
    const back = { 'https://a.test/': to('http://a.test/') }
    await expect(
      fetched(back, { url: 'https://a.test/' }, { permissions: ['net:https://a.test'] }),
    ).rejects.toMatchObject({ code: 'denied' })
  })

  it('ends a circle', async () => {
    const after = ({ requests }: FakeWeb) => expect(requests).toHaveLength(6)
    const failure = fetched({ '*': to('/again') }, { url: 'http://a.test/' }, { after })
    await expect(failure).rejects.toMatchObject({ code: 'io', details: { reason: 'it redirected more than 5 times' } })
  })

  it('takes a redirect without a place for an answer', async () => {
    const nowhere: Answer = (_request, response) => void response.writeHead(302).end('where?')
    expect(await fetched({ '*': nowhere }, { url: 'http://a.test/' })).toMatchObject({ status: 302, content: 'where?' })
  })

  it('says nothing of what the first origin was told to any other, nor to the first again', async () => {
    const pages = {
      'https://a.test/1': to('https://a.test/2'),
      'https://a.test/2': to('https://b.test/3'),
      'https://b.test/3': to('https://a.test/4'),
    }
    const after = ({ requests }: FakeWeb) =>
      expect(requests.map(({ headers }) => [headers.authorization, headers['x-key'], headers.accept])).toEqual([
        ['Bearer t', 'k', 'text/plain'],
        ['Bearer t', 'k', 'text/plain'],
        [undefined, undefined, expect.stringContaining('text/html')],
        [undefined, undefined, expect.stringContaining('text/html')],
      ])
    const headers = { Authorization: 'Bearer t', 'X-Key': 'k', Accept: 'text/plain' }
    expect(await fetched(pages, { url: 'https://a.test/1', headers }, { after })).toMatchObject({
      url: 'https://a.test/4',
    })
  })
})

describe('what is sent', () => {
  it.each([
    'Host',
    'connection',
    'Content-Length',
    'Transfer-Encoding',
    'Proxy-Authorization',
    'Accept-Encoding',
    'a b',
    '',
  ])("does not send the header '%s' of a caller", async name => {
    await expect(fetched({}, { url: 'http://a.test/', headers: { [name]: 'x' } })).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })

  it('does not send a line break in a header, and shows no value', async () => {
    const failure = fetched({}, { url: 'http://a.test/', headers: { 'X-A': 'secret\r\nHost: b' } })
    await expect(failure).rejects.toMatchObject({ code: 'invalid_input', message: "The header 'X-A' cannot be sent" })
  })
})
