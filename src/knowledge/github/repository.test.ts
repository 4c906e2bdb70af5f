import { generateKeyPairSync } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { egressOf } from '../../guards/egress/egress.ts'
import { compileGlob } from '../../guards/glob.ts'
import { makePolicy } from '../../guards/policy/policy.ts'
import { nets } from '../../kernel/claim.ts'
import { fakeGithub, type FakeGithub, type FakeGithubOptions } from '../../testing/fake-github.ts'
import { createHub } from './hub.ts'
import { openRepositoryEngine } from './open-engine.ts'
import { openRepository } from './open-repository.ts'
import type { Connection } from './types.ts'

const FILES = {
  'README.md': '# Shop\n',
  'src/a.ts': 'export const a = 1\n',
  'src/deep/b.ts': 'export const b = 2\n',
  'src/deep/er/c.ts': 'export const c = 3\n',
  'tools/run.sh': 'echo hello\n',
}

const opened: FakeGithub[] = []
afterAll(async () => {
  for (const github of opened.splice(0)) await github[Symbol.asyncDispose]()
})

async function rig(options: FakeGithubOptions = {}, connection: Partial<Connection> = {}) {
  const github = await fakeGithub({ files: FILES, ...options })
  opened.push(github)
  const hub = createHub({ repository: 'acme/shop', ...connection })
  const learned: string[] = []
  const parts = (ms: number) => ({
    network: github.network,
    egress: egressOf(makePolicy({ permissions: ['net'] })),
    signal: new AbortController().signal,
    deadline: Date.now() + ms,
    learn: async (_name: string, value: string) => void learned.push(value),
  })
  const open = (ms = 30_000, isDenied: (path: string) => boolean = () => false) =>
    openRepository(hub, parts(ms), isDenied)
  return { github, hub, open, learned }
}

const paths = (entries: readonly { readonly path: string }[]) => entries.map(({ path }) => path)
const text = async (read: Promise<{ readonly bytes: Buffer }>) => (await read).bytes.toString('utf8')

