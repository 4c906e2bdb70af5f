import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { egressOf } from '../../guards/egress/egress.ts'
import { makePolicy } from '../../guards/policy/policy.ts'
import { maskDetected } from '../../guards/secrets/detect.ts'
import { nets } from '../../kernel/claim.ts'
import { systemNetwork, type Network } from '../../machine/web/network.ts'
import { openWeb } from '../../machine/web/open-web.ts'
import { fakeDocumentation, type FakeDocs, type FakePage, type FakeSite } from '../../testing/fake-documentation.ts'
import { temporaryWorkspace } from '../../testing/temporary-workspace.ts'
import { originsOf } from '../../kernel/documentation-sources.ts'
import { openHolder } from './documentation-holder.ts'
import { openDocumentation } from './open-documentation.ts'
import { DOCUMENTATION_SOURCES } from '../../kernel/documentation-sources.ts'
import type { DocumentationSettings } from '../../kernel/documentation-sources.ts'
import type { DocumentationQuestion } from './types.ts'

const MAP = "Cannot read properties of undefined (reading 'map')"
const PAGES: readonly FakePage[] = [
  {
    service: 'stackoverflow',
    id: 12_345,
    title: `TypeError: ${MAP.replaceAll("'", '&#39;')}`,
    text: 'Use optional chaining: data?.map(…)',
  },
  { service: 'stackoverflow', id: 777, title: 'How to sort a list', text: 'A map of undefined order' },
  { service: 'github', id: 9, title: 'Crash on start', text: `it fails with ${MAP}` },
  { service: 'mdn', id: 3, title: 'Array.prototype.map()', text: 'The map() method creates a new array' },
  { service: 'searxng', id: 4, title: 'Reading map of undefined', text: 'A blog about undefined map' },
  { service: 'brave', id: 5, title: 'Undefined map', text: 'From Brave' },
  { service: 'tavily', id: 6, title: 'Undefined map', text: 'From Tavily' },
]

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

async function rig(settings: Partial<DocumentationSettings> = {}, docs: FakeDocs = {}, pages = PAGES) {
  const fake = await fakeDocumentation(pages, docs)
  const workspace = temporaryWorkspace({ 'package.json': '{}' })
  const time = { now: Date.now() }
  const configured = { cacheMinutes: 60, ...settings }
  const learned: string[] = []
  const open = (permissions: readonly string[] = ['net'], network: Network = fake.network) => {
    const home = join(workspace.base, 'state')
    const state = { home, path: join(home, 'workspaces', 'one') }
    const holder = openHolder({ root: workspace.path, state, isDenied: () => false, now: () => time.now })
    cleanups.push(() => holder.close())
    const claims = nets(...originsOf(configured, DOCUMENTATION_SOURCES))
    const egress = egressOf(makePolicy({ permissions }))
    const engine = openDocumentation({
      holder,
      settings: configured,
      web: openWeb({ claims, network, egress }),
      store: () => '0123456789abcdef',
      places: [workspace.path],
      mayRead: () => true,
      hide: maskDetected,
      secretOf: async name => (name === 'TOKEN' ? 'a-real-token-value' : undefined),
      learn: async (_name, value) => void learned.push(value),
      sameAgain: false,
    })
    return (question: Partial<DocumentationQuestion>) =>
      engine.search(
        { query: MAP, limit: 10, patienceMs: 1_200, sourceMs: PATIENCE_MS, ...question },
        new AbortController().signal,
      )
  }
  cleanups.push(
    () => workspace.remove(),
    async () => fake[Symbol.asyncDispose](),
  )
  return { fake, search: open(), open, time, learned, workspace }
}

/** A fake on a busy machine may take longer than a source gets. */
const PATIENCE_MS = 60_000
/** For a test that waits for all of it. */
const BRIEF_MS = 4_000

const SOURCES = ['stackoverflow', 'github', 'mdn'] as const

