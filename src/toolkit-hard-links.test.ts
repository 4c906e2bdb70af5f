import { linkSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryWorkspace } from './testing/temporary-workspace.ts'

const WRITE = { permissions: ['fs:read', 'fs:write'] }

describe('a file with several names', () => {
  const linked = () => {
    const workspace = temporaryWorkspace({ 'a.txt': 'old text\n' })
    const outside = join(workspace.base, 'outside.txt')
    writeFileSync(outside, 'their text\n')
    linkSync(outside, join(workspace.path, 'hard-out.txt'))
    linkSync(join(workspace.path, 'a.txt'), join(workspace.path, 'hard-in.txt'))
    return { workspace, outside }
  }

  it('SG-18: keeps its content under the other names, and the answer warns', async () => {
    const { workspace, outside } = linked()
    await using _ = workspace
    const kit = await workspace.open(WRITE)
    const edit = (path: string, old: string) => kit.call('edit', { path, edits: [{ old, new: 'NEW' }] })
    expect(await edit('hard-out.txt', 'their')).toMatchObject({
      ok: true,
      meta: { warnings: [expect.stringContaining("'hard-out.txt' has 2 names")] },
    })
    expect(await edit('hard-in.txt', 'old')).toMatchObject({ ok: true, meta: { warnings: [expect.any(String)] } })
    expect(readFileSync(outside, 'utf8')).toBe('their text\n')
    expect(workspace.read('a.txt')).toBe('old text\n')
    expect(workspace.read('hard-out.txt')).toBe('NEW text\n')
    expect(workspace.read('hard-in.txt')).toBe('NEW text\n')
  })

  it('warns in the output of cli-agent', async () => {
    const { workspace } = linked()
    await using _ = workspace
    const kit = await workspace.open({ ...WRITE, contract: 'cli-agent' })
    const input = { path: 'hard-in.txt', old_string: 'old text', new_string: 'new text' }
    expect(await kit.call('replace_string_in_file', input)).toMatchObject({
      success: true,
      output: expect.stringMatching(/\nWarning: .*hard-in\.txt.* has 2 names/),
    })
  })
})
