import type { Approval, CompiledApproval, Grant } from '../guards/approval/approval.ts'
import { ToolError } from '../kernel/error.ts'
import type { Approvals } from './session.ts'

/** An approval as it is stored, with times as people write them. */
export interface ApprovalEntry {
  readonly id: string
  readonly tool: string
  readonly pattern?: string | undefined
  readonly grants?: readonly Grant[] | undefined
  readonly scope: Approval['scope']
  readonly task?: string | undefined
  readonly session?: string | undefined
  readonly workspace?: string | undefined
  readonly by: string
  readonly at: string
  readonly expiresAt?: string | undefined
  readonly lastUsed?: string | undefined
  readonly enabled: boolean
  readonly expired?: true | undefined
  readonly made?: Approval['made']
  readonly asked?: readonly string[] | undefined
  readonly runs?: Approval['runs']
  readonly why?: string | undefined
}

/** A store for approvals that outlive a session. */
export interface ApprovalStorage {
  list(): readonly ApprovalEntry[]
  /** Adds an approval, under this id if given. */
  add(approval: Omit<ApprovalEntry, 'id'>, id?: string): ApprovalEntry
  touch(id: string, at: string): void
  /** Marks an approval as expired for good. */
  expire(id: string): void
}

/** The approvals of one session: its own, the workspace's and the user's, each compiled once. */
export function createApprovalList(shelves: {
  readonly workspace: ApprovalStorage
  readonly user: ApprovalStorage
  newId(): string
  /** The current time, and the latest time of anything done here; absent if the clock stands still. */
  readonly time?: { now(): number; latest(): Promise<number> }
}): Approvals {
  const sessionApprovals: Approval[] = []
  const latestTime = latestSeen(shelves.time)
  const compiledById = new Map<string, { from: string; approval: CompiledApproval | undefined }>()

  const ready = async (approval: Approval): Promise<CompiledApproval | undefined> => {
    const { lastUsedAt: _used, ...lasting } = approval
    const from = JSON.stringify(lasting)
    const cacheEntry = compiledById.get(approval.id)
    if (cacheEntry?.from === from) return cacheEntry.approval && { ...cacheEntry.approval, ...approval }
    const { compileApproval } = await import('../guards/approval/approval.ts')
    const fresh = await compileApproval(approval).catch(ignoreToolError)
    compiledById.set(approval.id, { from, approval: fresh })
    return fresh
  }

  return {
    async list() {
      const storedApprovals = [...shelves.workspace.list(), ...shelves.user.list()].map(fromEntry)
      const allApprovals = [...sessionApprovals, ...storedApprovals]
      const latest = allApprovals.some(({ expiresAt }) => expiresAt !== undefined) ? await latestTime() : 0
      for (const { id, expiresAt = latest, expired } of storedApprovals)
        if (expiresAt < latest && !expired) for (const shelf of [shelves.workspace, shelves.user]) shelf.expire(id)
      const all = await Promise.all(allApprovals.filter(({ expiresAt = latest }) => expiresAt >= latest).map(ready))
      return all.filter(approval => approval !== undefined)
    },
    add(approval) {
      if (approval.scope === 'session') {
        const newApproval = { ...approval, id: shelves.newId() }
        sessionApprovals.push(newApproval)
        return newApproval
      }
      return fromEntry(shelves[approval.scope === 'user' ? 'user' : 'workspace'].add(toKept(approval)))
    },
    touch(id, at) {
      const mine = sessionApprovals.findIndex(approval => approval.id === id)
      const usedApproval = sessionApprovals[mine]
      if (usedApproval) sessionApprovals[mine] = { ...usedApproval, lastUsedAt: at }
      else for (const shelf of [shelves.workspace, shelves.user]) shelf.touch(id, new Date(at).toISOString())
    },
  }
}

/** Returns the latest known time. Setting the clock back does not make it earlier. */
function latestSeen(time: { now(): number; latest(): Promise<number> } | undefined): () => Promise<number> {
  let latest: number | undefined
  return async () => {
    if (!time) return 0
    latest = Math.max(latest ?? (await time.latest()), time.now())
    return latest
  }
}

/**
 * Approvals as a deterministic session sees them: new ones get names in order. Its clock stands still in the past, so
 * approvals expire by the real time, except those of this session.
 */
export function fixedStorage(shelf: ApprovalStorage, newId: () => string, realTime: () => number): ApprovalStorage {
  const newIds = new Set<string>()
  const isValid = (expiresAt: string | undefined) => expiresAt === undefined || Date.parse(expiresAt) > realTime()
  return {
    list: () => shelf.list().filter(({ id, expiresAt }) => newIds.has(id) || isValid(expiresAt)),
    add(approval) {
      const usedIds = new Set(shelf.list().map(({ id }) => id))
      let id = newId()
      while (usedIds.has(id)) id = newId()
      newIds.add(id)
      return shelf.add(approval, id)
    },
    touch: (id, at) => shelf.touch(id, at),
    expire: id => shelf.expire(id),
  }
}

/** An approval that cannot be used approves nothing; `policy list` says why. */
function ignoreToolError(cause: unknown): undefined {
  if (!(cause instanceof ToolError)) throw cause
}

export function fromEntry({ by, at, expiresAt, lastUsed, why: _why, ...rest }: ApprovalEntry): Approval {
  return {
    ...rest,
    who: by,
    at: Date.parse(at),
    ...(expiresAt !== undefined && { expiresAt: Date.parse(expiresAt) }),
    ...(lastUsed !== undefined && { lastUsedAt: Date.parse(lastUsed) }),
  }
}

function toKept({
  who,
  at,
  expiresAt,
  tool,
  pattern,
  grants,
  scope,
  task,
  session,
  workspace,
  enabled,
  made,
  asked,
  runs,
}: Omit<Approval, 'id'>): Omit<ApprovalEntry, 'id'> {
  return {
    tool,
    ...(pattern !== undefined && { pattern }),
    ...(grants !== undefined && { grants }),
    scope,
    ...(task !== undefined && { task }),
    ...(session !== undefined && { session }),
    ...(workspace !== undefined && { workspace }),
    by: who,
    at: new Date(at).toISOString(),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    enabled,
    ...(made !== undefined && { made }),
    ...(asked !== undefined && { asked }),
    ...(runs !== undefined && { runs }),
  }
}
