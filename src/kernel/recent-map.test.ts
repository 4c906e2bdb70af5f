import { expect, it } from 'vitest'
import { RecentMap } from './recent-map.ts'

it('drops what was put there longest ago, and says so', () => {
  const dropped: number[] = []
  const map = new RecentMap<string, number>(2, value => dropped.push(value))
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4)
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ])
  expect(dropped).toEqual([2])
})
