import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fakeDocumentation, type FakeDocumentation, type FakePage } from '../../../src/testing/index.ts'
import { failure, rigWith, type Rig } from './rig.ts'

const QUERY = 'TypeError Cannot read property map of undefined'
const PAGES: readonly FakePage[] = [
  {
    service: 'stackoverflow',
    id: 12_345,
    title: 'How to handle undefined when using .map()?',
    text: 'The error TypeError Cannot read property map of undefined occurs when the variable is undefined. Use optional chaining: data?.map(...)',
  },
  { service: 'stackoverflow', id: 2, title: 'Sorting', text: `map ${'long words '.repeat(80)}` },
  {
    service: 'github',
    id: 7,
    title: 'Crash: property map',
    text: 'Cannot read property map of undefined after an update',
  },
  { service: 'mdn', id: 9, title: 'Array.prototype.map()', text: 'The map() method creates a new array' },
]
const PACKAGE = {
  'package.json': '{ "dependencies": { "lists": "2.0.1" } }',
  'node_modules/lists/package.json': '{ "name": "lists", "version": "2.0.1" }',
  'node_modules/lists/README.md': '# lists\n\n## Mapping undefined\n\nmapping an undefined list throws TypeError.\n',
}

/** The time of the document itself. */
const OWN_TIME = { timeouts: { 'debug-assistant/*': 2_000 } }
/** No test lasts as long: what is answered is answered before the service does. */
const NEVER_MS = 600_000

let fake: FakeDocumentation
let rig: Rig
const open = async (config: object = {}, files: Readonly<Record<string, string>> = {}): Promise<void> => {
  rig = await rigWith(files, { permissions: ['net'], ...config }, { network: fake.network })
}
const search = async (parameters: object = {}): Promise<Answer> =>
  Object(await rig.call('web_search_wiki', { query: QUERY, ...parameters }))

interface Answer {
  readonly success: boolean
  readonly data: {
    readonly query: string
    readonly results: readonly Readonly<
      Record<'title' | 'url' | 'snippet' | 'source', string> & { relevanceScore: number }
    >[]
    readonly totalFound: number
    readonly unanswered?: readonly object[]
  }
  readonly error: { readonly code: string; readonly message: string }
}

beforeEach(async () => {
  fake = await fakeDocumentation(PAGES)
})
afterEach(async () => {
  await rig[Symbol.asyncDispose]()
  await fake[Symbol.asyncDispose]()
})