describe('online sources', () => {
  it('answer side by side in one ranking, each hit with its place and a relevance from 0 to 1', async () => {
    const { search } = await rig()
    const { hits, total, failed } = await search({ sources: SOURCES })
    expect(failed).toEqual([])
    expect(total).toBe(4)
    expect(hits[0]).toMatchObject({
      source: 'stackoverflow',
      title: `TypeError: ${MAP}`,
      url: 'https://stackoverflow.com/questions/12345',
      text: '… Use optional chaining: data?.map(…) …',
    })
    expect(hits.map(({ url }) => url)).toContain('https://github.com/acme/shop/issues/9')
    expect(hits.map(({ url }) => url)).toContain('https://developer.mozilla.org/en-US/docs/Web/3')
    const relevance = hits.map(hit => hit.relevance)
    expect(relevance).toEqual(relevance.toSorted((one, other) => other - one))
    expect(Math.min(...relevance)).toBeGreaterThan(0)
    expect(Math.max(...relevance)).toBeLessThanOrEqual(1)
  })

  it('count a place once that several sources found', async () => {
    const web = { engine: 'searxng', url: 'https://search.example.org' } as const
    const { fake, search } = await rig({ web })
    const url = 'https://www.stackoverflow.com/questions/12345/some-title'
    fake.next('searxng', { body: { results: [{ title: 'The same', url, content: 'x' }] } })
    const { hits } = await search({ sources: ['stackoverflow', 'web'] })
    expect(hits.filter(hit => hit.url?.includes('12345'))).toHaveLength(1)
  })

  it('get a query without secrets and private paths', async () => {
    const { fake, search, workspace } = await rig()
    const token = `ghp_${'aB3dE5fG7h'.repeat(4).slice(0, 36)}`
    await search({
      query: `fetch failed with ${token} in ${workspace.path}/src/pay.ts undefined map`,
      sources: SOURCES,
    })
    expect(fake.requests).toHaveLength(3)
    for (const { url } of fake.requests) {
      const sent = decodeURIComponent(url)
      expect(sent).not.toContain('aB3dE5fG7h')
      expect(sent).not.toContain(workspace.base)
      expect(sent.replaceAll('+', ' ')).toContain('fetch failed with in pay.ts undefined map')
    }
  })

  it('are not asked at all if nothing else is left of the query', async () => {
    const { fake, search, workspace } = await rig()
    await expect(search({ query: `${workspace.path}/`, sources: ['mdn'] })).rejects.toMatchObject({
      code: 'unavailable',
    })
    expect(fake.requests).toEqual([])
  })

  it('get words of an error message as words, not as qualifiers of a search', async () => {
    const { fake, search } = await rig()
    await search({ query: `repo:private/x "error" NOT found: ${'map '.repeat(100)}`, sources: ['github'] })
    const q = fake.asked('github')[0]?.searchParams.get('q') ?? ''
    expect(q).toMatch(/^repo private\/x error not found map .* is:issue$/)
    expect(q.length).toBeLessThanOrEqual(256)
  })

  it('get their keys from the environment, which are known as secrets first', async () => {
    const written = { token: '$ENV.TOKEN' }
    const { fake, search, learned } = await rig({ github: written, stackoverflow: { key: '$ENV.TOKEN' } })
    await search({ sources: ['github', 'stackoverflow'] })
    expect(fake.requests.find(({ url }) => url.includes('github'))?.headers['authorization']).toBe(
      'Bearer a-real-token-value',
    )
    expect(fake.asked('stackoverflow')[0]?.searchParams.get('key')).toBe('a-real-token-value')
    expect(learned).toContain('a-real-token-value')
  })

  it('name a key that is not set', async () => {
    const { search } = await rig({ github: { token: '$ENV.MISSING' } })
    await expect(search({ sources: ['github'] })).rejects.toMatchObject({
      code: 'unavailable',
      message:
        "github: The configuration names the secret 'MISSING', which is not set. Set MISSING in the environment, or put it into the secrets file",
    })
  })

  it.each([
    ['searxng', { url: 'https://search.example.org' }, 'https://blog.example.com/4'],
    ['brave', { key: '$ENV.TOKEN' }, 'https://blog.example.com/5'],
    ['tavily', { key: '$ENV.TOKEN' }, 'https://blog.example.com/6'],
  ] as const)('search the web by %s', async (engine, more, url) => {
    const { fake, search } = await rig({ web: { engine, ...more } })
    const { hits } = await search({ sources: ['web'] })
    expect(hits).toMatchObject([{ source: 'web', url }])
    const headers = fake.requests[0]?.headers ?? {}
    if (engine === 'brave') expect(headers['x-subscription-token']).toBe('a-real-token-value')
    if (engine === 'tavily') expect(fake.sent).toEqual([{ query: MAP, max_results: 10 }])
    if (engine === 'tavily') expect(headers['authorization']).toBe('Bearer a-real-token-value')
  })

  it('say so if no web search is configured', async () => {
    const { search } = await rig()
    await expect(search({ sources: ['web'] })).rejects.toMatchObject({ code: 'unavailable', message: /No web search/ })
  })
})

