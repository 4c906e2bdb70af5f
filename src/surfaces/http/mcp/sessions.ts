import type { Owner } from './clients.ts'
import type { HttpLimits } from '../limits.ts'
import { refuseRpc, SERVER_ERROR } from './rpc.ts'
import { openSession, type Exchange, type McpSession } from './session.ts'
import type { ClientCalls } from '../../mcp/create-mcp-server.ts'

/** The sessions of a server, by their names, which only their clients know. */
interface McpSessions {
  /** Returns the session of this name if it belongs to the caller and the workspace. */
  named(id: string, owner: Owner): McpSession | undefined
  /** Answers an `initialize`, which begins a session. */
  begin(exchange: Exchange, owner: Owner, calls: () => Promise<ClientCalls>): Promise<Response>
  close(): Promise<void>
}

type SessionLimits = Pick<HttpLimits, 'mcpSessions' | 'resumeMs' | 'sessionIdleMs'>

export function createSessions(onError: (error: Error) => void, limits: SessionLimits): McpSessions {
  const sessions = new Map<string, McpSession>()
  const closeOne = (id: string): void => {
    const session = sessions.get(id)
    sessions.delete(id)
    session?.close().catch(onError)
  }
  /** Makes room for another session; false if all are in use. */
  const makeRoom = (): boolean => {
    const idle = [...sessions]
      .map(([id, session]) => ({ id, usedAt: session.usedAt() }))
      .filter(({ usedAt }) => Number.isFinite(usedAt))
      .toSorted((one, other) => one.usedAt - other.usedAt)
    for (const [at, { id, usedAt }] of idle.entries())
      if (Date.now() - usedAt > limits.sessionIdleMs || sessions.size - at >= limits.mcpSessions) closeOne(id)
    return sessions.size < limits.mcpSessions
  }
  return {
    named(id, { caller, address }) {
      const session = sessions.get(id)
      return session?.callerId === caller.id && session.address === address ? session : undefined
    },
    async begin(exchange, owner, calls) {
      if (!makeRoom())
        return refuseRpc(503, { code: SERVER_ERROR, message: `${sessions.size} sessions are open; end one of them` })
      let isOpen = false
      const session = await openSession(await calls(), {
        owner,
        onOpen(id, opened) {
          isOpen = true
          sessions.set(id, opened)
        },
        onClose: id => sessions.delete(id),
        resumeMs: limits.resumeMs,
      })
      const response = await session.answer(exchange)
      if (!isOpen) await session.close()
      return response
    },
    async close() {
      const open = [...sessions.values()]
      sessions.clear()
      await Promise.all(open.map(session => session.close()))
    },
  }
}