describe('a repository', () => {
  it('has directories in which there are only submodules, with nothing in them', async () => {
    const files = { 'vendor/lib': { submodule: 'a'.repeat(40) }, 'one.txt': '1' }
    for (const treeEntries of [100, 1]) {
      const { open } = await rig({ files, treeEntries })
      const source = await open()
      expect(paths(await source.directory(''))).toEqual(['one.txt', 'vendor'])
      expect(await source.directory('vendor')).toEqual([])
      await expect(source.directory('one.txt')).rejects.toMatchObject({ code: 'not_a_directory' })
    }
  })

  it('lists and reads what git holds, with one request for the list and one for each file', async () => {
    const { github, open } = await rig()
    const source = await open()
    expect(paths(await source.files())).toEqual([
      'README.md',
      'src/a.ts',
      'src/deep/b.ts',
      'src/deep/er/c.ts',
      'tools/run.sh',
    ])
    expect((await source.directory('src')).map(({ path, kind, size }) => [path, kind, size])).toEqual([
      ['src/a.ts', 'file', 19],
      ['src/deep', 'directory', 0],
    ])
    expect(await text(source.read('src/a.ts'))).toBe('export const a = 1\n')
    expect(await text(source.read('src/a.ts'))).toBe('export const a = 1\n')
    expect(github.answered.map(({ path }) => path.replace(/[0-9a-f]{40}/, 'SHA'))).toEqual([
      '/repos/acme/shop/commits/HEAD',
      '/repos/acme/shop/git/trees/SHA?recursive=1',
      '/repos/acme/shop/git/blobs/SHA',
    ])
  })

  it('asks only whether the branch has moved, which costs nothing of the limit, and sees when it has', async () => {
    const { github, open } = await rig()
    const first = await open()
    github.limit(1, new Date(Date.now() + 3_600_000))
    for (let time = 0; time < 5; time++) expect((await open()).version).toBe(first.version)
    expect(github.answered.slice(2).map(({ status }) => status)).toEqual([304, 304, 304, 304, 304])
    github.limit(100, new Date(Date.now() + 3_600_000))
    const commit = github.commit({ 'new.txt': 'new\n', 'README.md': null })
    const second = await open()
    expect(second.version).toBe(commit)
    expect(paths(await second.directory(''))).toEqual(['new.txt', 'src', 'tools'])
    expect(paths(await first.directory(''))).toEqual(['README.md', 'src', 'tools'])
  })

  it('walks a tree that is too big to be listed at once', async () => {
    const { github, open } = await rig({ treeEntries: 3 })
    const source = await open()
    expect(await text(source.read('src/deep/er/c.ts'))).toBe('export const c = 3\n')
    expect(paths(await source.directory('src/deep'))).toEqual(['src/deep/b.ts', 'src/deep/er'])
    expect(github.answered.filter(({ path }) => path.includes('recursive'))).toHaveLength(1)
    expect(paths(await source.files())).toEqual(Object.keys(FILES))
    await expect(source.read('src/none/x.ts')).rejects.toMatchObject({ code: 'not_found' })
    await expect(source.directory('src/a.ts/x')).rejects.toMatchObject({ code: 'not_found' })
  })

  it.each([
    ['a branch', 'topic/one'],
    ['a tag or commit', undefined],
  ])('reads at %s', async (_what, ref) => {
    const github = await fakeGithub({ files: FILES })
    opened.push(github)
    const commit = github.commit({ 'topic.txt': 'topic\n' }, 'topic/one')
    const { open } = await rig({}, {})
    const hub = createHub({ repository: 'acme/shop', ref: ref ?? commit })
    const call = { egress: egressOf(makePolicy({ permissions: ['net'] })), signal: new AbortController().signal }
    const more = { network: github.network, deadline: Date.now() + 10_000, learn: async () => {} }
    const source = await openRepository(hub, { ...call, ...more }, () => false)
    expect(source.version).toBe(commit)
    expect(paths(await source.files())).toContain('topic.txt')
    expect(paths(await (await open()).files())).not.toContain('topic.txt')
  })

  it('says which ref is not there, and that a repository is not', async () => {
    const { open } = await rig({}, { ref: 'nothing' })
    await expect(open()).rejects.toMatchObject({
      code: 'not_found',
      message: "GitHub does not find 'nothing' in acme/shop",
    })
    const other = await rig({}, { repository: 'acme/other' })
    await expect(other.open()).rejects.toMatchObject({ code: 'not_found', details: { access: 'none' } })
  })

  it('is empty where nothing was ever committed', async () => {
    const { open } = await rig({ files: {} })
    const source = await open()
    expect([source.version, await source.files(), await source.directory('')]).toEqual(['', [], []])
  })

  it('follows links inside the repository, and none out of it or round in a circle', async () => {
    const { open } = await rig({
      files: {
        ...FILES,
        'src/deep/up': { link: '../../README.md' },
        'src/deep/upup': { link: './up' },
        out: { link: '../../etc/passwd' },
        root: { link: '/etc/passwd' },
        round: { link: 'round' },
      },
    })
    const source = await open()
    expect(await text(source.read('src/deep/upup'))).toBe('# Shop\n')
    await expect(source.read('out')).rejects.toMatchObject({ code: 'outside_workspace' })
    await expect(source.read('root')).rejects.toMatchObject({ code: 'outside_workspace' })
    await expect(source.read('round')).rejects.toThrow('too many links')
    expect(paths(await source.files())).toEqual(Object.keys(FILES))
  })

  it('hides what rules deny, also behind a link', async () => {
    const { open } = await rig({ files: { ...FILES, '.env': 'A=1\n', link: { link: '.env' } } })
    const source = await open(10_000, path => path === '.env')
    expect(paths(await source.files())).not.toContain('.env')
    expect(paths(await source.directory(''))).not.toContain('.env')
    for (const path of ['.env', 'link'])
      await expect(source.read(path)).rejects.toMatchObject({ code: 'denied', details: { reason: /denies/ } })
  })

  it('reads the beginning of a big file without the rest of it', async () => {
    const big = Buffer.alloc(3_000_000, 'x')
    const { open } = await rig({ files: { 'big.txt': big } })
    const { bytes, size } = await (await open()).read('big.txt', 1_000)
    expect([bytes.length, size]).toEqual([1_000, 3_000_000])
    expect((await (await open()).read('big.txt')).bytes.equals(big)).toBe(true)
  })
})

