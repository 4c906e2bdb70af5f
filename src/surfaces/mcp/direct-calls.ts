import type { CallToolRequest, JSONRPCMessage, RequestId, Server } from '@modelcontextprotocol/server'
import type { AnswerCall, CallRequest } from './call-request.ts'
import { requestIdOf } from './request-id.ts'

/** A server, and its answers to tool calls without it. */
export interface DirectServer {
  readonly server: Server
  readonly call: AnswerCall
}

interface Connection {
  serving(): DirectServer | undefined
  send(answer: JSONRPCMessage): Promise<void>
  /** Gets what kept an answer from being sent. */
  onError(error: Error): void
}

interface DirectCalls {
  /** Answers a plain tool call, or cancels one. Returns false for any other message, which the SDK answers. */
  take(message: JSONRPCMessage): boolean
  /** Cancels all, when the connection is over. */
  end(): void
}

/**
 * Answers tool calls of a connection that began with `initialize` without the SDK, which matches each against eight
 * schemas: as much work as a read itself. What is not plainly a call, the SDK judges.
 */
export function directCalls({ serving, send, onError }: Connection): DirectCalls {
  const running = new Map<RequestId, AbortController>()
  let isOver = false

  async function answer({ server, call }: DirectServer, id: RequestId, params: CallParams): Promise<void> {
    const controller = new AbortController()
    running.set(id, controller)
    const { signal } = controller
    try {
      const result = await call(params, requestOf(server, params, signal))
      if (!signal.aborted) await send({ jsonrpc: '2.0', id, result })
    } catch (error) {
      if (!signal.aborted) await send({ jsonrpc: '2.0', id, error: errorOf(error) })
    } finally {
      if (running.get(id) === controller) running.delete(id)
    }
  }

  return {
    take(message) {
      if (isOver || !('method' in message)) return false
      if (message.method === 'notifications/cancelled') {
        const { requestId, reason } = Object(message.params)
        const controller = running.get(requestId)
        controller?.abort(reason)
        return controller !== undefined
      }
      if (message.method !== 'tools/call') return false
      const now = serving()
      const id = requestIdOf(message)
      // The client is known once the SDK has answered its `initialize`.
      if (id === undefined || !now?.server.getClientVersion() || !isPlain(message, MEMBERS)) return false
      const { params } = message
      if (!isCall(params)) return false
      answer(now, id, params).catch((error: unknown) =>
        onError(error instanceof Error ? error : new Error(String(error))),
      )
      return true
    },
    end() {
      isOver = true
      for (const controller of running.values()) controller.abort()
    },
  }
}

type CallParams = CallToolRequest['params']

const MEMBERS: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params'])
const PARAMS: ReadonlySet<string> = new Set(['name', 'arguments', '_meta'])
/** Later protocols put parts of a request under such keys; clients put what they like under others. */
const RESERVED = 'io.modelcontextprotocol/'

function isCall(params: unknown): params is CallParams {
  if (!isPlain(params, PARAMS)) return false
  const { name, arguments: input, _meta: meta } = params
  if (typeof name !== 'string' || !(input === undefined || isPlain(input))) return false
  if (meta === undefined) return true
  if (!isPlain(meta) || Object.keys(meta).some(key => key.startsWith(RESERVED))) return false
  const { progressToken: token } = meta
  return token === undefined || typeof token === 'string' || Number.isSafeInteger(token)
}

/** Reports whether a value is an object of these members alone. */
const isPlain = (value: unknown, members?: ReadonlySet<string>): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  (members === undefined || Object.keys(value).every(key => members.has(key)))

function requestOf(server: Server, { _meta: meta }: CallParams, signal: AbortSignal): CallRequest {
  const send: CallRequest['mcpReq']['send'] = server.request.bind(server)
  return {
    isOnly: true,
    mcpReq: {
      ...(meta && { _meta: meta }),
      signal,
      send,
      notify: notification => server.notification(notification),
      requestState: () => undefined,
    },
  }
}

const INTERNAL_ERROR = -32_603

function errorOf(thrown: unknown): { readonly code: number; readonly message: string; readonly data?: unknown } {
  const { code, message, data }: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown } =
    Object(thrown)
  return {
    ...(data !== undefined && { data }),
    code: typeof code === 'number' && Number.isSafeInteger(code) ? code : INTERNAL_ERROR,
    message: typeof message === 'string' ? message : 'Internal error',
  }
}
