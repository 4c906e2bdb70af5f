import { rmSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readJournal } from './machine/journal/read.ts'
import { spentIn } from './machine/journal/record.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from './testing/temporary-workspace.ts'
import type { Toolkit } from './toolkit.ts'

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
  const budgets = [{ tool: 'toolwright/read', calls: 3 }]
  workspace.write('../config/config.json', JSON.stringify({ budgets }))
})
afterEach(() => workspace.remove())

async function read(kit: Toolkit, path = 'a.txt'): Promise<string> {
  const { outcome } = await kit.run('read', { path })
  return outcome.ok ? 'ok' : outcome.error.code
}

describe('budgets', () => {
  it('are not forgotten with a ledger that is damaged, lost or emptied', async () => {
    const kit = await workspace.open()
    expect([await read(kit), await read(kit, 'none.txt')]).toEqual(['ok', 'not_found'])
    const { ledger } = kit.state
    await kit.close()
    writeFileSync(ledger, 'damaged')
    const second = await workspace.open()
    const { outcome } = await second.run('read', { path: 'a.txt' })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'io', hint: expect.stringContaining(`rm ${ledger}`) } })
    for (const end of ['', '-wal', '-shm']) rmSync(ledger + end, { force: true })
    expect([await read(second), await read(second)]).toEqual(['ok', 'budget_exceeded'])
    await second.close()
    for (const end of ['', '-wal', '-shm']) rmSync(ledger + end, { force: true })
    expect(await read(await workspace.open())).toBe('budget_exceeded')
  })

  it('are told in the record of each call, exactly as the ledger counts them', async () => {
    const kit = await workspace.open()
    for (let call = 0; call < 5; call++) await read(kit)
    const [counted] = spentIn(readJournal(kit.state.journal))
    expect(counted).toMatchObject({ task: 'default', tool: 'toolwright/read', calls: 3 })
    expect(kit.workspace.ledger.all()).toMatchObject([counted ?? {}])
  })

  it('that were given back are not counted again', async () => {
    const kit = await workspace.open()
    for (let call = 0; call < 3; call++) await read(kit)
    kit.workspace.journal.append({ type: 'budget', change: 'reset', task: 'default', spent: [], by: 'ada' })
    expect(spentIn(readJournal(kit.state.journal))).toEqual([])
  })

  it('of calls before there were any do not count', async () => {
    workspace.write('../config/config.json', '{}')
    const kit = await workspace.open()
    for (let call = 0; call < 5; call++) await read(kit)
    await kit.close()
    workspace.write('../config/config.json', JSON.stringify({ budgets: [{ tool: 'toolwright/read', calls: 1 }] }))
    expect(await read(await workspace.open())).toBe('ok')
  })
})
