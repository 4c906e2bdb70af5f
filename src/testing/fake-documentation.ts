import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { fakeWeb, type FakeWeb } from './fake-web.ts'

/** The services that a fake of documentation sources speaks for. */
export type FakeSite = 'stackoverflow' | 'github' | 'mdn' | 'devdocs' | 'searxng' | 'brave' | 'tavily'

/** One answer of a service: in place of its usual one, or only late, or broken off. */
export interface FakeSiteAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** JSON, or a text as it is. */
  readonly body?: unknown
  readonly delayMs?: number
  /** Ends the connection in the middle of the body. */
  readonly broken?: true
}

/** A page or a question that the services find: every word of a query must be in one of its texts. */
export interface FakePage {
  readonly service: FakeSite
  readonly id: number
  readonly title: string
  readonly text: string
}

/** Documentations of the fake DevDocs: by slug the pages of HTML, and the entries that lead to their anchors. */
export type FakeDocs = Readonly<
  Record<
    string,
    { readonly release: string; readonly pages: Readonly<Record<string, string>>; readonly entries: readonly object[] }
  >
>

/** Fakes of Stack Exchange, GitHub, MDN, DevDocs, SearXNG, Brave and Tavily: their protocols over loopback. */
export interface FakeDocumentation extends AsyncDisposable {
  readonly network: FakeWeb['network']
  readonly requests: FakeWeb['requests']
  /** The requests of one service. */
  asked(service: FakeSite): readonly URL[]
  /** Bodies that were sent to Tavily. */
  readonly sent: readonly unknown[]
  /** Answers the next requests of a service like this. */
  next(service: FakeSite, ...answers: readonly FakeSiteAnswer[]): void
}

const HOSTS: Readonly<Record<string, FakeSite>> = {
  'api.stackexchange.com': 'stackoverflow',
  'api.github.com': 'github',
  'developer.mozilla.org': 'mdn',
  'devdocs.io': 'devdocs',
  'documents.devdocs.io': 'devdocs',
  'search.example.org': 'searxng',
  'api.search.brave.com': 'brave',
  'api.tavily.com': 'tavily',
}

/** Opens the fakes with these pages and documentations. */
export async function fakeDocumentation(pages: readonly FakePage[], docs: FakeDocs = {}): Promise<FakeDocumentation> {
  const forcedAnswers = new Map<FakeSite, FakeSiteAnswer[]>()
  const sentBodies: unknown[] = []
  const web = await fakeWeb({
    hosts: Object.keys(HOSTS),
    answer(url, request, response) {
      const target = new URL(url)
      const service = HOSTS[target.hostname] ?? 'mdn'
      const forcedAnswer = forcedAnswers.get(service)?.shift()
      void bodyOf(request).then(body => {
        if (service === 'tavily') sentBodies.push(JSON.parse(body))
        const usual = usualAnswer(service, target, pages, docs, body)
        reply(response, service, { ...usual, ...forcedAnswer, headers: { ...usual.headers, ...forcedAnswer?.headers } })
      })
    },
  })
  return {
    network: web.network,
    requests: web.requests,
    sent: sentBodies,
    asked: service => web.requests.map(({ url }) => new URL(url)).filter(({ hostname }) => HOSTS[hostname] === service),
    next: (service, ...answers) => void forcedAnswers.set(service, [...(forcedAnswers.get(service) ?? []), ...answers]),
    [Symbol.asyncDispose]: web[Symbol.asyncDispose],
  }
}

