import { limitedUntil, usedUpUntil } from '../../github/rate-limit.ts'
import { listIn, numberOf, textOf, type Fields, type Reply, type SourceRequest } from './ask-source.ts'
import type { Found } from '../types.ts'

const MOST = 15
/** GitHub refuses longer queries. */
const LONGEST_QUERY = 256
const QUALIFIER = ' is:issue'

/** Searches the issues of GitHub, with the passages that match. */
export function issuesRequest(
  query: string,
  { address, token }: { readonly address: string; readonly token: string | undefined },
): SourceRequest {
  const q = `${plainWords(query)
    .slice(0, LONGEST_QUERY - QUALIFIER.length)
    .trim()}${QUALIFIER}`
  return {
    source: 'github',
    name: 'GitHub',
    url: `${address}/search/issues?${new URLSearchParams({ q, per_page: String(MOST) })}`,
    headers: {
      accept: 'application/vnd.github.text-match+json',
      'x-github-api-version': '2022-11-28',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    read: answer => listIn(Object(answer).items)?.flatMap(foundIn),
    limit,
  }
}

/** Words of an error message are not qualifiers or operators of GitHub's search. */
const plainWords = (query: string): string =>
  query
    .replace(/[:"()]/g, ' ')
    .replace(/\b(AND|OR|NOT)\b/g, word => word.toLowerCase())
    .replace(/(^|\s)[-@#]+/g, '$1')
    .replace(/\s+/g, ' ')

function foundIn(item: Fields): Found[] {
  const url = textOf(item['html_url'])
  if (!url.startsWith('https://')) return []
  const [, repository = ''] = /\/repos\/([^/]+\/[^/]+)$/.exec(textOf(item['repository_url'])) ?? []
  const passages = (listIn(item['text_matches']) ?? [])
    .filter(({ property }) => property === 'body')
    .map(({ fragment }) => textOf(fragment))
  const text = passages.length > 0 ? passages.join(' … ') : textOf(item['body']).slice(0, 1_000)
  const reactionCount = numberOf(Object(item['reactions'])['total_count']) + numberOf(item['comments'])
  return [
    {
      title: [textOf(item['title']), ...(repository === '' ? [] : [repository])].join(' · '),
      text: text.replace(/\s+/g, ' ').trim(),
      url,
      quality: Math.min(1, (item['state'] === 'closed' ? 0.3 : 0.2) + Math.log10(1 + Math.max(0, reactionCount)) / 4),
    },
  ]
}

/** Returns when a primary limit resets or a secondary one ends; a last allowed answer names the reset too. */
function limit({ status, headers, body, now }: Reply): number | undefined {
  const message = textOf(Object(body).message)
  return limitedUntil({ status, headers, message }, now) ?? usedUpUntil(headers)
}
