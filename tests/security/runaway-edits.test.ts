import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({ 'a.txt': 'hi\n', 'many.txt': 'a'.repeat(200_000) })
})
afterEach(() => workspace.remove())

const doubling = Array.from({ length: 60 }, () => ({ old: 'i', new: 'ii', all: true }))
const longer = { old: 'aaaa', new: 'b'.repeat(2_001), all: true }

describe('edits that would fill the memory before anyone is asked', () => {
  it.each([
    ['each doubles what it finds', 'a.txt', doubling],
    ['one has too many places', 'many.txt', [{ old: 'a', new: 'b', all: true }]],
    ['one makes the file too long', 'many.txt', [longer]],
  ])('%s: refused, and the file stays', async (_what, path, edits) => {
    const kit = await workspace.open({ permissions: ['fs:write'] })
    const before = workspace.read(path)
    const { outcome } = await kit.run('edit', { path, edits })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'too_large' } })
    expect(workspace.read(path) === before).toBe(true)
    // The toolkit still answers.
    expect((await kit.run('edit', { path: 'a.txt', edits: [{ old: 'hi', new: 'ho' }] })).outcome.ok).toBe(true)
  })
})
