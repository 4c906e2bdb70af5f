import { afterAll, describe, expect, it } from 'vitest'
import { commit } from '../../src/machine/workspace/commit/commit.ts'
import { recover } from '../../src/machine/workspace/commit/recover.ts'
import { crashPoints, recoveryCrashPoints } from './crash-rig.ts'
import { scenarios } from './scenario.ts'

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
