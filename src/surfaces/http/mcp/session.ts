import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { ClientCalls } from '../../mcp/create-mcp-server.ts'
import type { Owner } from './clients.ts'
import { createEventLog } from './event-log.ts'
import { INVALID_REQUEST, messagesIn, methodOf, refuseRpc, requestIds } from './rpc.ts'
import { SessionTransport } from './session-transport.ts'

/** One request of a client, and where its answer goes. */
export interface Exchange {
  readonly request: Request
  readonly body: unknown
  readonly outgoing: ServerResponse
}

/** One session of a client of a protocol before 2026-07-28. */
export interface McpSession {
  readonly callerId: string
  readonly address: string
  /** When it was used last; later than any time while a request of it is open. */
  usedAt(): number
  answer(exchange: Exchange): Promise<Response>
  close(): Promise<void>
}

interface SessionOptions {
  readonly owner: Owner
  /** Called once the client knows the session. */
  readonly onOpen: (id: string, session: McpSession) => void
  readonly onClose: (id: string) => void
  /** How long a call runs on when its client left, which may come back for the answer. */
  readonly resumeMs: number
}

/** Opens a session that has no name until its client initializes it. */
export async function openSession(calls: ClientCalls, options: SessionOptions): Promise<McpSession> {
  const { owner, onOpen, onClose, resumeMs } = options
  let [open, lastUse] = [0, Date.now()]
  /** Requests whose client left, and when they end. */
  const left = new Map<string | number, NodeJS.Timeout>()
  const transport = new SessionTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: id => onOpen(id, session),
    eventStore: createEventLog(),
  })
  const { server } = calls.newServer()
  await server.connect(transport)
  // The SDK knows no other way.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  server.onclose = () => {
    for (const timer of left.values()) clearTimeout(timer)
    calls.end()
    if (transport.sessionId !== undefined) onClose(transport.sessionId)
  }

  const leave = (ids: readonly (string | number)[]): void => {
    for (const id of ids)
      if (transport.isRunning(id))
        left.set(
          id,
          setTimeout(() => {
            left.delete(id)
            transport.cancel(id, 'The client left')
          }, resumeMs).unref(),
        )
  }
  /** A client that comes back waits for what it had asked for. */
  const comeBack = (): readonly (string | number)[] => {
    const ids = [...left.keys()]
    for (const timer of left.values()) clearTimeout(timer)
    left.clear()
    return ids
  }

  const session: McpSession = {
    callerId: owner.caller.id,
    address: owner.address,
    usedAt: () => (open > 0 || transport.isBusy ? Infinity : lastUse),
    async answer({ request, body, outgoing }) {
      const messages = messagesIn(body)
      const ids = requestIds(messages)
      const double = ids.find((id, at) => transport.isRunning(id) || ids.indexOf(id) !== at)
      if (double !== undefined)
        return refuseRpc(400, {
          code: INVALID_REQUEST,
          message: `A request with the id ${JSON.stringify(double)} is in flight in this session`,
          id: double,
        })
      transport.begin(ids)
      const resumesAt = request.method === 'GET' ? request.headers.get('last-event-id') : null
      const response = await transport.handleRequest(request, { parsedBody: body })
      // The request was refused, so nothing answers these.
      if (!response.ok) for (const id of ids) transport.forget(id)
      for (const message of messages)
        if (methodOf(message) === 'notifications/cancelled') transport.forget(Object(Object(message).params).requestId)
      const waiting = resumesAt !== null && response.ok ? comeBack() : ids
      open++
      outgoing.once('close', () => {
        open--
        lastUse = Date.now()
        if (!outgoing.writableFinished) leave(waiting)
      })
      if (request.method === 'GET')
        request.signal.addEventListener('abort', () => transport.closeStandaloneSSEStream(), { once: true })
      return response
    },
    close: () => server.close(),
  }
  return session
}
