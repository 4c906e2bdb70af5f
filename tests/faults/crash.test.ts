import { afterAll, describe, expect, it } from 'vitest'
import { commit } from '../../src/machine/workspace/commit/commit.ts'
import { recover } from '../../src/machine/workspace/commit/recover.ts'
import { crashPoints, dieInCommit, recoveryCrashPoints } from './crash-rig.ts'
import { unsynced } from './faulty-sys.ts'
import { scenarios } from './scenario.ts'
import { file, makeWorld } from './world.ts'

const long = process.env['TOOLWRIGHT_LONG'] === '1'
const points: string[] = []
afterAll(() => console.log(`crash points: ${points.join(', ')}`))

describe.each(scenarios)('a process that dies in a commit of $name', scenario => {
  it('leaves the old tree before the intent and the new one after it, and nothing over', () => {
    const stride = long || scenario.kept <= 2 ? 1 : 2
    const { count, violations } = crashPoints({ commit, recover }, scenario, { all: true, stride })
    points.push(`${scenario.name} ${count}`)
    expect(violations).toEqual([])
    expect(count).toBeGreaterThan(20)
  })

  it('is brought to its end by a recovery that dies, too', () => {
    const sample = scenario.kept > 2 ? { all: false, stride: 5, after: 6 } : { all: false, stride: 1 }
    const full = { all: true, stride: 1 }
    const { count, violations } = recoveryCrashPoints({ commit, recover }, scenario, long ? full : sample)
    points.push(`${scenario.name} in recovery ${count}`)
    expect(violations).toEqual([])
    expect(count).toBeGreaterThan(20)
  })
})

describe('a process that has committed before', () => {
  it('brings a commit to its end in which another process died, before its own next one', () => {
    const [one] = scenarios
    if (one === undefined) throw new Error('There are no scenarios')
    const world = makeWorld(new Map([...one.before, ['b.txt', file('b')]]))
    const { root, store, close } = world.open(unsynced)
    try {
      const own = (id: string) => {
        const put = { kind: 'put', path: 'b.txt', bytes: Buffer.from(id), mode: 0o644 } as const
        commit(root, store, [{ ...put, base: world.identity('b.txt') }], { id, now: 1000 })
      }
      const outcomes = new Set<string>()
      own('first')
      own('second')
      let isOver = false
      for (let at = 0; !isOver; at++) {
        const { marks, dead } = dieInCommit({ commit, recover }, one, world, at, false)
        own(`after${at}`)
        const found = world.tree().get('a.txt')
        expect(found).toBe(file(marks.decided ? 'new a' : 'old a'))
        expect(world.stored().filter(path => path.startsWith('pending/'))).toEqual([])
        outcomes.add(found ?? '')
        isOver = !dead
        const back = { kind: 'put', path: 'a.txt', bytes: Buffer.from('old a'), mode: 0o644 } as const
        if (marks.decided)
          commit(root, store, [{ ...back, base: world.identity('a.txt') }], { id: `back${at}`, now: 1 })
      }
      expect(outcomes.size).toBe(2)
    } finally {
      close()
      world.remove()
    }
  })
})
