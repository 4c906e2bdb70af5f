import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { egressOf } from '../../guards/egress/egress.ts'
import { compileGlob } from '../../guards/glob.ts'
import { makePolicy } from '../../guards/policy/policy.ts'
import { nets } from '../../kernel/claim.ts'
import { ToolError } from '../../kernel/error.ts'
import type { HiddenPaths } from '../../kernel/hidden-paths.ts'
import { fakeGithub, type FakeGithub } from '../../testing/fake-github.ts'
import { createByteCache } from './byte-cache.ts'
import { grepRepository } from './grep-repository.ts'
import { createHub, type Hub } from './hub.ts'
import { openRepositoryEngine } from './open-engine.ts'
import { runWithin } from './grep-repository.ts'
import { searchRepository } from './search-repository.ts'
import type { RepositoryEntry, RepositorySource } from './types.ts'
import { processorMs } from '../../../tests/processor-time.ts'

let github: FakeGithub
let hub: Hub
beforeAll(async () => {
  github = await fakeGithub({
    files: {
      'src/all.ts': "export * from './price.ts'\nexport * from './tax.ts'\n",
      'src/price.ts': 'export const price = (net: number) => net\nexport function label() {}\n',
      'src/tax.ts': 'export class Tax {\n  rate = 0.2\n}\n',
      'src/.hidden.ts': 'export const dotted = 1\n',
      'docs/guide.md': '# Price\n\nThe price is net.\r\nTax is added.\n',
      'data.bin': Buffer.from('price\0'),
      'secret/price.ts': 'export const secretPrice = 1\n',
    },
  })
  hub = createHub({ repository: 'acme/shop' })
})
afterAll(() => github[Symbol.asyncDispose]())

const hiding = (directory: string): HiddenPaths => ({
  matches: path => path.startsWith(`${directory}/`),
  covers: () => false,
  reaches: () => true,
  names: () => true,
})
const { signal } = new AbortController()
const engine = (hides: HiddenPaths | undefined = hiding('secret')) =>
  openRepositoryEngine({
    claims: nets('https://api.github.com'),
    connection: { hub: async () => hub },
    network: github.network,
    egress: egressOf(makePolicy({ permissions: ['net'] })),
    hides,
    learn: async () => {},
    compileGlob,
  })
const base = { maxResults: 100, timeoutMs: 60_000 }

