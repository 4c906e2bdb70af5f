import { afterAll, describe, expect, it } from 'vitest'
import { commit } from '../../src/engines/workspace/commit/commit.ts'
import { recover } from '../../src/engines/workspace/commit/recover.ts'
import { editPoints, edits, editsAfterCrash } from './edit-rig.ts'
import { scenarios } from './scenario.ts'

const long = process.env['TOOLWRIGHT_LONG'] === '1'
let points = 0
afterAll(() => console.log(`edits by somebody else: ${points} points`))

describe.each(scenarios)('a commit of $name', scenario => {
  const touched = [...new Set([...scenario.before.keys(), ...scenario.after.keys()])].filter(
    path => scenario.before.get(path) !== scenario.after.get(path),
  )

  it.each(edits)('loses nothing when somebody $name one of its files at any moment', edit => {
    const sample = long || scenario.kept <= 2 ? touched : touched.filter((_, index) => index % 3 === 0)
    const stride = long || scenario.kept <= 2 ? 1 : 13
    for (const path of sample) {
      const { count, violations } = editPoints({ commit, recover }, scenario, edit, path, stride)
      points += count
      expect(violations).toEqual([])
    }
  })
  it.each(edits.filter(edit => !edit.name.includes('held open')))(
    'loses nothing when somebody $name one of its files between a crash and the recovery',
    edit => {
      for (const path of long ? touched : touched.slice(0, 4)) {
        const { count, violations } = editsAfterCrash({ commit, recover }, scenario, edit, path, long ? 1 : 2)
        points += count
        expect(violations).toEqual([])
      }
    },
  )
})
