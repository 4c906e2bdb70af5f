import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { searchStore } from '../../src/service/search-store.ts'
import { imageFile } from '../../src/knowledge/search/stored/stored-place.ts'
import { besideScan, startBuilt, type BesideScan } from './beside-scan.ts'
import { gone, useWorlds, type World } from './rig.ts'

const LONG = process.env['TOOLWRIGHT_LONG'] === '1'
const COUNT = LONG ? 400 : 150
const BY_WATCH = { source: 'index', checked: 'watch' }
/** On a machine with too much to do an answer may come from a scan, and be as right. */
const RIGHT = [BY_WATCH, { source: 'scan' }]
const worlds = useWorlds()
const open: BesideScan[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

async function start(): Promise<BesideScan> {
  const text = 'the quick brown fox jumps over the lazy dog\n'.repeat(40)
  const files = Array.from({ length: COUNT }, (_, file) => [`d${file % 20}/f${file}.txt`, `${text}file ${file} end\n`])
  const beside = besideScan(worlds.make(Object.fromEntries(files)))
  open.push(beside)
  // Files that were written a moment ago are read again by the next process, whatever it has of them.
  await pause(100)
  return beside
}

/** Runs the process until its index is built, and ends it so that it stores what it knows. */
async function liveOnce(world: World, signal: NodeJS.Signals = 'SIGTERM', use?: () => Promise<void>): Promise<void> {
  const pid = await startBuilt(world)
  await use?.()
  process.kill(pid, signal)
  expect(await gone(pid)).toBe(true)
}

/** Every stored piece with its size and when it was written. */
function stored({ state }: World): Map<string, { readonly size: number; readonly mtimeMs: number }> {
  const directory = join(state.path, 'search')
  return new Map(
    readdirSync(directory).map(name => {
      const { size, mtimeMs } = statSync(join(directory, name))
      return [name, { size, mtimeMs }]
    }),
  )
}

const bytesOf = (pieces: Iterable<{ readonly size: number }>): number =>
  [...pieces].reduce((all, { size }) => all + size, 0)

async function expectRight(beside: BesideScan): Promise<void> {
  expect(RIGHT).toContainEqual(await beside.findSame())
  expect(RIGHT).toContainEqual(await beside.grepSame({ patterns: ['fox'], only: 'counts' }))
  expect(RIGHT).toContainEqual(await beside.grepSame({ patterns: [' end'] }))
}

describe('a restart of the process', () => {
  it('after one change uses what was stored, writes little, and is right', async () => {
    const beside = await start()
    const { world } = beside
    await liveOnce(world)
    const before = stored(world)
    expect(before.size).toBeGreaterThan(0)
    writeFileSync(join(world.workspace.path, 'd3/f3.txt'), 'file 3 changed its end\n')
    await liveOnce(world, 'SIGTERM', async () => {
      expect(RIGHT).toContainEqual(await beside.grepSame({ patterns: ['changed its end'] }))
      await expectRight(beside)
    })
    const after = stored(world)
    // The image says where every file is, and is small: it is written anew.
    before.delete(basename(imageFile(searchStore(world.state.path))))
    for (const [name, piece] of before) expect([name, after.get(name)]).toEqual([name, piece])
    expect(bytesOf(after.values()) - bytesOf(before.values())).toBeLessThan(bytesOf(before.values()) / 10)
  })

  it('hears of files that came, went and moved while there was none, and of new rules', async () => {
    const beside = await start()
    const { world } = beside
    await liveOnce(world)
    const at = (path: string): string => join(world.workspace.path, path)
    rmSync(at('d0'), { recursive: true })
    renameSync(at('d1'), at('moved'))
    world.workspace.write('new/deep/file.txt', 'new end\n')
    world.workspace.write('.ignore', 'd2/\n')
    await startBuilt(world)
    await expectRight(beside)
  })

  it.each(['SIGTERM', 'SIGKILL'] as const)('right after a change and %s is right', async signal => {
    const beside = await start()
    const { world } = beside
    // One that was killed stored nothing, so that the next turn begins as the first did.
    const turns = LONG || signal === 'SIGTERM' ? 2 : 1
    for (let turn = 0; turn < turns; turn++) {
      await liveOnce(world, signal, async () => {
        writeFileSync(join(world.workspace.path, 'd5/f5.txt'), `turn ${turn} end\n`)
        expect(RIGHT).toContainEqual(await beside.grepSame({ patterns: [`turn ${turn}`] }))
      })
      // Of the same size, and possibly within a tick of the clock.
      writeFileSync(join(world.workspace.path, 'd5/f5.txt'), `Turn ${turn} end\n`)
    }
    await startBuilt(world)
    expect(RIGHT).toContainEqual(await beside.grepSame({ patterns: [`Turn ${turns - 1} end`] }))
    await expectRight(beside)
  })

  it('over a list of files and pieces that are damaged begins anew', async () => {
    const beside = await start()
    const { world } = beside
    await liveOnce(world)
    const list = join(world.state.path, 'tree')
    const damaged = [list, ...[...stored(world).keys()].map(name => join(world.state.path, 'search', name))]
    for (const file of damaged) {
      const bytes = readFileSync(file)
      const middle = bytes.length >> 1
      bytes[middle] = (bytes[middle] ?? 0) ^ 1
      writeFileSync(file, bytes)
    }
    await startBuilt(world)
    await expectRight(beside)
  })
})
