import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { fakePerson, temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import type { Toolkit } from '../../src/toolkit.ts'
import { taped } from './taped.ts'

const FILES = { 'a.txt': 'one\ntwo\n', 'src/b.ts': 'export const b = 1\n', 'src/c.ts': 'const c = b\n' }
const open: TemporaryWorkspace[] = []
const fresh = (): TemporaryWorkspace => {
  const workspace = temporaryWorkspace(FILES)
  open.push(workspace)
  return workspace
}
afterEach(async () => {
  for (const workspace of open.splice(0)) await workspace.remove()
})

/** Every line that the journal of a workspace has, as it lies on disk. */
function journalOf(kit: Toolkit): string {
  return readdirSync(kit.state.journal)
    .toSorted()
    .map(name => readFileSync(join(kit.state.journal, name), 'utf8'))
    .join('')
}

/** The same calls in a copy of the tree of its own: what was answered, what was journaled, what was recorded, what is left. */
async function once(work: (kit: Toolkit) => Promise<unknown>): Promise<object> {
  const workspace = fresh()
  const tape = taped()
  const kit = await workspace.open({
    deterministic: true,
    record: tape.recorder,
    approve: fakePerson('yes', 'no', 'always'),
  })
  const answers = await work(kit)
  return { answers, journal: journalOf(kit), tree: workspace.snapshot(), ids: tape.calls().map(({ clock }) => clock) }
}

describe('deterministic mode', () => {
  it('SG-24: gives the same answers, journal and tree, byte for byte, in another copy of the tree', async () => {
    const work = async (kit: Toolkit) => {
      const edit = (old: string, next: string) => kit.run('edit', { path: 'a.txt', edits: [{ old, new: next }] })
      const answers = [
        await kit.run('read', { path: 'a.txt' }),
        await edit('one', 'uno'),
        await edit('uno', 'refused'),
        await edit('uno', 'eins'),
        await edit('eins', 'ein'),
        await kit.run('read', { path: 'missing' }),
        await kit.run('read', { path: '../a.txt' }),
        await kit.run('stage', { action: 'begin' }),
        await kit.run('move', { from: 'src/c.ts', to: 'src/d.ts' }),
        await kit.run('stage', { action: 'diff' }),
        await kit.run('stage', { action: 'commit' }),
        await kit.run('undo', {}),
        await kit.run('list_dir', { path: 'src' }, { contract: 'cli-agent' }),
        await kit.run('file_search', { pattern: '**/*.ts' }, { contract: 'cli-agent' }),
        await kit.run('grep_search', { pattern: 'b' }, { contract: 'cli-agent' }),
        await kit.run('fetch', { url: 'https://example.com/' }),
      ]
      await kit.transaction(inside => inside.run('delete', { path: 'src/b.ts' })).catch(() => {})
      return answers.map(({ answer }) => answer)
    }
    const first = await once(work)
    expect(await once(work)).toEqual(first)
    expect(JSON.stringify(first)).not.toContain('toolwright-test-')
  })

  it('gives each session of a toolkit names of its own, and each record the fixed time', async () => {
    const kit = await fresh().open({ deterministic: true })
    const other = kit.session()
    expect(other.id).not.toBe(kit.id)
    const answers = [await kit.run('read', { path: 'a.txt' }), await other.run('read', { path: 'a.txt' })]
    expect(new Set(answers.map(({ outcome }) => outcome.meta.id)).size).toBe(2)
    const times = [...kit.workspace.journal.read()].map(({ time }) => time)
    expect(times).toEqual(['1980-01-01T00:00:00.000Z', '1980-01-01T00:00:00.000Z'])
  })

  it('journals the fixed time for a deterministic session of an ordinary toolkit, too', async () => {
    const kit = await fresh().open()
    await kit.session({ deterministic: true }).run('read', { path: 'a.txt' })
    expect([...kit.workspace.journal.read()].map(({ time }) => time)).toEqual(['1980-01-01T00:00:00.000Z'])
  })

  it('never goes on with a transaction that an earlier one left open under the same name', async () => {
    const workspace = fresh()
    const begin = async () => {
      const kit = await workspace.open({ deterministic: true, permissions: ['fs:write'] })
      const { outcome } = await kit.run('stage', { action: 'begin' })
      await kit.run('write', { path: 'left.txt', content: 'x', expect: 'absent' })
      const seen = await kit.run('stage', { action: 'diff' })
      await kit.close()
      return {
        id: outcome.meta.transaction,
        changed: seen.outcome.ok && Reflect.get(Object(seen.outcome.data), 'changed'),
      }
    }
    const [first, second] = [await begin(), await begin()]
    expect(second.id).not.toBe(first.id)
    expect(second.changed).toEqual(['left.txt'])
    const kit = await workspace.open({ deterministic: true, permissions: ['fs:write'] })
    await kit.transaction(async inside => {
      expect((await inside.run('read', { path: 'left.txt' })).outcome.ok).toBe(false)
    })
  })

  it('does not wake an approval that has expired, although its clock stands before that', async () => {
    const workspace = fresh()
    const kit = await workspace.open()
    const approval = {
      tool: 'toolwright/delete',
      grants: [{ action: 'write', path: 'a.txt' }],
      scope: 'workspace',
      workspace: kit.state.key,
      by: 'ada',
      at: '2020-01-01T00:00:00.000Z',
      enabled: true,
      made: { major: 1, effects: ['write'] },
    } as const
    kit.workspace.approvals.workspace.add({ ...approval, expiresAt: '2020-02-01T00:00:00.000Z' })
    await kit.close()
    const later = await workspace.open({ deterministic: true })
    expect((await later.run('delete', { path: 'a.txt' })).outcome).toMatchObject({
      ok: false,
      error: { code: 'rejected' },
    })
    expect(workspace.read('a.txt')).toBe(FILES['a.txt'])
  })
})