describe('one source that fails', () => {
  it.each([
    ['that is slow', { delayMs: 60_000 }, 'timeout', /It did not answer in 4 seconds/],
    ['that breaks off', { broken: true, body: { documents: [1, 2, 3] } }, 'io', /MDN/],
    ['with an error of its own', { status: 500, body: 'oops' }, 'io', /MDN answered with status 500/],
    ['with a page in place of JSON', { body: '<html>maintenance</html>' }, 'io', /expected JSON/],
    ['with JSON of another shape', { body: { results: 1 } }, 'io', /expected JSON/],
    [
      'with a redirect elsewhere',
      { status: 302, headers: { location: 'http://169.254.169.254/' } },
      'denied',
      /Refused: 169/,
    ],
  ] as const)('%s does not fail the rest, and is named', async (_name, answer, code, message) => {
    const { fake, search } = await rig()
    fake.next('mdn', answer)
    const sourceMs = 'delayMs' in answer ? BRIEF_MS : PATIENCE_MS
    const { hits, failed } = await search({ sources: SOURCES, sourceMs })
    expect(hits.length).toBeGreaterThan(1)
    expect(failed).toMatchObject([{ source: 'mdn', code }])
    expect(failed[0]?.message).toMatch(message)
  })

  it('is the failure of a search that asked no other', async () => {
    const { fake, search } = await rig()
    fake.next('mdn', { delayMs: 3_000 })
    await expect(search({ sources: ['mdn'], sourceMs: undefined })).rejects.toMatchObject({
      code: 'io',
      message: /^mdn: It did not answer in 1\.2 seconds/,
    })
  })

  it('is named in place of nothing found, if nothing else was found', async () => {
    const { fake, search } = await rig()
    const question = { query: 'zzz', sources: ['mdn', 'github'] as const, needsHit: true }
    await expect(search(question)).rejects.toMatchObject({ code: 'no_match' })
    fake.next('mdn', { status: 500 })
    await expect(search({ ...question, query: 'yyy' })).rejects.toMatchObject({ code: 'io', message: /^mdn: / })
  })

  it('at an address of this machine answers once a rule names it', async () => {
    const documents = [{ mdn_url: '/en-US/docs/here', title: 'Here', summary: 'undefined map', highlight: {} }]
    const server = createServer((_request, response) => response.end(JSON.stringify({ documents })))
    await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
    cleanups.push(async () => void server.close())
    const origin = `127.0.0.1:${Object(server.address()).port}`
    const { open } = await rig({ mdn: { url: `http://${origin}/` } })
    const search = open([`net:${origin}`], systemNetwork)
    expect((await search({ sources: ['mdn'] })).hits).toMatchObject([{ url: `http://${origin}/en-US/docs/here` }])
  })

  it('at an address of the inner network is refused', async () => {
    const { search, fake } = await rig({ mdn: { url: 'http://127.0.0.1:9' } })
    await expect(search({ sources: ['mdn'] })).rejects.toMatchObject({ code: 'denied' })
    expect(fake.requests).toEqual([])
  })
})

describe('one package', () => {
  it.each([
    ['@acme/zip', /Similar names are installed: zipper, @other\/zip/],
    ['Zipper', /Similar names are installed: zipper/],
    ['nope', /search all 2 that are installed/],
  ])('that is not installed fails the search: %s', async (name, hint) => {
    const { search, workspace } = await rig()
    for (const each of ['zipper', '@other/zip'])
      workspace.write(`node_modules/${each}/package.json`, JSON.stringify({ name: each, version: '1.0.0' }))
    const question = { query: 'zip', package: name, patienceMs: 20_000 }
    const expected = { code: 'not_found', message: `The package '${name}' is not installed here`, hint }
    await expect(search({ ...question, sources: ['installed'] })).rejects.toMatchObject(expected)
    await expect(search({ ...question, sources: ['installed', 'mdn'] })).rejects.toMatchObject(expected)
  })

  it('where none is installed says so', async () => {
    const { search } = await rig()
    const failure = search({ query: 'zip', package: 'zod', sources: ['installed'], patienceMs: 20_000 })
    await expect(failure).rejects.toMatchObject({
      code: 'not_found',
      hint: /no node_modules and no virtual environment/,
    })
  })
})

