import { readlinkSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryWorkspace } from './testing/temporary-workspace.ts'

const SWAP = `diff --git a/a.txt b/b.txt
similarity index 100%
rename from a.txt
rename to b.txt
diff --git a/b.txt b/a.txt
similarity index 100%
rename from b.txt
rename to a.txt
`

describe('undo', () => {
  it('SG-23: takes back a swap of two names', async () => {
    await using workspace = temporaryWorkspace({ 'a.txt': 'one\n', 'b.txt': 'two\n' })
    const before = workspace.snapshot()
    const kit = await workspace.open({ permissions: ['fs:write'] })
    const { outcome } = await kit.run('patch', { diff: SWAP })
    expect(outcome.ok && workspace.read('a.txt')).toBe('two\n')
    const undone = await kit.run('undo', { id: outcome.meta.undo })
    expect(undone.outcome).toMatchObject({ ok: true })
    expect(workspace.snapshot()).toEqual(before)
  })

  it('SG-23: brings back a link that was deleted', async () => {
    await using workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
    symlinkSync('a.txt', join(workspace.path, 'link'))
    const before = workspace.snapshot()
    const kit = await workspace.open({ permissions: ['fs:write'] })
    await kit.run('delete', { path: 'link' })
    const dry = await kit.run('undo', {}, { dryRun: true })
    expect(dry.outcome.meta.diff).toContain('new file mode 120000')
    expect((await kit.run('undo', {})).outcome).toMatchObject({ ok: true })
    expect(readlinkSync(join(workspace.path, 'link'))).toBe('a.txt')
    expect(workspace.snapshot()).toEqual(before)
  })

  it('SG-23: brings back a file that was moved and then changed, one step at a time', async () => {
    await using workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
    const before = workspace.snapshot()
    const kit = await workspace.open({ permissions: ['fs:write'] })
    const moved = await kit.run('move', { from: 'a.txt', to: 'dir/b.txt' })
    await kit.run('edit', { path: 'dir/b.txt', edits: [{ old: 'one', new: 'two' }] })
    const early = await kit.run('undo', { id: moved.outcome.meta.undo })
    expect(early.outcome).toMatchObject({ ok: false, error: { code: 'conflict' } })
    await kit.run('undo', {})
    await kit.run('undo', {})
    expect(workspace.snapshot()).toEqual(before)
  })

  it('SG-23: brings back a file in whose place a directory came', async () => {
    await using workspace = temporaryWorkspace({ d: 'one\n' })
    const before = workspace.snapshot()
    const kit = await workspace.open({ permissions: ['fs:write'] })
    const diff = '--- a/d\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n--- /dev/null\n+++ b/d/x\n@@ -0,0 +1 @@\n+two\n'
    expect((await kit.run('patch', { diff })).outcome).toMatchObject({ ok: true })
    expect(workspace.read('d/x')).toBe('two\n')
    expect((await kit.run('undo', {})).outcome).toMatchObject({ ok: true })
    expect(workspace.snapshot()).toEqual(before)
  })
})
