import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commit } from './commit.ts'
import { openCommitStore, type CommitStore, type HeldRoot } from './commit-store.ts'
import { mountIdOf, mountPointOf } from './mount.ts'
import type { Operation } from '../operation.ts'
import { recover } from './recover.ts'
import { holdDirectory, linuxSys, type Sys } from '../sys.ts'
import { listUndo } from './list-undo.ts'

let folder = ''
let root: HeldRoot
let stores: CommitStore[] = []
const MEMORY = '/dev/shm'
let elsewhere = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-store-'))
  elsewhere = mkdtempSync(join(MEMORY, 'toolwright-store-'))
  const path = join(folder, 'workspace')
  mkdirSync(path)
  root = { path, fd: holdDirectory(path), sys: linuxSys }
})
afterEach(() => {
  for (const store of stores) store.close()
  stores = []
  linuxSys.close(root.fd)
  rmSync(folder, { recursive: true, force: true })
  rmSync(elsewhere, { recursive: true, force: true })
})

const open = (state: string): CommitStore => {
  const store = openCommitStore(root, state)
  stores.push(store)
  return store
}
const create = (store: CommitStore, path: string, id: string): void =>
  void commit(root, store, [{ kind: 'put', path, bytes: Buffer.from(path), mode: 0o644, base: 'absent' }], { id })

describe('where commits are kept', () => {
  it('is the state directory where that is on the same mount, for this user alone', () => {
    const store = open(join(folder, 'state'))
    create(store, 'a', 'c1')
    expect(store.describe()).toContain('same mount')
    expect(store.active().path).toBe(join(folder, 'state', 'commits'))
    expect(statSync(store.active().path).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'state', 'commit.key')).mode & 0o777).toBe(0o600)
    expect(existsSync(join(root.path, '.toolwright'))).toBe(false)
  })

  it('is under .git where the state directory is on another mount', () => {
    mkdirSync(join(root.path, '.git'))
    const store = open(elsewhere)
    create(store, 'a', 'c1')
    expect(dirname(store.active().path)).toBe(join(root.path, '.git', 'toolwright'))
    expect(store.describe()).toContain('another mount')
    expect(listUndo(store).map(({ id }) => id)).toEqual(['c1'])
  })

  it('is in the workspace where there is no .git either, made on the first commit, and git does not see it', () => {
    const store = open(elsewhere)
    expect(store.places()).toEqual([])
    expect(existsSync(join(root.path, '.toolwright'))).toBe(false)
    create(store, 'a', 'c1')
    expect(dirname(store.active().path)).toBe(join(root.path, '.toolwright'))
    expect(store.describe()).toContain('git clean')
    expect(readFileSync(join(root.path, '.toolwright', '.gitignore'), 'utf8')).toBe('*\n')
  })

  it('is not a .git that is a file or a link', () => {
    writeFileSync(join(root.path, '.git'), 'gitdir: elsewhere')
    expect(dirname(open(elsewhere).active().path)).toBe(join(root.path, '.toolwright'))
    rmSync(join(root.path, '.git'))
    rmSync(join(root.path, '.toolwright'), { recursive: true })
    symlinkSync(folder, join(root.path, '.git'))
    expect(dirname(open(elsewhere).active().path)).toBe(join(root.path, '.toolwright'))
  })

  it('is refused if a link is in its place', () => {
    symlinkSync(folder, join(root.path, '.toolwright'))
    expect(() => open(elsewhere).active()).toThrow('not a directory that can be used')
  })

  it('still knows the commits of an earlier place', () => {
    create(open(elsewhere), 'a', 'c1')
    mkdirSync(join(root.path, '.git'))
    const store = open(elsewhere)
    create(store, 'b', 'c2')
    expect(listUndo(store).map(({ id }) => id)).toEqual(['c2', 'c1'])
  })

  it('is another one for everybody who works with another state directory, so that none recovers what another is at', () => {
    const other = mkdtempSync(join(MEMORY, 'toolwright-store-'))
    try {
      const [mine, theirs] = [open(elsewhere), open(other)]
      expect(dirname(mine.active().path)).toBe(dirname(theirs.active().path))
      mkdirSync(join(theirs.active().path, 'pending', '000000000.0.0.theirs'))
      expect(recover(root, mine)).toEqual([])
      expect(recover(root, theirs)).toMatchObject([{ id: 'theirs', outcome: 'removed' }])
    } finally {
      rmSync(other, { recursive: true })
    }
  })

  it('tells a bind mount apart from its file system', () => {
    expect(mountIdOf(root.fd)).toMatch(/^\d+$/)
    const shm = holdDirectory(MEMORY)
    expect(mountIdOf(shm)).not.toBe(mountIdOf(root.fd))
    linuxSys.close(shm)
  })
})

describe('a file on another mount', () => {
  it('is refused with the name of the mount, and nothing is changed', () => {
    mkdirSync(join(root.path, 'mounted'))
    const link: Sys['link'] = (fromDir, from, toDir, to) => {
      if (to === 'b') throw Object.assign(new Error('EXDEV: cross-device link'), { code: 'EXDEV' })
      linuxSys.link(fromDir, from, toDir, to)
    }
    const operations = ['a', 'mounted/b'].map((path): Operation => ({
      kind: 'put',
      path,
      bytes: Buffer.from('x'),
      mode: 0o644,
      base: 'absent',
    }))
    let error: unknown
    try {
      commit(root, open(join(folder, 'state')), operations, { id: 'c1', sys: { ...linuxSys, link } })
    } catch (thrown) {
      error = thrown
    }
    expect(error).toMatchObject({ code: 'io', details: { path: 'mounted/b', mount: mountPointOf(root.fd) } })
    expect(String(error)).toContain('another mount')
    expect(readdirSync(root.path)).toEqual(['mounted'])
  })
})
