import type { Caller } from '../../machine/state/tokens.ts'
import type { Environment } from '../../machine/state/directory.ts'
import { createShared, loadContract, type SessionHandle, type Shared, type Toolkit } from '../../toolkit.ts'

/** How a caller's calls are made. */
interface SessionWish {
  readonly contract: string
  /** The calls stage into this transaction. */
  readonly transaction?: string | undefined
  /** The call begins a transaction or ends one, which is the session's own until its end. */
  readonly isOwn?: boolean
}

/** One open workspace of the server. */
export interface ServedWorkspace {
  readonly name: string
  readonly kit: Toolkit
  readonly env: Environment
  /** A configuration file in place of the user's own. */
  readonly config: string | undefined
  /** How long a call waits for the answer to its question; 0 if it does not. */
  readonly approvalMs: number
  /**
   * Returns a session for a caller's call. What a caller has read is known to all of its sessions, and to no other
   * caller's.
   */
  sessionFor(caller: Caller, wish: SessionWish): Promise<SessionHandle>
}

interface Client {
  readonly shared: Shared
  /** By contract: sessions outside any transaction. */
  readonly sessions: Map<string, SessionHandle>
}

/** More tokens than a person makes; the caller that was away the longest is forgotten. */
const MOST_CLIENTS = 256

/** Opens the sessions of a workspace on demand, one for each caller and contract. */
export function serveWorkspace(place: Omit<ServedWorkspace, 'sessionFor'>): ServedWorkspace {
  const { kit, approvalMs } = place
  const clients = new Map<string, Client>()
  const clientOf = ({ id }: Caller): Client => {
    const client = clients.get(id) ?? { shared: createShared(), sessions: new Map() }
    clients.delete(id)
    clients.set(id, client)
    const [oldest] = clients.keys()
    if (clients.size > MOST_CLIENTS && oldest !== undefined) clients.delete(oldest)
    return client
  }
  return {
    ...place,
    async sessionFor(caller, { contract: id, transaction, isOwn = false }) {
      const { shared, sessions } = clientOf(caller)
      const existingSession = transaction === undefined && !isOwn ? sessions.get(id) : undefined
      if (existingSession) return existingSession
      const contract = await loadContract(id)
      const options = {
        contract,
        shared,
        ...(approvalMs > 0 && { waitForApprovalMs: approvalMs }),
      }
      // After its end, a session in a transaction would land each call: it is used once.
      if (transaction !== undefined || isOwn)
        return kit.session({ ...options, ...(transaction !== undefined && { transaction }) })
      const session = kit.session(options)
      sessions.set(id, session)
      return session
    },
  }
}
