import { execFileSync } from 'node:child_process'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fakeWeb, type FakeWeb } from './fake-web.ts'

/** The files of a commit by path; a link has its target, a submodule its commit, and null removes. */
export type FakeFiles = Readonly<Record<string, FakeFile | { readonly submodule: string }>>
type FakeFile = string | Buffer | { readonly link: string } | null

/** The content of the fake GitHub, and who may access it. */
export interface FakeGithubOptions {
  readonly files?: FakeFiles
  /** `owner/name`. */
  readonly repository?: string
  /** The address of its API. */
  readonly baseUrl?: string
  /** Only this token may see the repository; without one everyone may. */
  readonly token?: string
  /** Its installation may see the repository too; the key is the public one. */
  readonly app?: { readonly id: string; readonly installationId: string; readonly publicKey: string }
  /** A recursive tree with more entries is cut. */
  readonly treeEntries?: number
}

/** One answer of the fake API. */
export interface FakeAnswer {
  readonly status: number
  readonly headers?: OutgoingHttpHeaders
  readonly body?: unknown
}

/** A fake GitHub: its REST API over a real git repository, with its errors and limits. */
export interface FakeGithub extends AsyncDisposable {
  readonly network: FakeWeb['network']
  /** The requests, without the address of the API, and their status. */
  readonly answered: { readonly path: string; readonly status: number }[]
  readonly requests: FakeWeb['requests']
  /** Commits on top of the main branch, or of another, and returns the commit's hash. */
  commit(files: FakeFiles, branch?: string): string
  /** Answers the next requests like this, whatever they are. */
  next(...answers: readonly FakeAnswer[]): void
  /** Limits the requests until this time; 304 costs none. */
  limit(remaining: number, resetAt: Date): void
  /** Expires the installation tokens issued so far. */
  expireTokens(): void
}

