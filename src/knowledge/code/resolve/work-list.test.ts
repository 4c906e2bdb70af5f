import { describe, expect, it } from 'vitest'
import { createWorkList, type Slot } from './work-list.ts'

/** Questions by number; each is computed from the answers of others. */
function questions(compute: (at: number, read: (at: number) => readonly string[]) => readonly string[]) {
  const work = createWorkList<string>()
  const slots = new Map<number, Slot<string>>()
  let runs = 0
  const read = (at: number): readonly string[] => {
    let slot = slots.get(at)
    if (!slot)
      slots.set(
        at,
        (slot = work.slot(() => {
          runs++
          return compute(at, read)
        })),
      )
    return work.read(slot)
  }
  return { read, runs: () => runs }
}

describe('a work list', () => {
  it('answers a chain that is longer than any stack, and keeps the answers', () => {
    const { read, runs } = questions((at, ask) => (at === 100_000 ? ['end'] : ask(at + 1)))
    expect(read(0)).toEqual(['end'])
    const before = runs()
    expect(read(50_000)).toEqual(['end'])
    expect(runs()).toBe(before)
  })

  it('answers a ring with all that is known in it, wherever it is entered', () => {
    const ring = () => questions((at, ask) => [`own ${at}`, ...ask((at + 1) % 3)])
    for (const first of [0, 1, 2]) {
      const { read } = ring()
      read(first)
      for (const at of [0, 1, 2]) expect(read(at).toSorted()).toEqual(['own 0', 'own 1', 'own 2'])
    }
  })

  it('ends where an answer is never the same twice', () => {
    let next = 0
    const { read, runs } = questions((at, ask) => [...ask(1 - at), `new ${next++}`])
    expect(read(0).length).toBeGreaterThan(0)
    expect(runs()).toBeLessThan(100)
  })

  it('leaves what is outside of a ring alone while the ring is computed again', () => {
    const runs = new Map<number, number>()
    const { read } = questions((at, ask) => {
      runs.set(at, (runs.get(at) ?? 0) + 1)
      return at === 9 ? ['outside'] : [`own ${at}`, ...ask(1 - at), ...ask(9)]
    })
    expect(read(0).toSorted()).toEqual(['outside', 'own 0', 'own 1'])
    expect(runs.get(9)).toBe(1)
  })

  it('asks again after a question has failed', () => {
    let fails = true
    const { read } = questions((at, ask) => {
      if (at === 2 && fails) throw new Error('not yet')
      return at === 2 ? ['found'] : ask(at + 1)
    })
    expect(() => read(0)).toThrow('not yet')
    fails = false
    expect(read(0)).toEqual(['found'])
  })
})
