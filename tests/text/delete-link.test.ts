import { lstatSync, mkdirSync, readlinkSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
  mkdirSync(join(workspace.base, 'outside'))
  writeFileSync(join(workspace.base, 'outside/kept.txt'), 'kept\n')
})
afterEach(() => workspace.remove())

const outside = () => {
  const { ino, mtimeMs, nlink } = lstatSync(join(workspace.base, 'outside/kept.txt'))
  return { ino, mtimeMs, nlink }
}

const TARGETS = ['../outside/kept.txt', '../outside', '/nowhere/at/all', 'link']

describe('a link that points out of the workspace or in a circle', () => {
  it.each(TARGETS)('to %s is deleted itself, and comes back with undo', async target => {
    const link = join(workspace.path, 'link')
    symlinkSync(target, link)
    const [before, there] = [workspace.snapshot(), outside()]
    const kit = await workspace.open({ permissions: ['fs:write'], effects: 'quick' })
    expect((await kit.run('delete', { path: 'link' })).outcome).toMatchObject({ ok: true, data: { path: 'link' } })
    expect(Object.keys(workspace.snapshot())).toEqual(['a.txt'])
    expect(outside()).toEqual(there)
    expect((await kit.run('undo', {})).outcome).toMatchObject({ ok: true })
    expect(readlinkSync(link)).toBe(target)
    expect(workspace.snapshot()).toEqual(before)
    expect(outside()).toEqual(there)
  })

  it.each(TARGETS)('to %s is moved itself', async target => {
    symlinkSync(target, join(workspace.path, 'link'))
    const there = outside()
    const kit = await workspace.open({ permissions: ['fs:write'], effects: 'quick' })
    expect((await kit.run('move', { from: 'link', to: 'other' })).outcome).toMatchObject({ ok: true })
    expect(readlinkSync(join(workspace.path, 'other'))).toBe(target)
    expect(outside()).toEqual(there)
  })

  it('hides nothing behind it from being refused', async () => {
    symlinkSync('../outside', join(workspace.path, 'link'))
    const kit = await workspace.open({ permissions: ['fs:write'], effects: 'quick' })
    for (const path of ['link/kept.txt', 'link/', 'link/.'])
      expect((await kit.run('delete', { path })).outcome).toMatchObject({ error: { code: 'outside_workspace' } })
    expect(outside().nlink).toBe(1)
  })

  it('is not deleted where something else has taken its place', async () => {
    symlinkSync('../outside/kept.txt', join(workspace.path, 'link'))
    const kit = await workspace.open({ permissions: ['fs:write'], effects: 'quick' })
    const { outcome } = await kit.run('delete', { path: 'link' }, { dryRun: true })
    renameSync(join(workspace.path, 'a.txt'), join(workspace.path, 'link'))
    const { plan } = outcome.meta
    expect((await kit.run('delete', { path: 'link' }, { ...(plan && { plan }) })).outcome).toMatchObject({
      error: { code: 'conflict' },
    })
    expect(workspace.read('link')).toBe('one\n')
  })
})
