import { expect, it } from 'vitest'
import { serverMemory } from './server-memory.ts'

it('ends the server that was asked longest ago where all together hold too much, and none that is being asked', () => {
  const bytes = new Map([
    [1, 40],
    [2, 40],
    [3, 40],
  ])
  const ended: number[] = []
  const memory = serverMemory(100, pid => bytes.get(pid) ?? 0)
  const add = (pid: number, usedAt: number, isBusy = false) => {
    const remove = memory.add({
      pid,
      usedAt: () => usedAt,
      isBusy: () => isBusy,
      end() {
        ended.push(pid)
        remove()
      },
    })
    return remove
  }
  const last = add(1, 30)
  memory.check()
  expect(ended).toEqual([])
  add(2, 10, true)
  const middle = add(3, 20)
  memory.check()
  expect(ended).toEqual([3])
  memory.check()
  expect(ended).toEqual([3])
  last()
  middle()
})
