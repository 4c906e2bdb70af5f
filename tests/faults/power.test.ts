import { afterAll, describe, expect, it } from 'vitest'
import { commit } from '../../src/machine/workspace/commit/commit.ts'
import { recover } from '../../src/machine/workspace/commit/recover.ts'
import { powerCuts } from './power-rig.ts'
import { scenarios } from './scenario.ts'

const long = process.env['TOOLWRIGHT_LONG'] === '1'
const points: string[] = []
afterAll(() => console.log(`power cuts: ${points.join(', ')}`))

describe.each(scenarios)('a power cut in a commit of $name', scenario => {
  it('leaves the old tree or the new one, and the new one once it was answered', () => {
    const coins = Array.from({ length: long ? 40 : 4 }, (_, index) => index + 1)
    const stride = long || scenario.kept <= 2 ? 1 : 2
    let sum = 0
    for (const spared of ['nothing' as const, ...coins]) {
      const { count, violations } = powerCuts({ commit, recover }, scenario, spared, stride)
      sum += count
      expect(violations).toEqual([])
    }
    points.push(`${scenario.name} ${sum}`)
    expect(sum).toBeGreaterThan(50)
  })
})
