import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { changesOf } from './changes.ts'
import { identityOf } from './identity.ts'
import type { Operation } from './operation.ts'
import { openRoot, type Root } from './root.ts'
import { stageOperations } from './stage-operations.ts'
import { createStaging } from './staging.ts'
import { createView } from './view.ts'

let path: string
let root: Root
beforeEach(() => {
  path = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-operations-')))
  mkdirSync(join(path, 'src'))
  writeFileSync(join(path, 'src/a.ts'), 'a\n')
  writeFileSync(join(path, 'src/b.ts'), 'b\n')
  chmodSync(join(path, 'src/b.ts'), 0o644)
  symlinkSync('a.ts', join(path, 'src/link'))
  mkdirSync(join(path, 'empty'))
  root = openRoot(path)
})
afterEach(() => {
  root.close()
  rmSync(path, { recursive: true, force: true })
})

const identity = (name: string) => identityOf(lstatSync(join(path, name), { bigint: true }))
const staged = (...operations: readonly Operation[]) => {
  const staging = createStaging()
  stageOperations(root, staging, operations)
  return staging
}

describe('stageOperations', () => {
  it('stages each kind so that the same operations come out again', () => {
    const operations: Operation[] = [
      { kind: 'put', path: 'src/a.ts', base: identity('src/a.ts'), bytes: Buffer.from('new\n'), mode: 0o755 },
      { kind: 'move', from: 'src/b.ts', to: 'lib/b.ts', base: identity('src/b.ts') },
      { kind: 'delete', path: 'src/link', base: identity('src/link') },
      { kind: 'mkdir', path: 'lib', mode: 0o755 },
      { kind: 'rmdir', path: 'empty' },
    ]
    const staging = staged(...operations)
    const kinds = changesOf(staging, createView(root, staging)).map(({ kind, path: at, from }) => [kind, from, at])
    expect(kinds).toEqual([
      ['delete', undefined, 'empty'],
      ['mkdir', undefined, 'lib'],
      ['move', 'src/b.ts', 'lib/b.ts'],
      ['change', undefined, 'src/a.ts'],
      ['delete', undefined, 'src/link'],
    ])
    expect(new Set(staging.toOperations().map(({ kind }) => kind))).toEqual(
      new Set(['put', 'move', 'delete', 'mkdir', 'rmdir']),
    )
    expect(readFileSync(join(path, 'src/a.ts'), 'utf8')).toBe('a\n')
  })

  it('stages a change of mode alone', () => {
    const staging = staged({ kind: 'mode', path: 'src/b.ts', base: identity('src/b.ts'), mode: 0o755 })
    expect(changesOf(staging, createView(root, staging))).toMatchObject([
      { kind: 'mode', path: 'src/b.ts', mode: 0o755 },
    ])
  })

  it('refuses what was made for another state of the disk', () => {
    const before = identity('src/a.ts')
    writeFileSync(join(path, 'src/a.ts'), 'somebody else\n')
    const bytes = Buffer.from('x')
    for (const operation of [
      { kind: 'put', path: 'src/a.ts', base: before, bytes, mode: 0o644 },
      { kind: 'put', path: 'src/b.ts', base: 'absent', bytes, mode: 0o644 },
      { kind: 'delete', path: 'src/a.ts', base: before },
      { kind: 'delete', path: 'src/gone.ts', base: before },
      { kind: 'mode', path: 'src/a.ts', base: before, mode: 0o755 },
      { kind: 'move', from: 'src/a.ts', to: 'c.ts', base: before },
      { kind: 'move', from: 'src/b.ts', to: 'src/a.ts', base: identity('src/b.ts') },
      { kind: 'mkdir', path: 'empty', mode: 0o755 },
    ] satisfies Operation[])
      expect(() => staged(operation)).toThrow(expect.objectContaining({ code: 'conflict' }))
  })

  it('does not follow a link that appears on the way', () => {
    symlinkSync('src', join(path, 'source'))
    const operation = { kind: 'put', path: 'source/new', base: 'absent', bytes: Buffer.from('x'), mode: 0o644 } as const
    expect(() => staged(operation)).toThrow(expect.objectContaining({ code: 'conflict' }))
  })
})
