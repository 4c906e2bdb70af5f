import type { Found } from '../types.ts'
import { listIn, numberOf, retryAfter, textOf, type Fields, type Reply, type SourceRequest } from './ask-source.ts'
import { textOfHtml } from './html-text.ts'

interface StackOptions {
  readonly address: string
  readonly site: string
  readonly key: string | undefined
}

const MOST = 15

/** Searches a site of Stack Exchange, questions and answers, by version 2.3 of its API. */
export function stackRequest(query: string, { address, site, key }: StackOptions): SourceRequest {
  const parameters = new URLSearchParams({
    q: query,
    site,
    order: 'desc',
    sort: 'relevance',
    pagesize: String(MOST),
    ...(key !== undefined && { key }),
  })
  return {
    source: 'stackoverflow',
    name: 'Stack Overflow',
    url: `${address}/2.3/search/excerpts?${parameters}`,
    read: answer => listIn(Object(answer).items)?.flatMap(item => foundIn(item, site)),
    limit,
  }
}

function foundIn(item: Fields, site: string): Found[] {
  const question = numberOf(item['question_id'])
  if (question === 0) return []
  const isAccepted = item['is_accepted'] === true || item['has_accepted_answer'] === true
  const votes = Math.max(0, numberOf(item['score']))
  return [
    {
      title: textOfHtml(textOf(item['title'])),
      text: textOfHtml(textOf(item['excerpt'])),
      url: addressOf(site, item, question),
      quality: Math.min(1, (isAccepted ? 0.5 : 0.2) + Math.log10(1 + votes) / 5),
    },
  ]
}

function addressOf(site: string, item: Fields, question: number): string {
  const host = site.includes('.')
    ? site
    : ['stackoverflow', 'superuser', 'serverfault', 'askubuntu'].includes(site)
      ? `${site}.com`
      : `${site}.stackexchange.com`
  const answer = numberOf(item['answer_id'])
  return `https://${host}/questions/${question}${answer > 0 ? `#${answer}` : ''}`
}

/** Returns the time that `backoff`, an empty quota or a violation of the throttle forbids requests for. */
function limit(reply: Reply): number | undefined {
  const { now, body } = reply
  const { backoff, quota_remaining: quotaRemaining, error_name: error, error_message: message } = Object(body)
  if (error === 'throttle_violation') {
    const [, seconds = '60'] = /available in (\d{1,6}) seconds/.exec(textOf(message)) ?? []
    return now + Number(seconds) * 1000
  }
  const waits = [
    ...(numberOf(backoff) > 0 ? [now + numberOf(backoff) * 1000] : []),
    // The quota is a daily one, by the day of UTC.
    ...(quotaRemaining === 0 ? [new Date(now).setUTCHours(24, 0, 0, 0)] : []),
    ...[retryAfter(reply)].filter(time => time !== undefined),
  ]
  return waits.length > 0 ? Math.max(...waits) : undefined
}