describe('limits', () => {
  const second = (at: number) => Math.floor(at / 1000)
  const cases: readonly [
    string,
    FakeSite,
    'stackoverflow' | 'github' | 'mdn' | 'web',
    (now: number) => object,
    number,
  ][] = [
    [
      'backoff of Stack Exchange',
      'stackoverflow',
      'stackoverflow',
      () => ({ body: { items: [], backoff: 10, quota_remaining: 5 } }),
      10,
    ],
    [
      'a violation of its throttle',
      'stackoverflow',
      'stackoverflow',
      () => ({
        status: 400,
        body: {
          error_id: 502,
          error_message: 'too many requests from this IP, more requests available in 77 seconds',
          error_name: 'throttle_violation',
        },
      }),
      77,
    ],
    [
      'the primary limit of GitHub',
      'github',
      'github',
      now => ({
        status: 403,
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(second(now) + 30) },
        body: { message: 'API rate limit exceeded' },
      }),
      30,
    ],
    [
      'its secondary limit',
      'github',
      'github',
      () => ({
        status: 403,
        headers: { 'retry-after': '45' },
        body: { message: 'You have exceeded a secondary rate limit' },
      }),
      45,
    ],
    [
      'its secondary limit with another status',
      'github',
      'github',
      () => ({ status: 429, headers: { 'retry-after': '20' }, body: {} }),
      20,
    ],
    [
      'a last answer of GitHub',
      'github',
      'github',
      now => ({ headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(second(now) + 25) } }),
      25,
    ],
    ['retry-after of MDN', 'mdn', 'mdn', () => ({ status: 429, headers: { 'retry-after': '15' }, body: '' }), 15],
    [
      'a date in retry-after',
      'mdn',
      'mdn',
      now => ({ status: 503, headers: { 'retry-after': new Date(now + 40_000).toUTCString() }, body: '' }),
      40,
    ],
    [
      'the windows of Brave',
      'brave',
      'web',
      () => ({
        status: 429,
        headers: { 'x-ratelimit-remaining': '0, 1990', 'x-ratelimit-reset': '3, 90000' },
        body: {},
      }),
      3,
    ],
    ['a plan of Tavily that is used up', 'tavily', 'web', () => ({ status: 432, body: { detail: 'limit' } }), 3_600],
  ]

  it.each(cases)('%s is respected, also by another process', async (_name, service, source, answer, seconds) => {
    const web = { engine: service === 'tavily' ? 'tavily' : 'brave' } as const
    const { fake, search, open, time } = await rig({ web })
    fake.next(service, answer(time.now))
    await search({ query: 'undefined one', sources: [source] }).catch(() => {})
    expect(fake.requests).toHaveLength(1)
    for (const ask of [search, open()]) {
      const failure = ask({ query: 'undefined two', sources: [source] })
      await expect(failure).rejects.toMatchObject({ code: 'quota', details: { retryAt: /^20.*Z$/ } })
    }
    expect(fake.requests).toHaveLength(1)
    time.now += (seconds + 2) * 1000
    await search({ query: 'undefined two', sources: [source] })
    expect(fake.requests).toHaveLength(2)
  })

  it('of a quota by the day end with that day', async () => {
    const { fake, search, time } = await rig()
    fake.next('stackoverflow', { body: { items: [], quota_remaining: 0, quota_max: 300 } })
    await search({ sources: ['stackoverflow'] })
    const midnight = new Date(new Date(time.now).setUTCHours(24, 0, 0, 0)).toISOString()
    await expect(search({ query: 'another', sources: ['stackoverflow'] })).rejects.toMatchObject({
      code: 'quota',
      details: { retryAt: midnight },
    })
  })

  it('do not keep a kept answer back', async () => {
    const { fake, search, time } = await rig()
    await search({ sources: ['mdn'] })
    time.now += 2 * 3_600_000
    fake.next('mdn', { status: 429, headers: { 'retry-after': '100' } })
    await search({ query: 'map', sources: ['mdn'] }).catch(() => {})
    const { hits } = await search({ sources: ['mdn'] })
    expect(hits).toMatchObject([{ ageSeconds: 7_200 }])
  })
})