/** Opens a fake GitHub with one repository, created with git in a temporary directory. */
export async function fakeGithub(options: FakeGithubOptions = {}): Promise<FakeGithub> {
  const { repository = 'acme/shop', baseUrl = 'https://api.github.com', files = {} } = options
  const directory = mkdtempSync(join(tmpdir(), 'toolwright-fake-github-'))
  const git = gitIn(directory)
  git('init', '--quiet', '--initial-branch=main')
  const answeredRequests: { path: string; status: number }[] = []
  const forcedAnswers: FakeAnswer[] = []
  const limits = { remaining: 5_000, resetAt: Date.now() + 3_600_000 }
  const issuedTokens = new Set<string>()
  const base = new URL(baseUrl)
  const prefix = base.pathname.replace(/\/$/, '')

  const web = await fakeWeb({
    hosts: [base.hostname],
    answer(url, request, response) {
      const { pathname, search } = new URL(url)
      const path = pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : undefined
      const answer =
        forcedAnswers.shift() ?? (path === undefined ? NOT_FOUND : rateLimitedAnswer(decodeURI(path), search, request))
      answeredRequests.push({ path: `${path ?? pathname}${search}`, status: answer.status })
      reply(response, answer, limits)
    },
  })

  function rateLimitedAnswer(path: string, search: string, request: IncomingMessage): FakeAnswer {
    if (Date.now() >= limits.resetAt) Object.assign(limits, { remaining: 5_000, resetAt: Date.now() + 3_600_000 })
    if (limits.remaining === 0)
      return { status: 403, body: { message: 'API rate limit exceeded for this connection.' } }
    const answer = route(path, search, request)
    if (answer.status !== 304) limits.remaining--
    return answer
  }

  function route(path: string, search: string, request: IncomingMessage): FakeAnswer {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const installation = /^\/app\/installations\/([^/]+)\/access_tokens$/.exec(path)?.[1]
    if (installation !== undefined && request.method === 'POST') return installationToken(installation, token)
    const isKnown = token !== undefined && (token === options.token || issuedTokens.has(token))
    if (token !== undefined && !isKnown) return BAD_CREDENTIALS
    const isOpen = options.token === undefined && options.app === undefined
    if (!path.startsWith(`/repos/${repository}/`) || !(isKnown || isOpen)) return NOT_FOUND
    const [, kind, name = ''] =
      /^\/(commits|git\/trees|git\/blobs)\/(.+)$/.exec(path.slice(7 + repository.length)) ?? []
    if (git('rev-list', '--all', '--max-count=1') === '')
      return { status: 409, body: { message: 'Git Repository is empty.' } }
    if (kind === 'commits') return commitAnswer(name, request)
    if (kind === 'git/trees') {
      const recursive = new URLSearchParams(search).has('recursive')
      return treeAnswer(git, name, { recursive, most: recursive ? (options.treeEntries ?? 100_000) : Infinity })
    }
    return kind === 'git/blobs' ? blobAnswer(git, name, request) : NOT_FOUND
  }

  function installationToken(installation: string, jwt: string | undefined): FakeAnswer {
    const { app } = options
    if (!app || !jwt || !isSignedBy(jwt, app)) return BAD_CREDENTIALS
    if (installation !== app.installationId) return NOT_FOUND
    const token = `ghs_${createHash('sha256').update(`${jwt}${issuedTokens.size}`).digest('hex').slice(0, 36)}`
    issuedTokens.add(token)
    return { status: 201, body: { token, expires_at: new Date(Date.now() + 3_600_000).toISOString() } }
  }

  function commitAnswer(name: string, request: IncomingMessage): FakeAnswer {
    const sha = resolveCommit(name === 'HEAD' ? 'main' : name)
    if (sha === undefined) return { status: 422, body: { message: `No commit found for SHA: ${name}` } }
    const etag = `W/"${sha}"`
    if (request.headers['if-none-match'] === etag) return { status: 304, headers: { etag } }
    return { status: 200, headers: { etag, 'content-type': 'application/vnd.github.sha' }, body: sha }
  }

  const resolveCommit = (name: string): string | undefined =>
    quietly(() => git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`).trim())

  const github: FakeGithub = {
    network: web.network,
    answered: answeredRequests,
    requests: web.requests,
    commit(given, branch = 'main') {
      if (resolveCommit('main') !== undefined) git('checkout', '--quiet', '-B', branch, 'main')
      const submodules: string[] = []
      for (const [path, content] of Object.entries(given))
        if (isSubmodule(content)) submodules.push(`160000,${content.submodule},${path}`)
        else put(join(directory, path), content)
      git('add', '--all', '--force')
      for (const one of submodules) git('update-index', '--add', '--cacheinfo', one)
      git('commit', '--quiet', '--allow-empty', '--message=a commit')
      return git('rev-parse', 'HEAD').trim()
    },
    next: (...answers) => void forcedAnswers.push(...answers),
    limit: (remaining, resetAt) => void Object.assign(limits, { remaining, resetAt: resetAt.getTime() }),
    expireTokens: () => issuedTokens.clear(),
    async [Symbol.asyncDispose]() {
      await web[Symbol.asyncDispose]()
      rmSync(directory, { recursive: true, force: true })
    },
  }
  if (Object.keys(files).length > 0) github.commit(files)
  return github
}

type Git = ReturnType<typeof gitIn>

function treeAnswer(
  git: Git,
  name: string,
  { recursive, most }: { readonly recursive: boolean; readonly most: number },
): FakeAnswer {
  const treeListing = quietly(() => git('ls-tree', '-z', '-l', ...(recursive ? ['-r', '-t'] : []), name))
  if (treeListing === undefined) return NOT_FOUND
  const tree = treeListing
    .split('\0')
    .filter(Boolean)
    .map(row => {
      const [, mode, type, sha, size, path] = /^(\d+) (\w+) (\w+) +(\S+)\t([^]*)$/.exec(row) ?? []
      return { path, mode, type, sha, ...(type === 'blob' && { size: Number(size) }) }
    })
  return { status: 200, body: { sha: name, tree: tree.slice(0, most), truncated: tree.length > most } }
}

function blobAnswer(git: Git, sha: string, request: IncomingMessage): FakeAnswer {
  const bytes = quietly(() => git.bytes('cat-file', 'blob', sha))
  if (bytes === undefined) return NOT_FOUND
  if (request.headers.accept?.includes('raw')) return { status: 200, body: bytes }
  return { status: 200, body: { sha, size: bytes.length, encoding: 'base64', content: bytes.toString('base64') } }
}

const NOT_FOUND: FakeAnswer = { status: 404, body: { message: 'Not Found' } }
const BAD_CREDENTIALS: FakeAnswer = { status: 401, body: { message: 'Bad credentials' } }

function reply(
  response: ServerResponse,
  { status, headers, body }: FakeAnswer,
  { remaining, resetAt }: { readonly remaining: number; readonly resetAt: number },
): void {
  const isPlain = typeof body === 'string' || Buffer.isBuffer(body)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'x-ratelimit-limit': '5000',
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
    ...headers,
  })
  response.end(isPlain ? body : body === undefined ? undefined : JSON.stringify(body))
}

function isSignedBy(jwt: string, { id, publicKey }: { readonly id: string; readonly publicKey: string }): boolean {
  const [head = '', claims = '', signature = ''] = jwt.split('.')
  const key = createPublicKey(publicKey)
  if (!verify('RSA-SHA256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url'))) return false
  const { iss, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'))
  const now = Date.now() / 1000
  return iss === id && iat <= now && exp > now && exp - iat <= 600
}

const isSubmodule = (content: FakeFiles[string]): content is { readonly submodule: string } =>
  typeof content === 'object' && content !== null && 'submodule' in content

function put(path: string, content: FakeFile): void {
  rmSync(path, { force: true })
  if (content === null) return
  mkdirSync(dirname(path), { recursive: true })
  if (typeof content === 'object' && 'link' in content) symlinkSync(content.link, path)
  else writeFileSync(path, content)
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Runs git in a directory, without the user's own settings. */
function gitIn(cwd: string) {
  const who = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@example.com', GIT_COMMITTER_NAME: 'a' }
  const env = {
    PATH: process.env['PATH'] ?? '',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    GIT_COMMITTER_EMAIL: 'a@example.com',
    GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
    GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
    ...who,
  }
  const bytes = (...args: readonly string[]): Buffer =>
    execFileSync('git', args, { cwd, env, maxBuffer: 256 * 1024 * 1024, stdio: ['ignore', 'pipe', 'pipe'] })
  return Object.assign((...args: readonly string[]): string => bytes(...args).toString('utf8'), { bytes })
}
