import { describe, expect, it } from 'vitest'
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openToolkit } from './toolkit.ts'
import { temporaryWorkspace } from './testing/temporary-workspace.ts'

const write = { path: '.sage/chronicle.json', content: '{}\n', expect: 'absent' }

describe('.sage/', () => {
  it('SG-18: is protected, whatever was permitted', async () => {
    await using workspace = temporaryWorkspace()
    const kit = await workspace.open({ permissions: ['fs:write'] })
    expect((await kit.run('write', write)).outcome).toMatchObject({ ok: false, error: { code: 'denied' } })
    expect(workspace.snapshot()).toEqual({})
  })

  it('SG-18, SG-x4: may be kept by an adapter that the host registers, which still needs the permission', async () => {
    await using workspace = temporaryWorkspace()
    const without = await workspace.open({ sageAdapter: true })
    expect((await without.run('write', write)).outcome).toMatchObject({ ok: false, error: { code: 'rejected' } })
    const kit = await workspace.open({ sageAdapter: true, permissions: ['fs:write:.sage/**'] })
    expect((await kit.run('write', write)).outcome).toMatchObject({ ok: true })
    const git = { path: '.git/config', content: '', expect: 'absent' }
    expect((await kit.run('write', git)).outcome).toMatchObject({ ok: false, error: { code: 'denied' } })
  })
})

describe('protected places', () => {
  const anything = { path: 'config', content: 'x', expect: 'absent' }

  it.each(['.git', '.git/hooks', '.sage', 'sub/.hg/store'])(
    'SG-18: hold in a workspace whose root is %s',
    async place => {
      await using workspace = temporaryWorkspace()
      const root = join(workspace.path, place)
      mkdirSync(root, { recursive: true })
      const kit = await openToolkit({ root, env: workspace.env, permissions: ['fs:write'] })
      try {
        expect((await kit.run('write', anything)).outcome).toMatchObject({ ok: false, error: { code: 'denied' } })
      } finally {
        await kit.close()
      }
    },
  )

  it('SG-18: that are asked about are asked about in a workspace inside of them', async () => {
    await using workspace = temporaryWorkspace()
    const root = join(workspace.path, '.vscode')
    mkdirSync(root)
    const asked: string[] = []
    const kit = await openToolkit({
      root,
      env: workspace.env,
      permissions: ['fs:write'],
      approve({ card }) {
        asked.push(JSON.stringify(card))
        return { answer: 'no', by: 'test' }
      },
    })
    try {
      expect((await kit.run('write', anything)).outcome).toMatchObject({ ok: false, error: { code: 'rejected' } })
      expect(asked).toEqual([expect.stringContaining('.vscode')])
    } finally {
      await kit.close()
    }
  })

  it('SG-18: that are asked about are never answered by a remembered rule', async () => {
    await using workspace = temporaryWorkspace()
    const kit = await workspace.open()
    kit.workspace.approvals.workspace.add({
      tool: 'toolwright/write',
      grants: [{ action: 'write', path: '**' }],
      scope: 'workspace',
      workspace: kit.state.key,
      by: 'me',
      at: new Date().toISOString(),
      enabled: true,
      made: { major: 1, effects: ['create', 'write'] },
    })
    expect((await kit.run('write', { ...anything, path: 'plain.txt' })).outcome.ok).toBe(true)
    expect((await kit.run('write', { ...anything, path: '.vscode/tasks.json' })).outcome).toMatchObject({
      error: { code: 'rejected' },
    })
  })

  it("SG-18: cover git's metadata where .git only points to it", async () => {
    await using workspace = temporaryWorkspace()
    execFileSync('git', ['init', '-q', '--separate-git-dir=store', '.'], { cwd: workspace.path, stdio: 'pipe' })
    const kit = await workspace.open({ permissions: ['fs:write'] })
    const hook = { path: 'store/hooks/pre-commit', content: '#!/bin/sh\n', expect: 'absent' }
    expect((await kit.run('write', hook)).outcome).toMatchObject({ ok: false, error: { code: 'denied' } })
  })

  it('cover the configuration that was named, where it lies inside', async () => {
    await using workspace = temporaryWorkspace({ 'mine.json': '{"policy":{"defaults":{"write":"allow"}}}' })
    const kit = await workspace.open({ config: join(workspace.path, 'mine.json') })
    expect((await kit.run('write', { ...anything, path: 'other' })).outcome.ok).toBe(true)
    await kit.run('read', { path: 'mine.json' })
    for (const call of [
      kit.run('write', { path: 'mine.json', content: '{}' }),
      kit.run('delete', { path: 'mine.json' }),
      kit.run('move', { from: 'mine.json', to: 'away.json' }),
    ])
      expect((await call).outcome).toMatchObject({ ok: false, error: { code: 'denied' } })
  })

  it('do not include a configuration directory inside the workspace: that is refused', async () => {
    await using workspace = temporaryWorkspace()
    const env = { ...workspace.env, TOOLWRIGHT_CONFIG_HOME: join(workspace.path, 'config') }
    await expect(openToolkit({ root: workspace.path, env })).rejects.toMatchObject({ code: 'denied' })
  })
})
