import { compileApproval, type Approval, type CompiledApproval, type Grant } from '../guards/approval/approval.ts'
import { ToolError } from '../kernel/error.ts'
import type { Approvals } from './session.ts'

/** An approval as it is kept: times as people write them. */
export interface KeptApproval {
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
  readonly why?: string | undefined
}

/** Where approvals outlive a session. */
export interface ApprovalShelf {
  list(): readonly KeptApproval[]
  /** Under this id, where one is given. */
  add(approval: Omit<KeptApproval, 'id'>, id?: string): KeptApproval
  touch(id: string, at: string): void
}

/** The approvals of one session: its own, the workspace's and the user's, each compiled once. */
export function createApprovalBook(shelves: {
  readonly workspace: ApprovalShelf
  readonly user: ApprovalShelf
  newId(): string
}): Approvals {
  const own: Approval[] = []
  const compiled = new Map<string, { from: string; approval: CompiledApproval | undefined }>()

  const ready = async (approval: Approval): Promise<CompiledApproval | undefined> => {
    const { lastUsedAt: _used, ...lasting } = approval
    const from = JSON.stringify(lasting)
    const known = compiled.get(approval.id)
    if (known?.from === from) return known.approval && { ...known.approval, ...approval }
    const fresh = await compileApproval(approval).catch(refused)
    compiled.set(approval.id, { from, approval: fresh })
    return fresh
  }

  return {
    async list() {
      const kept = [...shelves.workspace.list(), ...shelves.user.list()].map(fromKept)
      const all = await Promise.all([...own, ...kept].map(ready))
      return all.filter(approval => approval !== undefined)
    },
    add(approval) {
      if (approval.scope === 'session') {
        const added = { ...approval, id: shelves.newId() }
        own.push(added)
        return added
      }
      return fromKept(shelves[approval.scope === 'user' ? 'user' : 'workspace'].add(toKept(approval)))
    },
    touch(id, at) {
      const mine = own.findIndex(approval => approval.id === id)
      const found = own[mine]
      if (found) own[mine] = { ...found, lastUsedAt: at }
      else for (const shelf of [shelves.workspace, shelves.user]) shelf.touch(id, new Date(at).toISOString())
    },
  }
}

/** One that cannot be used approves nothing; `policy list` says why. */
function refused(cause: unknown): undefined {
  if (!(cause instanceof ToolError)) throw cause
}

export function fromKept({ by, at, expiresAt, lastUsed, why: _why, ...rest }: KeptApproval): Approval {
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
}: Omit<Approval, 'id'>): Omit<KeptApproval, 'id'> {
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
  }
}
