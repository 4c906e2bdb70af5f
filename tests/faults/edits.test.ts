import { afterAll, describe, expect, it } from 'vitest'
import { commit } from '../../src/machine/workspace/commit/commit.ts'
import { recover } from '../../src/machine/workspace/commit/recover.ts'
import { editPoints, edits, editsAfterCrash } from './edit-rig.ts'
import { scenarios } from './scenario.ts'

/** Every so many calls, by scenario; each path begins at another one, so that together they meet every moment. */
const STRIDES = { commit: [1, 4, 61, 40], recovery: [2, 4, 17, 17] }
const long = process.env['TOOLWRIGHT_LONG'] === '1'
let points = 0
afterAll(() => console.log(`edits by somebody else: ${points} points`))

describe.each(scenarios.map((scenario, number) => ({ ...scenario, number })))('a commit of $name', scenario => {
  const strideOf = (what: keyof typeof STRIDES) => (long ? 1 : (STRIDES[what][scenario.number] ?? 1))
  const touched = [...new Set([...scenario.before.keys(), ...scenario.after.keys()])].filter(
    path => scenario.before.get(path) !== scenario.after.get(path),
  )

  it.each(edits)('loses nothing when another program $name one of its files at any moment', edit => {
    const sample = long || scenario.kept <= 2 ? touched : touched.filter((_, index) => index % 3 === 0)
    const stride = strideOf('commit')
    for (const [place, path] of sample.entries()) {
      const moments = { stride, first: (place * 7) % stride }
      const { count, violations } = editPoints({ commit, recover }, scenario, edit, path, moments)
      points += count
      expect(violations).toEqual([])
    }
  })
  it.each(edits.filter(edit => !edit.name.includes('held open')))(
    'loses nothing when another program $name one of its files between a crash and the recovery',
    edit => {
      const stride = strideOf('recovery')
      for (const [place, path] of (long ? touched : touched.slice(0, 4)).entries()) {
        const moments = { stride, first: place % stride }
        const { count, violations } = editsAfterCrash({ commit, recover }, scenario, edit, path, moments)
        points += count
        expect(violations).toEqual([])
      }
    },
  )
})
