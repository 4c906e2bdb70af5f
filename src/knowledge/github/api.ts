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
export async function getFrom(hub: Hub, request: ApiRequest, call: CallParts): Promise<ApiResponse> {
  const url = hub.url(request.path)
  const cachedAnswer = request.mayChange ? hub.answers.get(url) : undefined
  let hasRenewed = false
  let usedInstallation: Hub['installation']
  for (let tries = 1; ;) {
    await waitUntil(hub.limitedUntil, call.deadline, call.signal)
    const response = await sendOnce().catch(failedOnTheWay)
    if (!(response instanceof ToolError)) {
      if (response.status === 304 && cachedAnswer) return { bytes: cachedAnswer.bytes, truncated: false }
      hub.limitedUntil = usedUpUntil(response.headers) ?? hub.limitedUntil
      if (response.status === 200) return keep(hub, url, request, response)
      const until = limitedUntil({ ...response, message: messageOf(response) }, Date.now())
      if (until !== undefined) {
        hub.limitedUntil = until
        continue
      }
      if (response.status === 401 && hub.installation && !hasRenewed) {
        hasRenewed = true
        // Another call may have replaced it meanwhile.
        if (hub.installation === usedInstallation) hub.installation = undefined
        continue
      }
    }
    const isPassing = response instanceof ToolError || response.status >= 500
    if (!isPassing || tries === MOST_TRIES)
      throw response instanceof ToolError ? response : refusal(hub, request, response)
    await pause(250 * 4 ** (tries++ - 1), call.signal)
  }

  async function sendOnce(): Promise<Sent> {
    const authHeaders = await authorization(hub, call)
    usedInstallation = hub.installation
    const headers = {
      accept: request.accept ?? JSON_FORM,
      ...authHeaders,
      ...(cachedAnswer && { 'if-none-match': cachedAnswer.etag }),
    }
    return send('GET', url, headers, request.maxBytes, call)
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
  const reason = messageOf(sent)
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
  if (status === 403 && /too large/i.test(reason))
    return new ToolError('too_large', `GitHub does not return ${what}: it is too large`, more)
  if (status === 403 || status === 451)
    return new ToolError('denied', `GitHub refuses ${what}${reason && `: ${reason}`}`, {
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
