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
  const own: Approval[] = []
  const seen = latestSeen(shelves.time)
  const compiled = new Map<string, { from: string; approval: CompiledApproval | undefined }>()

  const ready = async (approval: Approval): Promise<CompiledApproval | undefined> => {
    const { lastUsedAt: _used, ...lasting } = approval
    const from = JSON.stringify(lasting)
    const known = compiled.get(approval.id)
    if (known?.from === from) return known.approval && { ...known.approval, ...approval }
    const { compileApproval } = await import('../guards/approval/approval.ts')
    const fresh = await compileApproval(approval).catch(refused)
    compiled.set(approval.id, { from, approval: fresh })
    return fresh
  }

  return {
    async list() {
      const kept = [...shelves.workspace.list(), ...shelves.user.list()].map(fromEntry)
      const known = [...own, ...kept]
      const latest = known.some(({ expiresAt }) => expiresAt !== undefined) ? await seen() : 0
      for (const { id, expiresAt = latest, expired } of kept)
        if (expiresAt < latest && !expired) for (const shelf of [shelves.workspace, shelves.user]) shelf.expire(id)
      const all = await Promise.all(known.filter(({ expiresAt = latest }) => expiresAt >= latest).map(ready))
      return all.filter(approval => approval !== undefined)
    },
    add(approval) {
      if (approval.scope === 'session') {
        const added = { ...approval, id: shelves.newId() }
        own.push(added)
        return added
      }
      return fromEntry(shelves[approval.scope === 'user' ? 'user' : 'workspace'].add(toKept(approval)))
    },
    touch(id, at) {
      const mine = own.findIndex(approval => approval.id === id)
      const found = own[mine]
      if (found) own[mine] = { ...found, lastUsedAt: at }
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
  const own = new Set<string>()
  const isValid = (expiresAt: string | undefined) => expiresAt === undefined || Date.parse(expiresAt) > realTime()
  return {
    list: () => shelf.list().filter(({ id, expiresAt }) => own.has(id) || isValid(expiresAt)),
    add(approval) {
      const taken = new Set(shelf.list().map(({ id }) => id))
      let id = newId()
      while (taken.has(id)) id = newId()
      own.add(id)
      return shelf.add(approval, id)
    },
    touch: (id, at) => shelf.touch(id, at),
    expire: id => shelf.expire(id),
  }
}

/** An approval that cannot be used approves nothing; `policy list` says why. */
function refused(cause: unknown): undefined {
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
