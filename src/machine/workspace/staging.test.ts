import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ToolError } from '../../kernel/error.ts'
import { identityOf, sameIdentity } from './identity.ts'
import { openWorkspace } from './open-workspace.ts'
import type { Base, Operation } from './operation.ts'
import { createReadMemory } from './read-memory.ts'
import { openRoot } from './root.ts'
import { loadStaging, saveStaging } from './stage-store.ts'
import { createStaging, type Staging } from './staging.ts'
import type { Workspace } from './workspace.ts'

const RUNS = process.env['TOOLWRIGHT_LONG'] === '1' ? 5000 : 150

/** Few names, so that the steps of a run get into each other's way. */
const path = fc.constantFrom('a', 'b', 'd', 'd/a', 'd/b', 'd/e', 'd/e/a', 'l', 'm', 'm/a', 'n', 'n/o/p', 'd/../b')
const step = fc.oneof(
  fc.record({ verb: fc.constant('put' as const), path, text: fc.constantFrom('', 'x', 'alpha', 'beta\n') }),
  fc.record({ verb: fc.constant('remove' as const), path }),
  fc.record({ verb: fc.constant('move' as const), path, to: path }),
  fc.record({ verb: fc.constant('makeDirectory' as const), path }),
  fc.record({ verb: fc.constant('setMode' as const), path, mode: fc.constantFrom(0o600, 0o644, 0o755) }),
  fc.record({ verb: fc.constant('layer' as const) }),
  fc.record({ verb: fc.constant('merge' as const) }),
  fc.record({ verb: fc.constant('store' as const) }),
)

describe('staging', () => {
  it('SG-23: carried out step by step, gives exactly the tree that the calls saw', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 14 }), steps => {
        const base = mkdtempSync(join(tmpdir(), 'toolwright-staging-'))
        const root = openRoot(plant(join(base, 'ws')))
        try {
          const untouched = treeOnDisk(root.path)
          let staging = createStaging()
          for (const one of steps) {
            if (one.verb === 'layer') staging = createStaging(staging)
            else if (one.verb === 'store') {
              saveStaging(join(base, 'kept'), staging)
              staging = loadStaging(join(base, 'kept')) ?? createStaging()
            } else if (one.verb === 'merge') {
              const { below } = staging
              if (below !== undefined) staging.mergeDown()
              staging = below ?? staging
            } else attempt(() => take(openAll(staging), one))
          }
          const seen = treeSeen(openAll(staging))
          expect(treeOnDisk(root.path)).toEqual(untouched)
          for (const operation of staging.toOperations()) carryOut(root.path, operation)
          expect(treeSeen(openAll(createStaging()))).toEqual(seen)
        } finally {
          root.close()
          rmSync(base, { recursive: true, force: true })
        }

        function openAll(staging: Staging): Workspace {
          const grant = [{ action: 'read', resource: '**' } as const, { action: 'write', resource: '**' } as const]
          return openWorkspace(root, { grant, staging, memory: createReadMemory() })
        }
      }),
      { numRuns: RUNS },
    )
  })

  it('puts parents before children, and empties directories before it removes them', () => {
    const staging = createStaging()
    const identity = { ino: 1n, size: 1n, mtimeNs: 1n, mode: 0o644 }
    const hash = 'f'.repeat(64)
    staging.set('x/y', { type: 'absent' }, { type: 'directory', mode: 0o755 })
    staging.set('x', { type: 'absent' }, { type: 'directory', mode: 0o755 })
    staging.set('old', { type: 'directory' }, { type: 'absent' })
    staging.set('old/in', { type: 'directory' }, { type: 'absent' })
    staging.set('old/in/f', { type: 'file', identity, hash }, { type: 'absent' })
    staging.set('x/y/f', { type: 'absent' }, { type: 'file', source: 'old/in/f', identity, hash, mode: 0o644 })
    expect(staging.toOperations()).toEqual([
      { kind: 'mkdir', path: 'x', mode: 0o755 },
      { kind: 'mkdir', path: 'x/y', mode: 0o755 },
      { kind: 'move', from: 'old/in/f', to: 'x/y/f', base: identity },
      { kind: 'rmdir', path: 'old/in' },
      { kind: 'rmdir', path: 'old' },
    ])
  })

  it('keeps the base of the first touch', () => {
    const staging = createStaging()
    const first = { type: 'file', identity: { ino: 1n, size: 1n, mtimeNs: 1n, mode: 0o644 }, hash: 'a' } as const
    staging.set('f', first, { type: 'absent' })
    staging.set('f', { type: 'absent' }, { type: 'file', bytes: Buffer.from('x'), hash: 'b', mode: 0o644 })
    expect(staging.get('f')?.base).toBe(first)
    expect(() => staging.mergeDown()).toThrow('no layer below')
  })
})

