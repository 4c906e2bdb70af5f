import { describe, expect, it } from 'vitest'
import { fixedClock, systemClock } from './clock.ts'

describe('systemClock', () => {
  it('makes names that are different and sort as they were made', () => {
    const ids = Array.from({ length: 20_000 }, () => systemClock.id())
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.toSorted()).toEqual(ids)
    expect(ids.every(id => /^[0-9a-z]{18,}$/.test(id))).toBe(true)
  })
})

describe('fixedClock', () => {
  it('SG-24: gives the same times and names each time', () => {
    const run = () => {
      const clock = fixedClock(5)
      return [clock.now(), clock.elapsed(), clock.id(), clock.id(), clock.now()]
    }
    expect(run()).toEqual(run())
    expect(run()[2]).not.toBe(run()[3])
  })
})
