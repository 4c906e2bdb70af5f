import type { Egress } from '../../kernel/egress.ts'
import { readTarget } from '../../kernel/target.ts'
import { readBody } from './body.ts'
import { exchange } from './exchange.ts'
import type { Network } from './network.ts'
import { headersOf, type Method } from './request.ts'
import { timeLimit } from './time-limit.ts'
import { fetchFailure } from './web-error.ts'

/** A request to the API of a server that the user's own configuration names. */
interface ServerRequest {
  readonly method: Method
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  readonly timeoutMs: number
  readonly maxBytes: number
}

export interface ServerAnswer {
  readonly status: number
  readonly text: string
  /** Undefined if the answer is not JSON. */
  readonly body: unknown
}

interface ServerParts {
  readonly network: Network
  readonly egress: Egress
  readonly signal: AbortSignal
}

/**
 * Sends one request with JSON and returns the answer, whatever its status. Follows no redirect: a token must go nowhere
 * else. Throws `io` if there is no whole answer.
 */
export async function callServer(request: ServerRequest, { signal, ...parts }: ServerParts): Promise<ServerAnswer> {
  const { method, url, headers = {}, body, timeoutMs, maxBytes } = request
  const limit = timeLimit(timeoutMs, signal)
  try {
    const target = readTarget(url)
    const all = headersOf({ accept: 'application/json', ...headers })
    const response = await exchange(target, method, all, parts, limit, JSON.stringify(body))
    const answer = await readBody(response, maxBytes, target.origin, limit.signal)
    if (answer.truncated)
      throw fetchFailure(
        answer.bytes.length < maxBytes ? 'the connection ended in the middle of the answer' : 'the answer is too long',
        target.origin,
      )
    const text = answer.bytes.toString('utf8')
    return { status: response.statusCode ?? 0, text, body: parseJson(text) }
  } finally {
    limit.end()
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