describe('web_search_wiki', () => {
  it('DA-05: answers the example of the document in its shape', async () => {
    await open()
    const answer = await search({ sources: ['stackoverflow'], maxResults: 3 })
    expect(Object.keys(answer)).toEqual(['success', 'data'])
    expect(Object.keys(answer.data)).toEqual(['query', 'results', 'totalFound'])
    expect(answer.data).toMatchObject({ query: QUERY, totalFound: 2 })
    const [first] = answer.data.results
    expect(Object.keys(first ?? {})).toEqual(['title', 'url', 'snippet', 'source', 'relevanceScore'])
    expect(first).toMatchObject({
      title: 'How to handle undefined when using .map()?',
      url: 'https://stackoverflow.com/questions/12345',
      source: 'stackoverflow',
    })
    expect(first?.snippet).toContain('Use optional chaining: data?.map(...)')
  })

  it('DA-05: searches stackoverflow and github unless told otherwise, five results at most', async () => {
    await open()
    const { data } = await search()
    expect(new Set(data.results.map(({ source }) => source))).toEqual(new Set(['stackoverflow', 'github']))
    expect(fake.asked('mdn')).toEqual([])
    expect(data.totalFound).toBe(3)
    expect((await search({ maxResults: 1 })).data).toMatchObject({
      results: [{ source: 'stackoverflow' }],
      totalFound: 3,
    })
  })

  it('DA-05: every snippet has at most 200 characters, every relevanceScore is from 0 to 1, the best first', async () => {
    await open()
    const { results } = (await search({ sources: ['stackoverflow', 'github', 'mdn'], maxResults: 10 })).data
    expect(results).toHaveLength(4)
    const longest = Math.max(...results.map(({ snippet }) => snippet.length))
    expect(longest).toBeGreaterThan(150)
    expect(longest).toBeLessThanOrEqual(200)
    const scores = results.map(({ relevanceScore }) => relevanceScore)
    expect(scores).toEqual(scores.toSorted((one, other) => other - one))
    expect(scores.every(score => score >= 0 && score <= 1)).toBe(true)
  })

  it.each([
    ['many words', 'lists of undefined things '.repeat(20), /^lists (of|undefined|things|lists| )+…$/],
    [
      'a line that lost its middle',
      `Mapping undefined ${'x'.repeat(140)} y ${'z'.repeat(260)}`,
      /^Mapping undefined x{140} y( z+)?…$/,
    ],
    ['one long word', `undefined${'w'.repeat(390)}`, /^undefinedw{150,}…$/],
    ['emoji at the cut', `undefined ${'🙂'.repeat(150)}`, /^undefined (🙂)+…$/u],
  ])('DA-05: cuts a snippet of %s at a word, ending in …, without a torn mark', async (_, text, snippet) => {
    await open(
      {},
      {
        'node_modules/lists/package.json': '{ "name": "lists", "version": "2.0.1" }',
        'node_modules/lists/README.md': `# lists\n\n## Undefined\n\n${text}\n`,
      },
    )
    const { data } = await search({ query: 'undefined', sources: ['docs'] })
    const [first] = data.results
    expect(first?.snippet.length).toBeLessThanOrEqual(200)
    expect(first?.snippet).not.toMatch(/\[\d|[\uD800-\uDBFF]…/)
    expect(first?.snippet.replace(/^.*?Undefined /, '')).toMatch(snippet)
  })

  it('DA-05: cuts the snippet of a page at a word, whether its text is one long line or many lines', async () => {
    await open()
    for (const separator of [' ', '\n']) {
      await fake[Symbol.asyncDispose]()
      fake = await fakeDocumentation([
        { service: 'stackoverflow', id: 3, title: 'Map', text: `map${`${separator}undefined property`.repeat(60)}` },
      ])
      await rig[Symbol.asyncDispose]()
      await open()
      const [first] = (await search()).data.results
      expect(first?.snippet.length).toBeLessThanOrEqual(200)
      expect(first?.snippet.length).toBeGreaterThan(150)
      expect(first?.snippet).toMatch(/(undefined|property)…$/)
    }
  })

  it('DA-05: docs are those of installed packages, by the path that read_file takes', async () => {
    await open({}, PACKAGE)
    const { data } = await search({ sources: ['docs'] })
    expect(data.results).toMatchObject([
      { url: 'node_modules/lists/README.md#L3', source: 'docs', title: 'lists 2.0.1: lists › Mapping undefined' },
    ])
    expect(fake.requests).toEqual([])
  })

  it('DA-05: docs are those of DevDocs too, once the configuration names it', async () => {
    const pages = { fs: '<h1 id="map">map of undefined</h1><p>DevDocs about the TypeError</p>' }
    const entries = [{ name: 'map of undefined', path: 'fs#map', type: 'Lists' }]
    await fake[Symbol.asyncDispose]()
    fake = await fakeDocumentation([], { node: { release: '24', pages, entries } })
    await open({ documentation: { devdocs: { docs: ['node'] } } }, PACKAGE)
    const until = Date.now() + 20_000
    let answer = await search({ sources: ['docs'], maxResults: 10 })
    while (answer.data.unanswered && Date.now() < until) answer = await search({ sources: ['docs'], maxResults: 10 })
    const urls = answer.data.results.map(({ url }) => url)
    expect(urls).toContain('https://devdocs.io/node/fs#map')
    expect(urls).toContain('node_modules/lists/README.md#L3')
  })

  it.each([
    ['a query of two characters', { query: 'ab' }],
    ['a query of 201', { query: 'a'.repeat(201) }],
    ['no query', { query: undefined }],
    ['an unknown source', { sources: ['reddit'] }],
    ['our own source', { sources: ['web'] }],
    ['no result at all', { maxResults: 0 }],
    ['eleven results', { maxResults: 11 }],
    ['half a result', { maxResults: 1.5 }],
  ])('DA-05: refuses %s before any request', async (_name, parameters) => {
    await open()
    expect(await search(parameters)).toMatchObject(failure('INVALID_PARAMETERS', expect.any(String)))
    expect(fake.requests).toEqual([])
  })

  it('DA-05: takes queries of 3 and of 200 characters', async () => {
    await open()
    expect(await search({ query: 'map' })).toMatchObject({ success: true })
    expect(await search({ query: `map ${'x'.repeat(196)}` })).toMatchObject({ success: true })
  })

  it('DA-05: an empty list of sources means the default, in permissions too', async () => {
    await open()
    expect((await search({ sources: [] })).data).toEqual((await search()).data)
    expect(fake.asked('stackoverflow').length).toBeGreaterThan(0)
    await rig[Symbol.asyncDispose]()
    await open({ permissions: ['net:developer.mozilla.org'] })
    expect(await search({ sources: [] })).toMatchObject(failure('PERMISSION_DENIED', expect.any(String)))
  })

  it('DA-05: NO_RESULTS where every source answers and none has anything', async () => {
    await open()
    expect(await search({ query: 'zzzzz qqqqq' })).toMatchObject(
      failure('NO_RESULTS', expect.stringContaining("Nothing was found for 'zzzzz qqqqq'")),
    )
  })

  it('DA-05: RATE_LIMIT_EXCEEDED says until when, and the next call sends nothing', async () => {
    await open()
    fake.next('github', { status: 403, headers: { 'retry-after': '60' }, body: { message: 'secondary rate limit' } })
    for (const query of [QUERY, 'another map'])
      expect(await search({ query, sources: ['github'] })).toMatchObject(
        failure('RATE_LIMIT_EXCEEDED', expect.stringMatching(/^github: GitHub takes no more requests until 20.*Z/)),
      )
    expect(fake.asked('github')).toHaveLength(1)
  })

  it('DA-05: API_ERROR where a service fails, and where it is too slow', async () => {
    await open(OWN_TIME)
    fake.next('mdn', { status: 502, body: 'Bad Gateway' }, { delayMs: NEVER_MS })
    expect(await search({ sources: ['mdn'] })).toMatchObject(
      failure('API_ERROR', expect.stringContaining('mdn: MDN answered with status 502')),
    )
    expect(await search({ sources: ['mdn'] })).toMatchObject(
      failure('API_ERROR', expect.stringMatching(/^mdn: .*1\.2 seconds/)),
    )
  })

  it('DA-05: one failing source does not fail the rest, and is named', async () => {
    await open(OWN_TIME)
    fake.next('github', { delayMs: NEVER_MS })
    const { success, data } = await search()
    expect(success).toBe(true)
    expect(data.results.map(({ source }) => source)).toEqual(['stackoverflow', 'stackoverflow'])
    expect(data.unanswered).toMatchObject([{ source: 'github', message: expect.stringContaining('1.2 seconds') }])
  })

  it('DA-05: reaches no host that is not allowed', async () => {
    await open({ permissions: ['net:api.stackexchange.com'] })
    expect(await search({ sources: ['stackoverflow'] })).toMatchObject({ success: true })
    expect(await search({ sources: ['mdn'] })).toMatchObject(failure('PERMISSION_DENIED', expect.any(String)))
    expect(fake.asked('mdn')).toEqual([])
  })
})
