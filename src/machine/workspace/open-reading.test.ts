import { spawnSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { temporaryWorkspace } from '../../testing/temporary-workspace.ts'
import { canonicalClaims } from './canonical-claims.ts'
import { openReading, type Reading } from './open-reading.ts'
import { createReadMemory } from './read-memory.ts'
import { openRoot } from './root.ts'
import { createStaging, type Staging } from './staging.ts'
import { linuxSys } from './sys.ts'

/** A call that was let in to read a file, what happens then, and its look at that file. */
function opened(
  path: string,
  { between = () => {}, staging = createStaging() }: { between?: (root: string) => void; staging?: Staging } = {},
) {
  const workspace = temporaryWorkspace({ 'src/a.txt': 'the text\n', 'b.txt': 'another\n' })
  const looks: string[] = []
  const lstat: typeof linuxSys.lstat = (dir, name) => {
    looks.push(String(name))
    return linuxSys.lstat(dir, name)
  }
  const root = openRoot(workspace.path, { ...linuxSys, lstat })
  const claims = canonicalClaims(root, undefined, [{ action: 'read', resource: path }])
  looks.length = 0
  between(workspace.path)
  const reading: Reading = openReading(root, { grant: claims, staging, memory: createReadMemory() })
  try {
    const file = reading.open(path)
    const text = file.read(0, file.size).toString()
    file.close()
    return { text, path: file.path, looks: looks.length }
  } finally {
    root.close()
    void workspace.remove()
  }
}

const outside = (root: string): string => join(root, '..', 'outside')

describe('a file that the call was let in to read', () => {
  // A busy machine may let a moment pass.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  it('is opened without a second look', () => {
    expect(opened('src/a.txt')).toEqual({ text: 'the text\n', path: 'src/a.txt', looks: 0 })
  })

  it('is looked at again if it was named in another way', () => {
    expect(opened('./src/../b.txt')).toMatchObject({ text: 'another\n', path: 'b.txt' })
  })

  it('is looked at again after a while', () => {
    const between = () => void vi.setSystemTime(Date.now() + 1_000)
    expect(opened('src/a.txt', { between })).toEqual({ text: 'the text\n', path: 'src/a.txt', looks: 1 })
  })

  it('is read as it is staged', () => {
    const staging = createStaging()
    const between = () =>
      staging.set('b.txt', { type: 'absent' }, { type: 'file', bytes: Buffer.from('staged\n'), hash: '', mode: 0o644 })
    expect(opened('b.txt', { between, staging }).text).toBe('staged\n')
  })

  it('is found again where a link inside the workspace took its place', () => {
    const between = (root: string) => {
      rmSync(join(root, 'src/a.txt'))
      symlinkSync('../b.txt', join(root, 'src/a.txt'))
    }
    expect(() => opened('src/a.txt', { between })).toThrow("'b.txt' was not claimed for read")
  })

  it.each([
    ['it', 'src/a.txt', 'outside.txt'],
    ['its directory', 'src', '.'],
  ])('is not read outside the workspace where a link took the place of %s', (_, path, target) => {
    const between = (root: string) => {
      mkdirSync(outside(root))
      renameSync(join(root, path), join(outside(root), path.replace('/', '-')))
      symlinkSync(join(outside(root), target), join(root, path))
    }
    expect(() => opened('src/a.txt', { between })).toThrow('outside the workspace')
  })

  it.each([
    ['nothing', () => {}, "'b.txt' does not exist"],
    ['a directory', (path: string) => void mkdirSync(path), "'b.txt' is a directory"],
    ['a pipe', (path: string) => void spawnSync('mkfifo', [path]), "'b.txt' is not a regular file"],
  ])('is refused where %s took its place', (_, make, message) => {
    const between = (root: string) => {
      rmSync(join(root, 'b.txt'))
      make(join(root, 'b.txt'))
    }
    expect(() => opened('b.txt', { between })).toThrow(message)
  })
})
