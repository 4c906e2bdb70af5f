import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { file, makeWorld, type World } from '../../../../tests/faults/world.ts'
import { openRoot } from '../root.ts'
import type { Staging } from '../staging.ts'
import { commit } from './commit.ts'
import { landedChange } from './landed-change.ts'
import { undoOperations } from './undo.ts'
import type { Operation } from '../operation.ts'

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
const put = (path: string, content: string): Operation => ({
  kind: 'put',
  path,
  bytes: Buffer.from(content),
  mode: 0o644,
  base: path === 'a.txt' ? world.identity(path) : 'absent',
})

/** Contents from before a change, by path; null where there was no file. */
const before = (staging: Staging | undefined): object =>
  Object.fromEntries(
    (staging?.own() ?? []).map(([path, { state }]) => [path, 'bytes' in state ? state.bytes.toString() : null]),
  )

function landed(id?: string) {
  const root = openRoot(world.root)
  try {
    return landedChange(root, opened.store, id)
  } finally {
    root.close()
  }
}

it('is the newest commit, or a named one, with the contents from before it', () => {
  expect(landed()).toBeUndefined()
  run('c1', [put('a.txt', 'two'), put('new.txt', 'new')])
  const found = landed()
  expect(found).toMatchObject({ id: 'c1', changedSince: [] })
  expect(before(found?.before)).toEqual({ 'a.txt': 'one', 'new.txt': null })
})

it('has the contents from before it whatever changed its files since, and names these', () => {
  run('c1', [put('a.txt', 'two'), put('new.txt', 'new')])
  run('c2', [put('a.txt', 'three')])
  appendFileSync(join(world.root, 'new.txt'), 'er')
  const found = landed('c1')
  expect(before(found?.before)).toEqual({ 'a.txt': 'one', 'new.txt': null })
  expect(found?.changedSince.toSorted()).toEqual(['a.txt', 'new.txt'])
  rmSync(join(world.root, 'a.txt'))
  expect(before(landed('c1')?.before)).toEqual({ 'a.txt': 'one', 'new.txt': null })
})

it('is no change any more where it was undone', () => {
  run('c1', [put('a.txt', 'two')])
  run('c2', undoOperations(opened.root, opened.store, 'c1'), 'c1')
  expect(landed('c1')?.before.own()).toEqual([])
})

it('brings back a file that was deleted, also where another has its name now', () => {
  run('c1', [{ kind: 'delete', path: 'a.txt', base: world.identity('a.txt') }])
  expect(before(landed()?.before)).toEqual({ 'a.txt': 'one' })
  writeFileSync(join(world.root, 'a.txt'), 'other')
  expect(before(landed()?.before)).toEqual({ 'a.txt': 'one' })
})

it('is unknown where a file was moved and changed since', () => {
  run('c1', [{ kind: 'move', from: 'a.txt', to: 'b.txt', base: world.identity('a.txt') }])
  writeFileSync(join(world.root, 'b.txt'), 'other')
  expect(() => landed()).toThrow(expect.objectContaining({ code: 'conflict' }))
  expect(() => landed('c9')).toThrow(expect.objectContaining({ code: 'not_found' }))
})
