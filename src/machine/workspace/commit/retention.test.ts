import { randomBytes } from 'node:crypto'
import { linkSync, lstatSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ToolError } from '../../../kernel/error.ts'
import { unsynced } from '../../../../tests/faults/faulty-sys.ts'
import { file, makeWorld, type World } from '../../../../tests/faults/world.ts'
import { commit } from './commit.ts'
import { prune } from './retention.ts'
import type { Sys } from '../sys.ts'
import { readTally } from './tally.ts'
import { listUndo } from './list-undo.ts'
import { undoOperations } from './undo.ts'

const long = process.env['TOOLWRIGHT_LONG'] === '1'
const MEGABYTE = 1 << 20

let world: World
beforeEach(() => {
  world = makeWorld(new Map([['big', file('x'.repeat(MEGABYTE))]]))
})
afterEach(() => world.remove())

/** What a directory takes on disk, as `du` counts it. */
function diskUsage(path: string): number {
  const stats = lstatSync(path)
  const own = stats.blocks * 512
  return stats.isDirectory() ? readdirSync(path).reduce((sum, name) => sum + diskUsage(join(path, name)), own) : own
}

function rewrite(
  opened: ReturnType<World['open']>,
  number: number,
  size: number,
  now = Date.now(),
  sys: Sys = unsynced,
): void {
  const bytes = Buffer.concat([Buffer.from(`${number} `), randomBytes(64), Buffer.alloc(size)])
  const base = world.identity('big')
  commit(opened.root, opened.store, [{ kind: 'put', path: 'big', bytes, mode: 0o644, base }], {
    id: `c${number}`,
    now,
    sys,
  })
}

describe('the undo store', () => {
  it('stays inside its bound over many commits of a 1 MB file, and undo says what it can no longer reach', () => {
    const [commits, maxBytes] = long ? [10_000, 200 * MEGABYTE] : [101, 16 * MEGABYTE]
    const opened = world.open(unsynced)
    for (let number = 0; number < commits; number++) {
      rewrite(opened, number, MEGABYTE)
      prune(opened.store, { maxBytes, maxAgeMs: Infinity, now: Date.now() })
      if (number % 50 === 0) expect(diskUsage(world.state)).toBeLessThanOrEqual(maxBytes + MEGABYTE)
    }
    expect(diskUsage(world.state)).toBeLessThanOrEqual(maxBytes + MEGABYTE)
    const kept = listUndo(opened.store)
    expect(kept[0]?.id).toBe(`c${commits - 1}`)
    expect(kept.length).toBeGreaterThan(8)
    expect(() => undoOperations(opened.root, opened.store, `c${commits - kept.length - 1}`)).toThrow(
      'can no longer be undone',
    )
    expect(undoOperations(opened.root, opened.store, `c${commits - 1}`)).toHaveLength(1)
    opened.close()
  })

  it('removes what is too old, and nothing else', () => {
    const opened = world.open(unsynced)
    for (const [number, at] of [1000, 2000, 3000].entries()) rewrite(opened, number, 10, at)
    const bounds = { maxBytes: Infinity, maxAgeMs: 1500, now: 4000 }
    expect(prune(opened.store, bounds)).toMatchObject({ removed: 2, count: 1 })
    expect(listUndo(opened.store).map(({ id }) => id)).toEqual(['c2'])
    expect(prune(opened.store, bounds)).toMatchObject({ removed: 0, count: 1 })
    opened.close()
  })

  it('knows its size without listing the records, and counts again where the note is not true', () => {
    const opened = world.open(unsynced)
    for (let number = 0; number < 5; number++) rewrite(opened, number, 10)
    const place = opened.store.active()
    const counting = { ...unsynced, list: () => expect.unreachable('the records were listed') }
    const tally = readTally(counting, place)
    expect(tally).toMatchObject({ count: 5, next: 5 })
    unsynced.unlink(place.dir, 'tally')
    expect(readTally(unsynced, place)).toEqual(tally)
    const lost = {
      ...unsynced,
      createFile: (dir: number, name: string | Buffer, mode: number) => {
        if (name === 'tally.new') throw Object.assign(new Error('full'), { code: 'ENOSPC' })
        return unsynced.createFile(dir, name, mode)
      },
    }
    rewrite(opened, 5, 10, Date.now(), lost)
    expect(readTally(unsynced, place)).toMatchObject({ count: 6, next: 6 })
    opened.close()
  })

  it('rewrites its note in place, but never through another name of the file', () => {
    const opened = world.open(unsynced)
    rewrite(opened, 0, 10)
    const place = opened.store.active()
    const note = join(place.path, 'tally')
    const { ino } = statSync(note)
    rewrite(opened, 1, 10)
    expect(statSync(note).ino).toBe(ino)
    const other = join(place.path, 'other')
    linkSync(note, other)
    const before = readFileSync(other, 'utf8')
    rewrite(opened, 2, 10)
    expect(readFileSync(other, 'utf8')).toBe(before)
    expect(readTally({ ...unsynced, list: () => expect.unreachable('listed') }, place)).toMatchObject({ count: 3 })
    opened.close()
  })

  it('goes on where a removal was cut off', () => {
    const opened = world.open(unsynced)
    for (let number = 0; number < 4; number++) rewrite(opened, number, 10)
    const place = opened.store.active()
    const [oldest = ''] = readdirSync(join(place.path, 'undo')).toSorted()
    unsynced.unlink(unsynced.openDirectory(place.undo, oldest), 'done')
    expect(() => undoOperations(opened.root, opened.store, 'c0')).toThrow(ToolError)
    const { bytes = 0 } = listUndo(opened.store)[0] ?? {}
    prune(opened.store, { maxBytes: bytes * 3.5, maxAgeMs: Infinity, now: Date.now() })
    expect(listUndo(opened.store).map(({ id }) => id)).toEqual(['c3', 'c2', 'c1'])
    opened.close()
  })
})