function reply(response: ServerResponse, service: FakeSite, answer: FakeSiteAnswer): void {
  const { status = 200, headers = {}, body = '', delayMs = 0, broken } = answer
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  // Stack Exchange compresses every answer.
  const bytes = service === 'stackoverflow' ? gzipSync(text) : Buffer.from(text)
  setTimeout(() => {
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      ...(service === 'stackoverflow' && { 'content-encoding': 'gzip' }),
      'content-length': bytes.length,
      ...headers,
    })
    if (!broken) response.end(bytes)
    else response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
  }, delayMs)
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function usualAnswer(
  service: FakeSite,
  url: URL,
  pages: readonly FakePage[],
  docs: FakeDocs,
  body: string,
): FakeSiteAnswer {
  if (service === 'devdocs') return devdocsAnswer(url, docs)
  const q = service === 'tavily' ? String(JSON.parse(body).query) : (url.searchParams.get('q') ?? '')
  const words =
    q
      .toLowerCase()
      .replace(/\bis:issue\b/, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  const matchingPages = pages.filter(
    page => page.service === service && words.some(word => `${page.title} ${page.text}`.toLowerCase().includes(word)),
  )
  return ANSWERS[service](matchingPages, url)
}

const ANSWERS: Readonly<
  Record<Exclude<FakeSite, 'devdocs'>, (found: readonly FakePage[], url: URL) => FakeSiteAnswer>
> = {
  stackoverflow(found, url) {
    if (!url.searchParams.get('site'))
      return { status: 400, body: { error_id: 400, error_message: 'site is required', error_name: 'bad_parameter' } }
    const items = found.map(({ id, title, text }) => ({
      tags: ['javascript'],
      question_score: 42,
      is_accepted: false,
      has_accepted_answer: true,
      answer_count: 3,
      is_answered: true,
      question_id: id,
      item_type: 'question',
      score: 42,
      last_activity_date: 1_700_000_000,
      creation_date: 1_400_000_000,
      body: text,
      excerpt: `&hellip; <span class="highlight">${text}</span> &hellip;`,
      title,
    }))
    return { body: { items, has_more: false, quota_max: 300, quota_remaining: 297 } }
  },
  github(found, url) {
    const reset = String(Math.floor(Date.now() / 1000) + 60)
    const headers = { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': reset }
    const q = url.searchParams.get('q') ?? ''
    if (q.length > 256 || !/\bis:(issue|pull-request)\b/.test(q))
      return { status: 422, headers, body: { message: 'Validation Failed', errors: [{ code: 'invalid', field: 'q' }] } }
    const items = found.map(({ id, title, text }) => ({
      url: `https://api.github.com/repos/acme/shop/issues/${id}`,
      repository_url: 'https://api.github.com/repos/acme/shop',
      html_url: `https://github.com/acme/shop/issues/${id}`,
      number: id,
      title,
      state: 'closed',
      comments: 7,
      reactions: { total_count: 12 },
      body: text,
      score: 1,
      text_matches: [
        { object_type: 'Issue', property: 'body', fragment: text, matches: [{ text: q, indices: [0, 3] }] },
      ],
    }))
    return { headers, body: { total_count: items.length, incomplete_results: false, items } }
  },
  mdn: found => ({
    body: {
      documents: found.map(({ title, text, id }) => ({
        mdn_url: `/en-US/docs/Web/${id}`,
        score: 60.5,
        title,
        locale: 'en-us',
        slug: `web/${id}`,
        popularity: 0.001,
        summary: text,
        highlight: { body: [`<mark>${text}</mark>`], title: [] },
      })),
      metadata: { took_ms: 12, total: { value: found.length, relation: 'eq' }, size: 10, page: 1 },
      suggestions: [],
    },
  }),
  searxng: found => ({
    body: { query: '', number_of_results: 0, results: found.map(asResult('content')), unresponsive_engines: [] },
  }),
  brave: found => ({
    body: { type: 'search', query: {}, web: { type: 'search', results: found.map(asResult('description')) } },
  }),
  tavily: found => ({ body: { query: '', results: found.map(asResult('content')), response_time: 0.3 } }),
}

const asResult =
  (field: string) =>
  ({ title, text, id }: FakePage): object => ({
    title,
    url: `https://blog.example.com/${id}`,
    [field]: text,
    score: 0.8,
  })

function devdocsAnswer({ pathname }: URL, docs: FakeDocs): FakeSiteAnswer {
  if (pathname === '/docs.json')
    return {
      body: Object.entries(docs).map(([slug, { release, pages }]) => ({
        name: slug,
        slug,
        type: 'simple',
        links: {},
        version: '',
        release,
        mtime: 1_730_000_000,
        db_size: JSON.stringify(pages).length,
      })),
    }
  const [, slug = '', file] = pathname.split('/')
  const doc = docs[slug]
  if (!doc) return { status: 404, body: 'Not Found' }
  return { body: file === 'index.json' ? { entries: doc.entries, types: [] } : doc.pages }
}
