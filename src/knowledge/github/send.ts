import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Egress } from '../../kernel/egress.ts'
import { readTarget, type Target } from '../../kernel/target.ts'
import { readBody } from '../../machine/web/body.ts'
import { exchange } from '../../machine/web/exchange.ts'
import type { Network } from '../../machine/web/network.ts'
import { headersOf, type Method } from '../../machine/web/request.ts'
import { timeLimit } from '../../machine/web/time-limit.ts'
import { fetchFailure, webRefusal } from '../../machine/web/web-error.ts'

/** Parts of a call that a request needs. */
export interface CallParts {
  readonly network: Network
  readonly egress: Egress
  readonly signal: AbortSignal
  /** Waits for nothing beyond this time. */
  readonly deadline: number
  /** Learns every secret before its use, so that no answer or record shows it. */
  learn(name: string, value: string): Promise<void>
}

export interface Sent {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  /** The answer is longer than the limit. */
  readonly truncated: boolean
}

const REQUEST_MS = 30_000
const MOST_REDIRECTS = 3

/**
 * Sends one request to GitHub and returns its answer, whatever the status. Follows redirects only within the origin.
 */
export async function send(
  method: Method,
  url: string,
  headers: Readonly<Record<string, string>>,
  maxBytes: number,
  call: CallParts,
): Promise<Sent> {
  const limit = timeLimit(Math.max(1, Math.min(REQUEST_MS, call.deadline - Date.now())), call.signal)
  try {
    const requestHeaders = headersOf({ 'x-github-api-version': '2022-11-28', ...headers })
    let target = readTarget(url)
    for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
      const response = await exchange(target, method, requestHeaders, call, limit)
      const next = redirectTarget(response, target)
      if (!next) return await answerOf(response, maxBytes, target, limit.signal)
      response.destroy()
      target = next
    }
    throw fetchFailure(`it redirected more than ${MOST_REDIRECTS} times`, target.origin)
  } finally {
    limit.end()
  }
}

/** Returns the new address of a renamed repository in the same API. The token must go nowhere else. */
function redirectTarget({ statusCode = 0, headers }: IncomingMessage, from: Target): Target | undefined {
  if (![301, 302, 307, 308].includes(statusCode) || headers.location === undefined) return undefined
  const next = readTarget(headers.location, from.href)
  if (next.origin === from.origin) return next
  throw webRefusal(`${from.origin} redirects to ${next.origin}`, 'Name the address of the API itself in the connection')
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
    throw fetchFailure('the connection ended in the middle of the answer', target.origin)
  return { status, headers, bytes, truncated }
}