type Step = Extract<typeof step extends fc.Arbitrary<infer T> ? T : never, { path: string }>

function take(workspace: Workspace, one: Step): void {
  if (one.verb === 'put') workspace.put(one.path, Buffer.from(one.text))
  else if (one.verb === 'remove') workspace.remove(one.path)
  else if (one.verb === 'move') workspace.move(one.path, one.to)
  else if (one.verb === 'makeDirectory') workspace.makeDirectory(one.path)
  else workspace.setMode(one.path, one.mode)
}

/** Many steps are refused, and that is fine; anything but a refusal is a defect. */
function attempt<T>(act: () => T): T | string {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return error.code
  }
}

function plant(ws: string): string {
  mkdirSync(join(ws, 'd/e'), { recursive: true })
  writeFileSync(join(ws, 'a'), 'alpha')
  writeFileSync(join(ws, 'd/a'), 'in d')
  writeFileSync(join(ws, 'd/e/a'), 'deep', { mode: 0o755 })
  symlinkSync('a', join(ws, 'l'))
  symlinkSync('d', join(ws, 'm'))
  return ws
}

function carryOut(ws: string, step_: Operation): void {
  const at = (rel: string) => join(ws, rel)
  const expectBase = (rel: string, base: Base) => {
    const stats = lstatSync(at(rel), { bigint: true, throwIfNoEntry: false })
    expect(base === 'absent' ? stats === undefined : stats !== undefined && sameIdentity(identityOf(stats), base)).toBe(
      true,
    )
  }
  switch (step_.kind) {
    case 'put':
      expectBase(step_.path, step_.base)
      writeFileSync(at('.new'), step_.bytes)
      chmodSync(at('.new'), step_.mode)
      renameSync(at('.new'), at(step_.path))
      break
    case 'delete':
      expectBase(step_.path, step_.base)
      unlinkSync(at(step_.path))
      break
    case 'move':
      expectBase(step_.from, step_.base)
      linkSync(at(step_.from), at(step_.to))
      unlinkSync(at(step_.from))
      if (step_.mode !== undefined) chmodSync(at(step_.to), step_.mode)
      break
    case 'mode':
      expectBase(step_.path, step_.base)
      chmodSync(at(step_.path), step_.mode)
      break
    case 'mkdir':
      mkdirSync(at(step_.path), { mode: step_.mode })
      break
    case 'rmdir':
      rmdirSync(at(step_.path))
  }
}

function treeOnDisk(ws: string, below = '.'): string[] {
  return readdirSync(join(ws, below))
    .toSorted()
    .flatMap(name => {
      const rel = below === '.' ? name : `${below}/${name}`
      const stats = lstatSync(join(ws, rel))
      if (stats.isDirectory()) return [`${rel}/`, ...treeOnDisk(ws, rel)]
      if (stats.isSymbolicLink()) return [`${rel} -> ${readlinkSync(join(ws, rel))}`]
      return [`${rel} ${(stats.mode & 0o777).toString(8)} ${JSON.stringify(readFileSync(join(ws, rel), 'utf8'))}`]
    })
}

/** Links by where they lead, which is the same question before and after the steps. */
function treeSeen(workspace: Workspace, below = '.'): string[] {
  return workspace.list(below).flatMap(({ path: rel, type, mode }) => {
    if (type === 'directory') return [`${rel}/`, ...treeSeen(workspace, rel)]
    if (type === 'symlink') return [`${rel} -> ${attempt(() => workspace.locate(rel))}`]
    return [`${rel} ${mode.toString(8)} ${JSON.stringify(workspace.read(rel).bytes.toString())}`]
  })
}
