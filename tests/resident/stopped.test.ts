import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { meet } from '../../src/service/connect.ts'
import { ownBuild } from '../../src/service/own-build.ts'
import { makePlace, placeOf } from '../../src/service/place.ts'
import { ensureResident } from '../../src/service/start.ts'
import { openLock } from '../../src/machine/state/lock.ts'
import type { Toolkit } from '../../src/index.ts'
import { startBuilt } from './beside-scan.ts'
import { useWorlds, type World } from './rig.ts'

const worlds = useWorlds()
let stopped: number | undefined
afterEach(() => {
  // It could not even end by itself.
  if (stopped !== undefined) process.kill(stopped, 'SIGCONT')
  stopped = undefined
})

async function grep(kit: Toolkit): Promise<{ total: number; source: string; ms: number }> {
  const since = performance.now()
  const { outcome } = await kit.run('grep', { pattern: 'needle' })
  if (!outcome.ok) throw outcome.error
  const { total, freshness } = Object(outcome.data)
  return { total, source: freshness.source, ms: performance.now() - since }
}

/** Less than a wait for the process. */
const NO_WAIT_MS = 1500

/**
 * Scans without a wait for the process: a wait repeats each time, and what else a busy machine makes slow takes as long
 * in a program that knows no process.
 */
async function expectScan(kit: Toolkit, alone: Toolkit, total: number): Promise<void> {
  // The first call of a session opens its parts.
  await grep(alone)
  let [ours, theirs] = [Infinity, Infinity]
  await vi.waitFor(
    async () => {
      theirs = Math.min(theirs, (await grep(alone)).ms)
      const { ms, ...found } = await grep(kit)
      expect(found).toEqual({ total, source: 'scan' })
      ours = Math.min(ours, ms)
      expect(ours - theirs).toBeLessThan(NO_WAIT_MS)
    },
    { timeout: 30_000 },
  )
}

/** Returns `late` after this time by the timers of this program: what holds the program up, holds them up too. */
async function orLate<T>(ms: number, work: () => Promise<T>): Promise<T | 'late'> {
  const late = pause(ms, 'late' as const, { ref: false }).then(async word => {
    // A timer that was due earlier may have its effect only in the next turns.
    for (let turns = 0; turns < 3; turns++) await turn()
    return word
  })
  return Promise.race([work(), late])
}

function stop(pid: number): void {
  stopped = pid
  process.kill(pid, 'SIGSTOP')
}

async function start(): Promise<{ world: World; pid: number; write(path: string): void }> {
  const world = worlds.make({ 'a.txt': 'needle\n', 'b.txt': 'hay\n' })
  const pid = await startBuilt(world)
  return { world, pid, write: path => writeFileSync(join(world.workspace.path, path), 'needle\n') }
}

describe('a process that is stopped', () => {
  it('in the middle of use is given up within about two seconds, and not waited for again', async () => {
    const { world, pid, write } = await start()
    const kit = await world.workspace.open()
    expect(await grep(kit)).toMatchObject({ total: 1, source: 'index' })
    stop(pid)
    write('c.txt')
    const [first, beside] = await Promise.all([grep(kit), grep(kit)])
    for (const { total, source, ms } of [first, beside]) {
      expect([total, source]).toEqual([2, 'scan'])
      expect(ms).toBeLessThan(10_000)
    }
    write('d.txt')
    const alone = await world.workspace.open({ resident: 'off' })
    await expectScan(kit, alone, 3)
    process.kill(pid, 'SIGCONT')
    const again = await world.workspace.open()
    write('e.txt')
    expect(await grep(again)).toMatchObject({ total: 4, source: 'index' })
    await Promise.all([kit, again, alone].map(one => one.close()))
  })

  it('before it is met costs one wait, and none is started beside it', async () => {
    const { world, pid } = await start()
    stop(pid)
    const kit = await world.workspace.open({ resident: 'start' })
    const first = await grep(kit)
    expect(first).toMatchObject({ total: 1, source: 'scan' })
    expect(first.ms).toBeLessThan(30_000)
    const alone = await world.workspace.open({ resident: 'off' })
    await expectScan(kit, alone, 1)
    await Promise.all([kit.close(), alone.close()])
  })

  it('costs each process next to nothing', async () => {
    const { world, pid } = await start()
    stop(pid)
    // Without a look at the process it takes two seconds.
    expect(await orLate(1800, () => meet(placeOf(world.state.path, ownBuild()), ownBuild()))).toBe('silent')
  })

  it('before it listens is started no second time as long as it holds the place', async () => {
    const world = worlds.make()
    const place = placeOf(world.state.path, ownBuild())
    makePlace(place)
    const lock = openLock(place.lock)
    try {
      lock.acquire(0)
      const failure = { code: 'unavailable', message: expect.stringContaining('does not respond') }
      await expect(ensureResident({ ...world.options(), timeoutMs: 500 })).rejects.toMatchObject(failure)
      expect(existsSync(place.log)).toBe(false)
    } finally {
      lock.close()
    }
    expect((await world.start()).pid).toBeGreaterThan(0)
    expect(existsSync(place.log)).toBe(true)
  })
})
