import type { IncomingMessage, ServerResponse } from 'node:http'
import { ToolError } from '../../../kernel/error.ts'
import type { Caller, Scope } from '../../../machine/state/tokens.ts'
import { callerOf, type Served } from '../answer-request.ts'
import { readBody } from '../read-body.ts'
import { refuseFor } from '../refusal.ts'
import type { McpEndpoint } from './endpoint.ts'
import { INVALID_REQUEST, messagesIn, methodOf, refuseRpc, requestIds } from './rpc.ts'

interface Incoming {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/** Answers a request to `/mcp`: token, body, scope, workspace, and then the protocol. */
export async function answerMcp(
  services: Served,
  endpoint: McpEndpoint,
  { incoming, outgoing }: Incoming,
): Promise<Response> {
  const caller = callerOf(services, incoming)
  if (caller instanceof Response) return caller
  const { method = 'GET', url = '/' } = incoming
  const requestBody = method === 'POST' ? await readBody(incoming, services.limits.bodyBytes) : { value: undefined }
  if (requestBody instanceof Response) return requestBody
  const body = requestBody.value
  const messages = messagesIn(body)
  const refusal = refuseScope(caller, messages)
  if (refusal) return refusal
  const isEndless = method === 'GET' || methodOf(messages[0]) === 'subscriptions/listen'
  return services.inFlight.run({ outgoing, isEndless }, async signal => {
    try {
      const address = new URL(url, 'http://localhost')
      const place = services.workspaces.named(address.searchParams.get('workspace') ?? undefined)
      const request = new Request(address, { method, headers: headersOf(incoming), signal })
      const contracts = address.searchParams.getAll('contract')
      return await endpoint.answer({ caller, place, contracts }, { request, body, outgoing })
    } catch (error) {
      if (error instanceof ToolError) return refuseFor(error)
      services.onError(error)
      return refuseRpc(500, { code: INTERNAL_ERROR, message: 'This is a defect of the server; its output says more' })
    }
  })
}

const INTERNAL_ERROR = -32_603

/** A stored text is read by a call of the tool `read`. */
const isCall = (message: unknown): boolean =>
  methodOf(message) === 'tools/call' ||
  (methodOf(message) === 'resources/read' && !/^toolwright:\/\/journal\b/.test(Object(Object(message).params).uri))

/** A token that only looks may list, and read the journal. */
function refuseScope({ name, scopes }: Caller, messages: readonly unknown[]): Response | undefined {
  const scope: Scope = messages.some(isCall) ? 'call' : 'read'
  if (scopes.includes(scope) || (scope === 'read' && scopes.includes('call'))) return undefined
  return refuseRpc(403, {
    code: INVALID_REQUEST,
    message: `The token '${name}' has no scope '${scope}'. Make one that has: toolwright token new --name NAME --scope ${[...scopes, scope].join(',')}`,
    id: requestIds(messages)[0] ?? null,
  })
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  return headers
}
