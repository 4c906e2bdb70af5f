import { ToolError } from '../../kernel/error.ts'
import { authorization } from './authorization.ts'
import type { Hub } from './hub.ts'
import { jsonOf } from './json-of.ts'
import { limitedUntil, pause, usedUpUntil, waitUntil } from './rate-limit.ts'
import { send, type CallParts, type Sent } from './send.ts'

interface ApiRequest {
  /** Path in the API, below the connection's address. */
  readonly path: string
  /** Name for the message if it is missing. */
  readonly what: string
  readonly accept?: string
  readonly maxBytes: number
  /** It may have changed since the last request. An unchanged answer does not count against the limit. */
  readonly mayChange?: boolean
  /** A refusal here means no access to the repository. */
  readonly isDoor?: boolean
}

interface ApiResponse {
  readonly bytes: Buffer
  readonly truncated: boolean
}

const MOST_TRIES = 3
const JSON_FORM = 'application/vnd.github+json'

/** Fetches from the API of a connection, within its limits. */
export async function getFrom(hub: Hub, wanted: ApiRequest, call: CallParts): Promise<ApiResponse> {
  const url = hub.url(wanted.path)
  const known = wanted.mayChange ? hub.answers.get(url) : undefined
  let renewed = false
  let used: Hub['installation']
  for (let tries = 1; ;) {
    await waitUntil(hub.limitedUntil, call.deadline, call.signal)
    const sent = await sendOnce().catch(failedOnTheWay)
    if (!(sent instanceof ToolError)) {
      if (sent.status === 304 && known) return { bytes: known.bytes, truncated: false }
      hub.limitedUntil = usedUpUntil(sent.headers) ?? hub.limitedUntil
      if (sent.status === 200) return keep(hub, url, wanted, sent)
      const until = limitedUntil({ ...sent, message: messageOf(sent) }, Date.now())
      if (until !== undefined) {
        hub.limitedUntil = until
        continue
      }
      if (sent.status === 401 && hub.installation && !renewed) {
        renewed = true
        // Another call may have replaced it meanwhile.
        if (hub.installation === used) hub.installation = undefined
        continue
      }
    }
    const isPassing = sent instanceof ToolError || sent.status >= 500
    if (!isPassing || tries === MOST_TRIES) throw sent instanceof ToolError ? sent : refusal(hub, wanted, sent)
    await pause(250 * 4 ** (tries++ - 1), call.signal)
  }

  async function sendOnce(): Promise<Sent> {
    const own = await authorization(hub, call)
    used = hub.installation
    const headers = { accept: wanted.accept ?? JSON_FORM, ...own, ...(known && { 'if-none-match': known.etag }) }
    return send('GET', url, headers, wanted.maxBytes, call)
  }
}

/** Network failures may be temporary; refusals by a rule or a timeout are not. */
function failedOnTheWay(cause: unknown): ToolError {
  if (cause instanceof ToolError && cause.code === 'io') return cause
  throw cause
}

function keep(hub: Hub, url: string, { mayChange }: ApiRequest, { bytes, truncated, headers }: Sent): ApiResponse {
  const { etag } = headers
  if (mayChange && !truncated && etag !== undefined) hub.answers.set(url, { etag, bytes }, bytes.length + 200)
  return { bytes, truncated }
}

function refusal({ connection }: Hub, { what, isDoor = false }: ApiRequest, sent: Sent): ToolError {
  const { status } = sent
  const said = messageOf(sent)
  const isShut = status === 401 || (isDoor && [403, 404, 451].includes(status))
  const more = { details: { status, ...(isShut && { access: 'none' }) } }
  if (status === 401)
    return new ToolError('denied', 'GitHub does not accept the credentials of this connection', {
      ...more,
      hint: 'Check whether the token has expired or was revoked',
    })
  // GitHub returns 422 for a missing commit.
  if (status === 404 || status === 422)
    return new ToolError('not_found', `GitHub does not find ${what}`, {
      ...more,
      hint: 'Check the name, and whether the credentials of the connection may see it',
    })
  if (status === 409) return new ToolError('conflict', `${connection.repository} is empty`, more)
  if (status === 403 && /too large/i.test(said))
    return new ToolError('too_large', `GitHub does not return ${what}: it is too large`, more)
  if (status === 403 || status === 451)
    return new ToolError('denied', `GitHub refuses ${what}${said && `: ${said}`}`, {
      ...more,
      hint: 'Check what the credentials of the connection are allowed to read',
    })
  return new ToolError('io', `GitHub failed with status ${status} on ${what}`, { ...more, hint: 'Try again later' })
}

/** Returns GitHub's message if it is short. */
function messageOf({ bytes }: Sent): string {
  const { message } = Object(jsonOf(bytes))
  return typeof message === 'string' ? message.slice(0, 200) : ''
}
