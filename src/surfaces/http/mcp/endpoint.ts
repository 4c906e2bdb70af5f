import { createMcpHandler, isLegacyRequest, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import type { Caller } from '../../../machine/state/tokens.ts'
import type { ClientCalls } from '../../mcp/create-mcp-server.ts'
import type { HttpLimits } from '../limits.ts'
import type { ServedWorkspace } from '../served-workspace.ts'
import { createClients } from './clients.ts'
import { hasEnvelope, INVALID_REQUEST, messagesIn, methodOf, refuseRpc, SESSION_NOT_FOUND } from './rpc.ts'
import type { Exchange } from './session.ts'
import { createSessions } from './sessions.ts'

/** Opens the calls of one client in one workspace. */
export type OpenClient = (caller: Caller, at: McpAddress) => Promise<ClientCalls>

/** What the address of a request names. */
interface McpAddress {
  readonly place: ServedWorkspace
  /** Contracts to mount; our own by default. */
  readonly contracts: readonly string[]
}

/** MCP over streamable HTTP: both generations of the protocol at one address. */
export interface McpEndpoint {
  answer(from: McpAddress & { readonly caller: Caller }, exchange: Exchange): Promise<Response>
  close(): Promise<void>
}

interface EndpointOptions {
  readonly open: OpenClient
  readonly limits: HttpLimits
  readonly onError: (error: unknown) => void
}

export function createMcpEndpoint({ open, limits, onError }: EndpointOptions): McpEndpoint {
  const sessions = createSessions(onError, limits)
  const clients = createClients(async (caller: Caller, at: McpAddress) => {
    const calls = await open(caller, at)
    const handler = createMcpHandler(() => calls.newServer().server, { legacy: 'reject' })
    calls.notifyBy?.(handler.notify)
    return {
      fetch: handler.fetch,
      async close() {
        await handler.close()
        calls.end()
      },
    }
  })
  return {
    async answer({ caller, ...at }, exchange) {
      const { body } = exchange
      const owner = { caller, address: addressKey(at) }
      const [message, ...others] = messagesIn(body)
      const id = exchange.request.headers.get('mcp-session-id')
      const session = id === null ? undefined : sessions.named(id, owner)
      const isBeginning = methodOf(message) === 'initialize'
      const request =
        (session || isBeginning) && ![message, ...others].some(hasEnvelope)
          ? withoutLaterVersion(exchange.request)
          : exchange.request
      if (!(await isLegacyRequest(request, body))) {
        const client = await clients.get(owner, at)
        return client.fetch(request, { parsedBody: body })
      }
      if (session) return session.answer({ ...exchange, request })
      if (id !== null)
        return refuseRpc(404, { code: SESSION_NOT_FOUND, message: 'This session is over; initialize another' })
      if (isBeginning) return sessions.begin({ ...exchange, request }, owner, () => open(caller, at))
      return refuseRpc(400, { code: INVALID_REQUEST, message: 'Begin with initialize, or send Mcp-Session-Id' })
    },
    async close() {
      await Promise.all([sessions.close(), clients.close()])
    },
  }
}

const addressKey = ({ place, contracts }: McpAddress): string => JSON.stringify([place.name, ...contracts])

/**
 * Drops a version header that the session's protocol cannot have. Some clients ask for the newest protocol first, then
 * begin a session, and send the header of the first on.
 */
function withoutLaterVersion(request: Request): Request {
  const version = request.headers.get(VERSION_HEADER)
  if (version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version)) return request
  const headers = new Headers(request.headers)
  headers.delete(VERSION_HEADER)
  return new Request(request.url, { method: request.method, headers, signal: request.signal })
}

const VERSION_HEADER = 'mcp-protocol-version'