describe.concurrent('the limits of GitHub', () => {
  const soon = (ms: number) => new Date(Date.now() + ms)

  it('are waited for within the time of the call', async () => {
    const { github, open } = await rig()
    await open()
    github.next({
      status: 429,
      headers: { 'retry-after': '1' },
      body: { message: 'You have exceeded a secondary rate limit' },
    })
    github.commit({ 'new.txt': '' })
    const since = Date.now()
    expect(paths(await (await open()).files())).toContain('new.txt')
    expect(Date.now() - since).toBeGreaterThanOrEqual(1_000)
  })

  it.each([
    [
      'the primary limit',
      { status: 403, headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '4000000000' } },
      '2096-10-02T07:06:40.000Z',
    ],
    ['a secondary limit', { status: 403, headers: { 'retry-after': '120' } }, undefined],
    [
      'a secondary limit that does not say how long',
      { status: 403, body: { message: 'You have exceeded a secondary rate limit.' } },
      undefined,
    ],
    ['too many requests', { status: 429 }, undefined],
  ])('end a call that has no time for %s, which says when to try again', async (_what, answer, at) => {
    const { github, open } = await rig()
    github.next(answer)
    const since = Date.now()
    const failure = await open(5_000).catch(error => error)
    expect(failure).toMatchObject({ code: 'quota', message: expect.stringContaining(at ?? 'is used up until 20') })
    expect(Date.parse(failure.details.retryAt)).toBeGreaterThan(since + 50_000)
    // Nothing more is sent while it holds.
    await expect(open(5_000)).rejects.toMatchObject({ code: 'quota' })
    expect(github.answered).toHaveLength(1)
  })

  it('are heeded before they are passed, and over when they are over', async () => {
    const { github, open } = await rig()
    github.limit(2, soon(1_500))
    const source = await open()
    const sent = github.answered.length
    expect(await text(source.read('README.md'))).toBe('# Shop\n')
    expect(github.answered.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(sent).toBe(2)
  })

  it('do not hide that something is forbidden', async () => {
    const { github, open } = await rig()
    github.next({ status: 403, body: { message: 'Resource not accessible by integration' } })
    await expect(open()).rejects.toMatchObject({
      code: 'denied',
      message: 'GitHub refuses acme/shop: Resource not accessible by integration',
    })
  })
})

describe.concurrent('a request', () => {
  it('is tried again where GitHub fails for a moment, and given up where it goes on failing', async () => {
    const { github, open } = await rig()
    github.next({ status: 502 }, { status: 503 })
    expect((await open()).version).toMatch(/^[0-9a-f]{40}$/)
    github.next({ status: 500 }, { status: 500 }, { status: 500 })
    await expect(open()).rejects.toMatchObject({
      code: 'io',
      message: 'GitHub failed with status 500 on acme/shop',
    })
  })

  it('follows a renamed repository within the API and nowhere else', async () => {
    const { github, open } = await rig({ token: 'ghp_0123456789abcdefghij' }, { token: 'ghp_0123456789abcdefghij' })
    github.next({ status: 301, headers: { location: 'https://api.github.com/repos/acme/shop/commits/HEAD' } })
    expect(paths(await (await open()).directory(''))).toContain('README.md')
    github.next({ status: 302, headers: { location: 'https://evil.example/repos/acme/shop/commits/HEAD' } })
    await expect(open()).rejects.toMatchObject({ code: 'denied', message: /redirects to https:\/\/evil\.example/ })
    expect(github.requests.filter(({ url }) => !url.startsWith('https://api.github.com/'))).toEqual([])
  })

  it('is answered by something that is no GitHub with an error that says so', async () => {
    const { github, open } = await rig()
    github.next({ status: 200, body: '<html>Welcome</html>' })
    await expect(open()).rejects.toMatchObject({ code: 'io', message: 'GitHub names no commit for acme/shop' })
    github.next({ status: 200, body: '0'.repeat(40) }, { status: 200, body: '<html>Welcome</html>' })
    await expect(open()).rejects.toMatchObject({ code: 'io', message: /cannot be read/ })
  })
})