describe('the cache', () => {
  it('gives an answer again with its age, also to another process, until it is old', async () => {
    const { fake, search, open, time } = await rig({ cacheMinutes: 10 })
    expect((await search({ sources: ['mdn'] })).hits[0]?.ageSeconds).toBeUndefined()
    time.now += 120_000
    for (const ask of [search, open()])
      expect((await ask({ sources: ['mdn'] })).hits).toMatchObject([{ ageSeconds: 120 }])
    expect(fake.requests).toHaveLength(1)
    time.now += 600_000
    expect((await search({ sources: ['mdn'] })).hits[0]?.ageSeconds).toBeUndefined()
    expect(fake.requests).toHaveLength(2)
  })
})

describe('DevDocs', () => {
  const DOCS: FakeDocs = {
    node: {
      release: '24.1.0',
      pages: {
        fs: '<h1>File system</h1><h4 id="fs.readfile">fs.readFile(path)</h4><p>Reads the entire contents of a file.</p><h4 id="fs.rm">fs.rm(path)</h4><p>Removes files and directories.</p>',
      },
      entries: [
        { name: 'fs.readFile()', path: 'fs#fs.readfile', type: 'File system' },
        { name: 'fs.rm()', path: 'fs#fs.rm', type: 'File system' },
      ],
    },
    'python~3.13': { release: '3.13', pages: {}, entries: [] },
  }
  const READ = { query: 'read the contents of a file', sources: ['devdocs'] as const, patienceMs: 20_000 }

  it('searches DevDocs for a query that is private, because it stays here', async () => {
    const { search } = await rig({ devdocs: { docs: ['node'] } }, DOCS)
    expect(await search({ ...READ, query: '/home/ann/secret.txt' })).toMatchObject({ failed: [] })
  })

  it('is fetched once, kept on disk, and searched there without the network', async () => {
    const { fake, search, open } = await rig({ devdocs: {} }, DOCS)
    const { hits } = await search(READ)
    expect(hits[0]).toMatchObject({
      source: 'devdocs',
      package: 'node',
      version: '24.1.0',
      heading: 'File system › fs.readFile()',
      url: 'https://devdocs.io/node/fs#fs.readfile',
      ref: 'ref:0123456789abcdef',
    })
    expect(hits[0]?.text).toContain('Reads the entire contents of a file.')
    expect(
      fake
        .asked('devdocs')
        .map(({ pathname }) => pathname)
        .toSorted(),
    ).toEqual(['/docs.json', '/node/db.json', '/node/index.json'])
    expect((await open()({ ...READ, query: 'remove directories' })).hits[0]?.heading).toBe('File system › fs.rm()')
    expect(fake.asked('devdocs')).toHaveLength(3)
  })

  it('answers later what takes too long to fetch now, and says so', async () => {
    const { fake, search } = await rig({ devdocs: { docs: ['node'] } }, DOCS)
    fake.next('devdocs', {}, { delayMs: 800 }, { delayMs: 800 })
    const first = await search({ ...READ, patienceMs: 100 })
    expect(first).toMatchObject({ hits: [], notes: ['DevDocs: node not yet fetched; ask again'] })
    expect((await search(READ)).hits[0]?.heading).toBe('File system › fs.readFile()')
  })

  it.each([
    ['docs.json that is no JSON', [{ body: '<html>' }], 'io'],
    ['a documentation that is gone', [{}, { status: 404 }, { status: 404 }], 'io'],
    ['a documentation that is broken', [{}, { body: '{"entries":' }, { body: '{' }], 'io'],
    ['too many requests', [{ status: 429, headers: { 'retry-after': '60' } }], 'quota'],
  ] as const)('fails by %s, with code and reason', async (_name, answers, code) => {
    const { fake, search } = await rig({ devdocs: { docs: ['node'] } }, DOCS)
    fake.next('devdocs', ...answers)
    await expect(search(READ)).rejects.toMatchObject({ code, message: /^devdocs: DevDocs/ })
    const asked = fake.asked('devdocs').length
    if (code === 'quota') await expect(search(READ)).rejects.toMatchObject({ code })
    if (code === 'quota') expect(fake.asked('devdocs')).toHaveLength(asked)
  })

  it('names documentations that it does not have', async () => {
    const { search } = await rig({ devdocs: { docs: ['nodde'] } }, DOCS)
    await expect(search(READ)).rejects.toMatchObject({ code: 'unavailable', message: /DevDocs has none of nodde/ })
  })
})
