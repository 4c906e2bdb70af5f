import { describe, expect, it } from 'vitest'
import type { Approval } from '../guards/approval/approval.ts'
import { createApprovalList, type ApprovalStorage, type ApprovalEntry } from './approval-list.ts'

function shelf(...kept: ApprovalEntry[]): ApprovalStorage & { readonly kept: ApprovalEntry[] } {
  return {
    kept,
    list: () => kept,
    add(approval) {
      const added = { ...approval, id: `kept${kept.length}` }
      kept.push(added)
      return added
    },
    touch(id, at) {
      const index = kept.findIndex(approval => approval.id === id)
      const found = kept[index]
      if (found) kept[index] = { ...found, lastUsed: at }
    },
    expire(id) {
      const index = kept.findIndex(approval => approval.id === id)
      const found = kept[index]
      if (found) kept[index] = { ...found, expired: true }
    },
  }
}

const approval = (scope: Approval['scope']): Omit<Approval, 'id'> => ({
  tool: 'toolwright/edit',
  grants: [{ action: 'write', path: 'src/*.ts' }],
  scope,
  workspace: 'W',
  who: 'ada',
  at: Date.UTC(2030, 0, 1),
  expiresAt: Date.UTC(2030, 3, 1),
  enabled: true,
})

function book() {
  let count = 0
  const shelves = { workspace: shelf(), user: shelf() }
  return { ...shelves, book: createApprovalList({ ...shelves, newId: () => `own${count++}` }) }
}

describe('createApprovalBook', () => {
  it('keeps each answer where its scope reaches, with times that people can read', async () => {
    const { book: approvals, workspace, user } = book()
    for (const scope of ['session', 'task', 'workspace', 'user'] as const) approvals.add(approval(scope))
    expect(workspace.kept.map(({ scope }) => scope)).toEqual(['task', 'workspace'])
    expect(user.kept).toMatchObject([
      { scope: 'user', by: 'ada', at: '2030-01-01T00:00:00.000Z', expiresAt: '2030-04-01T00:00:00.000Z' },
    ])
    const listed = await approvals.list()
    expect(listed.map(({ scope }) => scope)).toEqual(['session', 'task', 'workspace', 'user'])
    expect(listed[3]).toMatchObject({ who: 'ada', at: Date.UTC(2030, 0, 1), expiresAt: Date.UTC(2030, 3, 1) })
  })

  it('does not bring back what has expired when the clock is set back', async () => {
    const shelves = { workspace: shelf(), user: shelf() }
    const before = Date.UTC(2030, 1, 1)
    const later = Date.UTC(2030, 5, 1)
    const bookAt = (now: () => number, latest = 0) =>
      createApprovalList({ ...shelves, newId: () => 'own', time: { now, latest: async () => latest } })
    let time = before
    const first = bookAt(() => time)
    first.add(approval('workspace'))
    first.add(approval('session'))
    expect(await first.list()).toHaveLength(2)
    time = later
    expect(await first.list()).toEqual([])
    time = before
    // In the same session, and in the next one, for it is noted.
    expect(await first.list()).toEqual([])
    expect(shelves.workspace.kept).toMatchObject([{ expired: true }])
    expect(await bookAt(() => before).list()).toMatchObject([{ expired: true }])
    // It was not checked after its expiry, but something was done then.
    shelves.user.add({ ...shelves.workspace.kept[0], expired: undefined, scope: 'user' } as ApprovalEntry)
    expect(await bookAt(() => before, later).list()).toEqual([])
  })

  it('notes when one was used', async () => {
    const { book: approvals, workspace } = book()
    const own = approvals.add(approval('session'))
    const kept = approvals.add(approval('workspace'))
    approvals.touch(own.id, 1_000)
    approvals.touch(kept.id, 2_000)
    expect((await approvals.list()).map(({ lastUsedAt }) => lastUsedAt)).toEqual([1_000, 2_000])
    expect(workspace.kept[0]?.lastUsed).toBe('1970-01-01T00:00:02.000Z')
  })

  it('leaves out what cannot be used, and takes in what was changed', async () => {
    const { book: approvals, workspace } = book()
    approvals.add(approval('workspace'))
    const [kept] = workspace.kept
    if (!kept) throw new Error('nothing was kept')
    workspace.kept.push({ ...kept, id: 'bad', grants: undefined, pattern: '.*' })
    expect((await approvals.list()).map(({ id }) => id)).toEqual(['kept0'])
    workspace.kept[0] = { ...kept, enabled: false }
    expect((await approvals.list())[0]?.enabled).toBe(false)
  })
})
