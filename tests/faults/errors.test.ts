import { afterAll, describe, expect, it } from 'vitest'
import { commit } from '../../src/machine/workspace/commit/commit.ts'
import { recover } from '../../src/machine/workspace/commit/recover.ts'
import { errorInRecovery, errorPoints, errorThenCrash } from './error-rig.ts'
import { scenarios } from './scenario.ts'

const long = process.env['TOOLWRIGHT_LONG'] === '1'
const ERRORS = ['ENOSPC', 'EIO', 'EACCES']
const real = { commit, recover }
const points: string[] = []
afterAll(() => console.log(`error points: ${points.join(', ')}`))

describe.each(scenarios)('a commit of $name', scenario => {
  const { kept } = scenario
  // Each error begins at another call, so that together they meet every one.
  const stride = long || kept === 1 ? 1 : kept === 2 ? 2 : ERRORS.length * 2
  const [further, then] = long ? [1, 1] : kept === 1 ? [1, 3] : kept === 2 ? [3, 5] : [17, 13]

  it.each(ERRORS)('is taken back whole, or answered and whole, with %s at any call', errno => {
    for (const lasting of [false, true]) {
      const first = (ERRORS.indexOf(errno) * 2 + Number(lasting)) % stride
      const { count, violations } = errorPoints(real, scenario, { errno, lasting }, { stride, first })
      points.push(`${scenario.name} ${errno}${lasting ? ' lasting' : ''} ${count}`)
      expect(violations).toEqual([])
      expect(count).toBeGreaterThan(20)
    }
  })

  it('is whole when the process dies while it is taken back', () => {
    const { count, violations } = errorThenCrash(real, scenario, 'EIO', further, then)
    points.push(`${scenario.name} died after EIO ${count}`)
    expect(violations).toEqual([])
    expect(count).toBeGreaterThan(20)
  })

  it('is whole when its recovery meets an error and is tried again', () => {
    const { count, violations } = errorInRecovery(real, scenario, 'EIO', further, then)
    points.push(`${scenario.name} EIO in recovery ${count}`)
    expect(violations).toEqual([])
    expect(count).toBeGreaterThan(20)
  })
})
