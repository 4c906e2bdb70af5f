import { describe, expect, it } from 'vitest'
import { temporaryWorkspace } from './testing/temporary-workspace.ts'

const write = { path: '.sage/chronicle.json', content: '{}\n', expect: 'absent' }

describe('.sage/', () => {
  it('SG-18: is protected, whatever was permitted', async () => {
    await using workspace = temporaryWorkspace()
    const kit = await workspace.open({ permissions: ['fs:write'] })
    expect((await kit.run('write', write)).outcome).toMatchObject({ ok: false, error: { code: 'denied' } })
    expect(workspace.snapshot()).toEqual({})
  })

  it('SG-18: may be kept by an adapter that the host registers, which still needs the permission', async () => {
    await using workspace = temporaryWorkspace()
    const without = await workspace.open({ sageAdapter: true })
    expect((await without.run('write', write)).outcome).toMatchObject({ ok: false, error: { code: 'rejected' } })
    const kit = await workspace.open({ sageAdapter: true, permissions: ['fs:write:.sage/**'] })
    expect((await kit.run('write', write)).outcome).toMatchObject({ ok: true })
    const git = { path: '.git/config', content: '', expect: 'absent' }
    expect((await kit.run('write', git)).outcome).toMatchObject({ ok: false, error: { code: 'denied' } })
  })
})
