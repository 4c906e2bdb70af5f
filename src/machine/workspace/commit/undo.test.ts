import { rmSync, symlinkSync, utimesSync, writeFileSync, mkdirSync, appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ToolError } from '../../../kernel/error.ts'
import { scenarios } from '../../../../tests/faults/scenario.ts'
import { differences, file, link, makeWorld, type World, type Tree } from '../../../../tests/faults/world.ts'
import { commit } from './commit.ts'
import type { Operation } from '../operation.ts'
import { prune } from './retention.ts'
import { listUndo, newestUndo, undoPaths } from './list-undo.ts'
import { undoOperations } from './undo.ts'

let world: World
let opened: ReturnType<World['open']>
beforeEach(() => {
  world = makeWorld(new Map([['a.txt', file('one')]]))
  opened = world.open()
})
afterEach(() => {
  opened.close()
  world.remove()
})

const run = (id: string, operations: readonly Operation[], undoes?: string): void =>
  void commit(opened.root, opened.store, operations, { id, ...(undoes !== undefined && { undoes }) })
const change = (id: string, path: string, content: string): void =>
  run(id, [{ kind: 'put', path, bytes: Buffer.from(content), mode: 0o644, base: world.identity(path) }])
const undo = (id: string, as = `undo-${id}`): void => run(as, undoOperations(opened.root, opened.store, id), id)
const read = (path: string): string => readFileSync(join(world.root, path), 'utf8')

const failure = (work: () => unknown): ToolError => {
  try {
    work()
  } catch (error) {
    if (error instanceof ToolError) return error
    throw error
  }
  throw new Error('did not fail')
}

describe('undo', () => {
  it.each(scenarios)('takes a commit of $name back to the byte, and can itself be undone', scenario => {
    opened.close()
    world.reset(scenario.before)
    opened = world.open()
    run('first', scenario.operations(world.identity))
    expect(undoPaths(opened.store, 'first').length).toBeGreaterThan(0)
    undo('first')
    // Git removes objects to which nothing leads.
    const objectsIn = (tree: Tree) => [...tree].filter(([path]) => path.startsWith('.git/objects/'))
    expect(differences(world.tree(), new Map([...scenario.before, ...objectsIn(scenario.after)]))).toEqual([])
    undo('undo-first', 'again')
    expect(differences(world.tree(), new Map([...scenario.after, ...objectsIn(scenario.before)]))).toEqual([])
    undo('again')
    expect(differences(world.tree(), new Map([...scenario.before, ...objectsIn(scenario.after)]))).toEqual([])
  })

  it('reaches any commit by its id, not only the last', () => {
    writeFileSync(join(world.root, 'b.txt'), 'b one')
    change('c1', 'a.txt', 'two')
    change('c2', 'b.txt', 'b two')
    undo('c1')
    expect([read('a.txt'), read('b.txt')]).toEqual(['one', 'b two'])
  })

  it('answers with a conflict that names the files changed since, and leaves those changes', () => {
    change('c1', 'a.txt', 'two')
    appendFileSync(join(world.root, 'a.txt'), ' and theirs')
    const error = failure(() => undo('c1'))
    expect(error).toMatchObject({ code: 'conflict', details: { paths: ['a.txt'] } })
    expect(error.message).toContain('a.txt')
    expect(read('a.txt')).toBe('two and theirs')
  })

  it('answers with a conflict for a commit whose file was changed by a later one', () => {
    change('c1', 'a.txt', 'two')
    change('c2', 'a.txt', 'three')
    expect(failure(() => undo('c1'))).toMatchObject({ code: 'conflict', details: { paths: ['a.txt'] } })
    undo('c2')
    undo('c1')
    expect(read('a.txt')).toBe('one')
  })

  it('looks at content, not at the clock: a touched file is no conflict', () => {
    change('c1', 'a.txt', 'two')
    utimesSync(join(world.root, 'a.txt'), 1, 1)
    undo('c1')
    expect(read('a.txt')).toBe('one')
  })

  it('brings a deleted link back', () => {
    symlinkSync('a.txt', join(world.root, 'l'))
    run('c1', [{ kind: 'delete', path: 'l', base: world.identity('l') }])
    undo('c1')
    expect(world.tree().get('l')).toBe(link('a.txt'))
  })

  it('moves a file back after a later commit on it was undone', () => {
    run('c1', [{ kind: 'move', from: 'a.txt', to: 'b.txt', base: world.identity('a.txt') }])
    change('c2', 'b.txt', 'two')
    undo('c2')
    undo('c1')
    expect([...world.tree()]).toEqual([['a.txt', file('one')]])
  })

  it('recreates a directory that was removed since, and leaves one that is in use', () => {
    mkdirSync(join(world.root, 'd'))
    writeFileSync(join(world.root, 'd', 'x'), 'x')
    run('c1', [{ kind: 'delete', path: 'd/x', base: world.identity('d/x') }])
    rmSync(join(world.root, 'd'), { recursive: true })
    undo('c1')
    expect(read('d/x')).toBe('x')

    const bytes = Buffer.from('y')
    run('c2', [
      { kind: 'mkdir', path: 'e', mode: 0o755 },
      { kind: 'put', path: 'e/y', bytes, mode: 0o644, base: 'absent' },
    ])
    writeFileSync(join(world.root, 'e', 'theirs'), 'theirs')
    undo('c2')
    expect([...world.tree().keys()].filter(path => path.startsWith('e'))).toEqual(['e', 'e/theirs'])
  })

  it('said without an id goes back one commit at a time', () => {
    change('c1', 'a.txt', 'two')
    change('c2', 'a.txt', 'three')
    const seen: (string | undefined)[] = []
    for (let id = newestUndo(opened.store); id !== undefined; id = newestUndo(opened.store)) {
      seen.push(id)
      undo(id)
    }
    expect(seen).toEqual(['c2', 'c1'])
    expect(read('a.txt')).toBe('one')
    expect(undoPaths(opened.store)).toEqual([])
    undo('undo-c1', 'redo')
    expect(newestUndo(opened.store)).toBe('c1')
  })

  it('says which commits can be reached when it is given another', () => {
    change('c1', 'a.txt', 'two')
    const error = failure(() => undo('c9'))
    expect(error).toMatchObject({ code: 'not_found', details: { reachable: ['c1'] } })
    expect(error.hint).toContain('c1')
  })

  it('names none that is undone already as one that can be undone', () => {
    change('c1', 'a.txt', 'two')
    undo('c1')
    const error = failure(() => undo('c9'))
    expect(error).toMatchObject({
      hint: 'These can be undone: undo-c1.',
      details: { reachable: ['undo-c1'], total: 1 },
    })
    undo('undo-c1', 'redo')
    expect(failure(() => undo('c9')).details).toMatchObject({ reachable: ['redo', 'c1'] })
  })

  it('says plainly that a commit is beyond what is kept', () => {
    change('c1', 'a.txt', 'two')
    change('c2', 'a.txt', 'three')
    const { bytes = 0 } = listUndo(opened.store)[0] ?? {}
    prune(opened.store, { maxBytes: bytes * 1.5, maxAgeMs: Infinity, now: Date.now() })
    expect(listUndo(opened.store).map(({ id }) => id)).toEqual(['c2'])
    const error = failure(() => undo('c1'))
    expect(error).toMatchObject({ code: 'not_found' })
    expect(error.message).toContain('can no longer be undone')
    expect(error.hint).toContain('c2')
    expect(failure(() => undo('c9')).message).toContain('1 commits up to')
  })
})
