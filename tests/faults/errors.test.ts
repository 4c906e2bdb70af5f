import { afterAll, describe, expect, it } from 'vitest'
import { commit } from '../../src/engines/workspace/commit/commit.ts'
import { recover } from '../../src/engines/workspace/commit/recover.ts'
import { errorInRecovery, errorPoints, errorThenCrash } from './error-rig.ts'
import { scenarios } from './scenario.ts'

const long = process.env['TOOLWRIGHT_LONG'] === '1'
const real = { commit, recover }
const points: string[] = []
afterAll(() => console.log(`error points: ${points.join(', ')}`))

describe.each(scenarios)('a commit of $name', scenario => {
  const big = scenario.kept > 2

  it.each(['ENOSPC', 'EIO', 'EACCES'])('is taken back whole, or answered and whole, with %s at any call', errno => {
    for (const lasting of [false, true]) {
      const { count, violations } = errorPoints(real, scenario, { errno, lasting }, long || !big ? 1 : 2)
      points.push(`${scenario.name} ${errno}${lasting ? ' lasting' : ''} ${count}`)
      expect(violations).toEqual([])
      expect(count).toBeGreaterThan(20)
    }
  })

  it('is whole when the process dies while it is taken back', () => {
    const [stride, then] = long ? [1, 1] : big ? [7, 9] : [1, 3]
    const { count, violations } = errorThenCrash(real, scenario, 'EIO', stride, then)
    points.push(`${scenario.name} died after EIO ${count}`)
    expect(violations).toEqual([])
    expect(count).toBeGreaterThan(20)
  })

  it('is whole when its recovery meets an error and is tried again', () => {
    const [stride, then] = long ? [1, 1] : big ? [7, 9] : [1, 3]
    const { count, violations } = errorInRecovery(real, scenario, 'EIO', stride, then)
    points.push(`${scenario.name} EIO in recovery ${count}`)
    expect(violations).toEqual([])
    expect(count).toBeGreaterThan(20)
  })
})
