import type { DocumentationSettings } from '../../../kernel/documentation-sources.ts'
import type { Found } from '../types.ts'
import { listIn, numberOf, retryAfter, textOf, type Fields, type Reply, type SourceRequest } from './ask-source.ts'
import { textOfHtml } from './html-text.ts'

type Engine = NonNullable<DocumentationSettings['web']>['engine']

interface WebOptions {
  readonly engine: Engine
  readonly address: string
  readonly key: string | undefined
}

const MOST = 10

/** Searches the web by the configured engine. */
export function webRequest(query: string, options: WebOptions): SourceRequest {
  return { ...REQUESTS[options.engine](query, options), source: 'web', limit }
}

const REQUESTS: Readonly<
  Record<Engine, (query: string, options: WebOptions) => Omit<SourceRequest, 'source' | 'limit'>>
> = {
  searxng: (query, { address, key }) => ({
    name: 'SearXNG',
    url: `${address}/search?${new URLSearchParams({ q: query, format: 'json' })}`,
    ...(key !== undefined && { headers: { authorization: `Bearer ${key}` } }),
    read: answer => listIn(Object(answer).results)?.flatMap(result => foundIn(result, 'content')),
  }),
  brave: (query, { address, key }) => ({
    name: 'Brave Search',
    url: `${address}/res/v1/web/search?${new URLSearchParams({ q: query.slice(0, 400), count: String(MOST) })}`,
    ...(key !== undefined && { headers: { 'x-subscription-token': key } }),
    // Without results the part is missing.
    read: answer =>
      Object(answer).type === 'search'
        ? (listIn(Object(Object(answer).web).results) ?? []).flatMap(result => foundIn(result, 'description'))
        : undefined,
  }),
  tavily: (query, { address, key }) => ({
    name: 'Tavily',
    url: `${address}/search`,
    ...(key !== undefined && { headers: { authorization: `Bearer ${key}` } }),
    body: JSON.stringify({ query: query.slice(0, 400), max_results: MOST }),
    read: answer => listIn(Object(answer).results)?.flatMap(result => foundIn(result, 'content')),
  }),
}

function foundIn(result: Fields, field: string): Found[] {
  const url = textOf(result['url'])
  if (!/^https?:\/\//.test(url)) return []
  const score = numberOf(result['score'])
  return [
    {
      title: textOfHtml(textOf(result['title'])),
      text: textOfHtml(textOf(result[field])),
      url,
      quality: score > 0 && score <= 1 ? score : 0.4,
    },
  ]
}

const HOUR = 3_600_000

function limit(reply: Reply): number | undefined {
  // A plan of Tavily that is used up.
  if (reply.status === 432 || reply.status === 433) return reply.now + HOUR
  const window = reply.status === 429 ? emptyWindow(reply) : undefined
  return window ?? retryAfter(reply)
}

/** Brave counts by the second and by the month: `0, 1990` left, `1, 86400` seconds until each is full again. */
function emptyWindow({ headers, now }: Reply): number | undefined {
  const remainingQuotas = textOf(headers['x-ratelimit-remaining']).split(',').map(Number)
  const resets = textOf(headers['x-ratelimit-reset']).split(',').map(Number)
  const waits = resets.filter((seconds, at) => remainingQuotas[at] === 0 && seconds >= 0 && seconds < 1e8)
  return waits.length > 0 ? now + Math.max(1, ...waits) * 1000 : undefined
}