describe('grep in a repository', () => {
  it('finds the lines of text files in the order of paths, with those around them', async () => {
    const found = await engine().grep({ ...base, patterns: ['price', 'Price'], before: 1, after: 1 })
    expect(found).toEqual({
      matches: [
        { path: 'docs/guide.md', line: 1, text: '# Price', context: { before: [], after: [''] } },
        {
          path: 'docs/guide.md',
          line: 3,
          text: 'The price is net.',
          context: { before: [''], after: ['Tax is added.'] },
        },
        {
          path: 'src/all.ts',
          line: 1,
          text: "export * from './price.ts'",
          context: { before: [], after: ["export * from './tax.ts'"] },
        },
        {
          path: 'src/price.ts',
          line: 1,
          text: 'export const price = (net: number) => net',
          context: { before: [], after: ['export function label() {}'] },
        },
      ],
      total: 4,
      filesFound: 3,
      filesSearched: 6,
      filesHidden: 1,
      secretsLeftOut: 0,
      timedOut: false,
      freshness: { source: 'scan' },
    })
  })

  it('takes several patterns, globs, a directory, and pages', async () => {
    const places = async (options: object) =>
      (await engine().grep({ ...base, patterns: ['price', 'Tax'], ...options })).matches.map(
        ({ path, line }) => `${path}:${line}`,
      )
    expect(await places({ globs: ['*.ts', '!src/all.ts'] })).toEqual(['src/price.ts:1', 'src/tax.ts:1'])
    expect(await places({ directory: 'docs', skip: 1, maxResults: 1 })).toEqual(['docs/guide.md:4'])
    expect(await places({ patterns: ['dotted'] })).toEqual(['src/.hidden.ts:1'])
    expect(await places({ patterns: ['dotted'], hidden: false })).toEqual([])
    const files = await engine().grep({ ...base, patterns: ['export'], only: 'files', skip: 1, maxResults: 2 })
    expect(files).toMatchObject({
      matches: [],
      files: [
        { path: 'src/all.ts', count: 2 },
        { path: 'src/price.ts', count: 2 },
      ],
      total: 6,
      filesFound: 4,
    })
  })

  it('refuses what only another program could find, and says when its time was over', async () => {
    await expect(engine().grep({ ...base, patterns: ['a'], multiline: true })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    expect(await engine().grep({ ...base, patterns: ['price'], timeoutMs: -1 })).toMatchObject({
      filesSearched: 0,
      timedOut: true,
    })
  })

  it('refuses a directory that is not there', async () => {
    const asked = (directory: string) => engine().grep({ ...base, patterns: ['price'], directory })
    await expect(asked('nowhere')).rejects.toMatchObject({ code: 'not_found' })
    expect((await asked('docs/guide.md')).filesFound).toBe(1)
    expect((await asked('docs')).filesFound).toBe(1)
  })
})

describe('work that cannot be waited for', () => {
  it('is ended in the middle of a regular expression', () => {
    const since = processorMs()
    expect(runWithin(50, () => /^(a+)+$/.test(`${'a'.repeat(40)}b`))).toBeUndefined()
    expect(processorMs() - since).toBeLessThan(2_000)
    expect(runWithin(1_000, () => 1 + 1)).toEqual({ gave: 2 })
    expect(() =>
      runWithin(1_000, () => {
        throw new Error('as it is')
      }),
    ).toThrow('as it is')
  })
})

describe('the index of a repository', () => {
  it('knows exports, tags, symbols and paths, `export *` followed, and is built once for a commit', async () => {
    const ask = async (by: 'export' | 'tag' | 'symbol' | 'prefix', value: string) =>
      (await engine().query({ by, value }, { limit: 10 }, signal)).files.map(({ path }) => path)
    expect(await ask('export', 'price')).toEqual(['src/all.ts', 'src/price.ts'])
    const sent = github.answered.length
    expect(await ask('export', 'Tax')).toEqual(['src/all.ts', 'src/tax.ts'])
    expect(await ask('symbol', 'label')).toEqual(['src/price.ts'])
    expect(await ask('tag', 'typescript')).toHaveLength(4)
    expect(await ask('prefix', 'docs/')).toEqual(['docs/guide.md'])
    expect(github.answered.slice(sent).map(({ status }) => status)).toEqual([304, 304, 304, 304])
  })

  it('differs for a caller that may read other files', async () => {
    const query = { by: 'export', value: 'secretPrice' } as const
    const asked = (hides: HiddenPaths) => engine(hides).query(query, { limit: 10 }, signal)
    expect(await asked(hiding('secret'))).toMatchObject({ files: [], total: 0, current: true })
    expect(await asked(hiding('docs'))).toMatchObject({ files: [{ path: 'secret/price.ts' }], total: 1 })
    const [one, other] = [await asked(hiding('secret')), await asked(hiding('docs'))]
    expect(one.repoHash).not.toBe(other.repoHash)
  })
})

describe('a search without time', () => {
  const entry = (path: string, size = 1): RepositoryEntry => ({ path, kind: 'file', size, sha: path })
  const source = (files: readonly RepositoryEntry[], read: string[] = []): RepositorySource => ({
    version: 'one',
    files: async () => files,
    hidden: async () => [],
    directory: async () => [],
    async read(path) {
      read.push(path)
      return { bytes: Buffer.from('text\n'), size: 5 }
    },
  })
  const search = { query: 'text', wants: () => true, limit: 5 }

  it('is an error that says how far it came, never a list that looks whole', async () => {
    const files = Array.from({ length: 20 }, (_, at) => entry(`${at}.txt`))
    await expect(searchRepository(source(files), { ...search, deadline: 0 })).rejects.toMatchObject({
      code: 'timeout',
      message: 'Only 0 of 20 files could be searched in time, with 0 matches so far',
    })
  })

  it('is one also where the last request took what was left of it; more than is kept is not offered to go on', async () => {
    const files = Array.from({ length: 20 }, (_, at) => entry(`${at}.txt`, 1_000))
    const late = (all: readonly RepositoryEntry[]): RepositorySource => ({
      ...source(all),
      async read(path) {
        if (path !== '9.txt') return { bytes: Buffer.from('text\n'), size: 5 }
        throw new ToolError('timeout', 'Request timed out')
      },
    })
    const found = (all: readonly RepositoryEntry[], deadline: number) =>
      searchRepository(late(all), { ...search, limit: 100, deadline })
    await expect(found(files, Date.now() + 50)).rejects.toMatchObject({
      message: 'Only 8 of 20 files could be searched in time, with 8 matches so far',
      hint: expect.stringContaining('Search again'),
    })
    await expect(found(files, Infinity)).rejects.toMatchObject({ message: 'Request timed out' })
    const many = Array.from({ length: 100 }, (_, at) => entry(`${at}.txt`, 1_000_000))
    await expect(found(many, Date.now() + 50)).rejects.toMatchObject({ hint: 'Name fewer files' })
  })

  it('reads no more files than it needs, and none that are too big', async () => {
    const read: string[] = []
    const files = [entry('big.txt', 2_000_000), ...Array.from({ length: 40 }, (_, at) => entry(`${at}.txt`))]
    const found = await searchRepository(source(files, read), { ...search, deadline: Infinity })
    expect(found).toHaveLength(5)
    expect(read).toHaveLength(8)
    expect(read).not.toContain('big.txt')
  })
})

describe('a search in what is in memory', () => {
  const inMemory = (count: number, text: string): RepositorySource => ({
    version: 'one',
    files: async () =>
      Array.from({ length: count }, (_, at) => ({ path: `${at}.txt`, kind: 'file', size: text.length, sha: `${at}` })),
    hidden: async () => [],
    directory: async () => [],
    read: async () => ({ bytes: Buffer.from(text), size: text.length }),
  })
  /** How often others had their turn meanwhile. */
  const turnsOf = async (work: Promise<unknown>): Promise<number> => {
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    await work.finally(() => clearInterval(timer))
    return turns
  }

  it('lets others in after every file that a pattern takes long for', async () => {
    const options = { ...base, patterns: ['(x+x+)+y'], regex: true }
    const work = grepRepository(inMemory(12, 'x'.repeat(60)), options, { compileGlob, deadline: Infinity })
    expect(await turnsOf(work)).toBeGreaterThanOrEqual(10)
    expect(await work).toMatchObject({ matches: [], timedOut: true })
  })

  it('lets others in while it reads much', async () => {
    const text = 'a line of text that is searched\n'.repeat(6_000)
    const search = { query: 'nowhere', wants: () => true, limit: 5, deadline: Infinity }
    const work = searchRepository(inMemory(100, text), search)
    expect(await turnsOf(work)).toBeGreaterThanOrEqual(5)
    expect(await work).toEqual([])
  })
})

describe('a file that matches on every line', () => {
  it('gives no more than was asked for', async () => {
    const source: RepositorySource = {
      version: 'one',
      files: async () => [{ path: 'big.txt', kind: 'file', size: 1_000_000, sha: 'big' }],
      hidden: async () => [],
      directory: async () => [],
      read: async () => ({ bytes: Buffer.from('a\n'.repeat(500_000)), size: 1_000_000 }),
    }
    const search = { query: 'a', wants: () => true, deadline: Infinity }
    expect(await searchRepository(source, { ...search, limit: 2 })).toEqual([
      { path: 'big.txt', line: 1, text: 'a' },
      { path: 'big.txt', line: 2, text: 'a' },
    ])
    expect(await searchRepository(source, { ...search, limit: 1_000_000 })).toHaveLength(500_000)
  })
})

describe('what is kept in memory', () => {
  it('is what was used last, up to a size', () => {
    const cache = createByteCache<number>(100)
    for (const [key, bytes] of Object.entries({ a: 40, b: 40 })) cache.set(key, bytes, bytes)
    expect(cache.get('a')).toBe(40)
    cache.set('c', 40, 40)
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([40, undefined, 40])
    cache.set('d', 1, 101)
    expect([cache.get('d'), cache.get('a')]).toEqual([undefined, 40])
    cache.set('a', 2, 90)
    expect([cache.get('a'), cache.get('c')]).toEqual([2, undefined])
  })
})
