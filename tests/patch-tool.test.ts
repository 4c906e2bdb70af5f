import { describe, expect, it } from 'vitest'
import { temporaryWorkspace } from '../src/testing/index.ts'

const rename = (from: string, to: string) => `diff --git a/${from} b/${to}\nrename from ${from}\nrename to ${to}\n`

describe('the tool patch claims what git would touch', () => {
  it.each([
    [
      'a rename with a change',
      { 'old.txt': 'a\nb\n' },
      `${rename('old.txt', 'd/new.txt')}--- a/old.txt\n+++ b/d/new.txt\n@@ -1,2 +1,2 @@\n a\n-b\n+B\n`,
      'd/new.txt',
      'a\nB\n',
    ],
    [
      'a file that makes way for a directory',
      { d: '1\n' },
      '--- a/d\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n--- /dev/null\n+++ b/d/x\n@@ -0,0 +1 @@\n+2\n',
      'd/x',
      '2\n',
    ],
  ])('%s', async (_what, files, diff, path, content) => {
    await using workspace = temporaryWorkspace(files)
    const kit = await workspace.open({ permissions: ['fs:write'] })
    expect(await kit.call('patch', { diff })).toMatchObject({ ok: true })
    expect(workspace.read(path)).toBe(content)
  })

  it('makes no way for a directory where the file is not part of the patch', async () => {
    await using workspace = temporaryWorkspace({ d: '1\n' })
    const kit = await workspace.open({ permissions: ['fs:write'] })
    const diff = '--- /dev/null\n+++ b/d/x\n@@ -0,0 +1 @@\n+2\n'
    expect(await kit.call('patch', { diff })).toMatchObject({ ok: false, error: { code: 'not_a_directory' } })
  })
})
