import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Egress } from '../../kernel/egress.ts'
import { readTarget, type Target } from '../../kernel/target.ts'
import { readBody } from '../../machine/web/body.ts'
import { exchange } from '../../machine/web/exchange.ts'
import type { Network } from '../../machine/web/network.ts'
import { headersOf, type Method } from '../../machine/web/request.ts'
import { timeLimit } from '../../machine/web/time-limit.ts'
import { failed, refused } from '../../machine/web/web-error.ts'

/** What a request needs of the call that it is made for. */
export interface CallParts {
  readonly network: Network
  readonly egress: Egress
  readonly signal: AbortSignal
  /** Nothing is waited for beyond this time. */
  readonly deadline: number
  /** Hears every secret before it is used, so that no answer or record shows it. */
  learn(name: string, value: string): Promise<void>
}

export interface Sent {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  /** There is more than was wanted. */
  readonly truncated: boolean
}

const REQUEST_MS = 30_000
const MOST_REDIRECTS = 3

/** One request to GitHub, its answer whatever the status. Redirects are followed within the origin and nowhere else. */
export async function send(
  method: Method,
  url: string,
  headers: Readonly<Record<string, string>>,
  maxBytes: number,
  call: CallParts,
): Promise<Sent> {
  const limit = timeLimit(Math.max(1, Math.min(REQUEST_MS, call.deadline - Date.now())), call.signal)
  try {
    const checked = headersOf({ 'x-github-api-version': '2022-11-28', ...headers })
    let target = readTarget(url)
    for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
      const response = await exchange(target, method, checked, call, limit)
      const next = redirected(response, target)
      if (!next) return await answerOf(response, maxBytes, target, limit.signal)
      response.destroy()
      target = next
    }
    throw failed(`it redirected more than ${MOST_REDIRECTS} times`, target.origin)
  } finally {
    limit.end()
  }
}

/** A repository that was renamed has another address in the same API; anywhere else the token has no business. */
function redirected({ statusCode = 0, headers }: IncomingMessage, from: Target): Target | undefined {
  if (![301, 302, 307, 308].includes(statusCode) || headers.location === undefined) return undefined
  const next = readTarget(headers.location, from.href)
  if (next.origin === from.origin) return next
  throw refused(`${from.origin} redirects to ${next.origin}`, 'Name the address of the API itself in the connection')
}

async function answerOf(
  response: IncomingMessage,
  maxBytes: number,
  target: Target,
  signal: AbortSignal,
): Promise<Sent> {
  const { statusCode: status = 0, headers } = response
  const { bytes, truncated } = await readBody(response, maxBytes, target.origin, signal)
  if (truncated && bytes.length < maxBytes)
    throw failed('the connection ended in the middle of the answer', target.origin)
  return { status, headers, bytes, truncated }
}