describe.concurrent('credentials', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const app = { id: '77', installationId: '4711', publicKey }

  it('are a token, which is told before it is used', async () => {
    const token = 'ghp_abcdefghijklmnop0123'
    const { github, open, learned } = await rig({ token }, { token })
    expect(await (await open()).files()).toHaveLength(5)
    expect(new Set(github.requests.map(({ headers }) => headers.authorization))).toEqual(new Set([`Bearer ${token}`]))
    expect(new Set(learned)).toEqual(new Set([token]))
  })

  it.each([
    ['none', {}, 'not_found'],
    ['a wrong one', { token: 'ghp_wrong' }, 'denied'],
  ])('that are %s have no access to a private repository', async (_what, connection, code) => {
    const { open } = await rig({ token: 'ghp_right' }, connection)
    const failure = await open().catch(error => error)
    expect(failure).toMatchObject({ code, details: { access: 'none' } })
    expect(JSON.stringify([failure.message, failure.hint, failure.details])).not.toContain('ghp_')
  })

  it('are an App installation, whose token is asked for once and again when it is good no more', async () => {
    const { github, open, learned } = await rig({ app }, { app: { ...app, privateKey } })
    await (await open()).files()
    await (await open()).read('README.md')
    const posts = () => github.requests.filter(({ method }) => method === 'POST')
    expect(posts().map(({ url }) => url)).toEqual(['https://api.github.com/app/installations/4711/access_tokens'])
    expect(github.requests[1]?.headers.authorization).toMatch(/^Bearer ghs_/)
    expect(learned).toContain(privateKey)
    github.expireTokens()
    expect(await (await open()).files()).toHaveLength(5)
    expect(posts()).toHaveLength(2)
  })

  it('of an App may stand on one line, and are refused without being quoted where they are none', async () => {
    const flat = await rig({ app }, { app: { ...app, privateKey: privateKey.replaceAll('\n', '\\n') } })
    expect(await (await flat.open()).files()).toHaveLength(5)
    const broken = await rig({ app }, { app: { ...app, privateKey: 'SECRET-KEY' } })
    const failure = await broken.open().catch(error => error)
    expect(failure).toMatchObject({ code: 'unavailable', message: 'The private key of GitHub App 77 cannot be used' })
    expect([failure.cause, failure.details]).toEqual([undefined, { access: 'none' }])
    const other = await rig({ app }, { app: { ...app, installationId: 1, privateKey } })
    await expect(other.open()).rejects.toMatchObject({
      code: 'denied',
      message: /installation 1 of App 77 \(status 404\)/,
      details: { access: 'none' },
    })
  })

  it('of an App are asked for once by all who need them, and again where GitHub failed for a moment', async () => {
    const { github, open } = await rig({ app }, { app: { ...app, privateKey } })
    const posts = () =>
      github.answered.filter(({ path }) => path.endsWith('/access_tokens')).map(({ status }) => status)
    github.next({ status: 502 })
    const source = await open()
    expect(posts()).toEqual([502, 201])
    await Promise.all([open(), open(), source.read('README.md')])
    github.expireTokens()
    await Promise.all(Array.from({ length: 8 }, () => open()))
    expect(posts()).toEqual([502, 201, 201])
  })

  it('go to the address of GitHub Enterprise and nowhere else', async () => {
    const baseUrl = 'https://ghe.example.com/api/v3/'
    const { github, open } = await rig({ baseUrl, token: 'ghp_right' }, { baseUrl, token: 'ghp_right' })
    expect(await text((await open()).read('README.md'))).toBe('# Shop\n')
    for (const { url } of github.requests)
      expect(url).toMatch(/^https:\/\/ghe\.example\.com\/api\/v3\/repos\/acme\/shop\//)
  })
})

describe('a connection', () => {
  it.each([
    ['no repository', { repository: 'shop' }],
    ['a way out of the API', { repository: 'acme/..' }],
    ['a path', { repository: 'acme/shop/x' }],
    ['a query', { repository: 'acme/shop?x' }],
    ['no ref', { repository: 'acme/shop', ref: '../x' }],
    ['an option', { repository: 'acme/shop', ref: '--x' }],
    ['plain http', { repository: 'acme/shop', baseUrl: 'http://ghe.example.com' }],
    ['plain http at a name that looks local', { repository: 'acme/shop', baseUrl: 'http://127.evil.example' }],
    ['no URL', { repository: 'acme/shop', baseUrl: 'ftp://ghe.example.com' }],
    ['two credentials', { repository: 'a/b', token: 'x', app: { id: 1, installationId: 1, privateKey: 'x' } }],
  ])('is refused with %s', (_what, connection) => {
    expect(() => createHub(connection)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
  })
})

describe('the engine of a call', () => {
  const engineFor = async (origin: string, options: FakeGithubOptions = {}) => {
    const { github, hub } = await rig(options)
    const egress = egressOf(makePolicy({ permissions: ['net'] }))
    const parts = { connection: { hub: async () => hub }, egress, hides: undefined, learn: async () => {}, compileGlob }
    return openRepositoryEngine({ ...parts, claims: nets(origin), network: github.network })
  }
  const { signal } = new AbortController()

  it('reaches only the origin that the call claimed', async () => {
    const engine = await engineFor('https://example.com')
    await expect(engine.read('README.md', { truncateAt: 100 }, signal)).rejects.toMatchObject({
      code: 'denied',
      message: 'Refused: https://api.github.com was not claimed',
    })
  })

  it('cuts between characters, reads older encodings, and refuses what is no text', async () => {
    const files = { 'a.txt': 'a€€', 'b.txt': Buffer.from('caf\xe9', 'latin1'), 'c.bin': Buffer.from([1, 0, 2]) }
    const engine = await engineFor('https://api.github.com', { files })
    expect(await engine.read('a.txt', { truncateAt: 6 }, signal)).toEqual({ path: 'a.txt', content: 'a€', size: 7 })
    expect(await engine.read('./a.txt', { truncateAt: 7 }, signal)).toMatchObject({ content: 'a€€' })
    expect(await engine.read('b.txt', { truncateAt: 99 }, signal)).toMatchObject({ content: 'café', size: 4 })
    await expect(engine.read('c.bin', { truncateAt: 99 }, signal)).rejects.toMatchObject({ code: 'binary' })
    await expect(engine.read('../x', { truncateAt: 99 }, signal)).rejects.toMatchObject({ code: 'outside_workspace' })
  })
})
