import { describe, expect, it } from 'vitest'
import { once, onceLoaded, oncePer } from './once.ts'

describe('once', () => {
  it('makes nothing before it is asked, and the same thing ever after, undefined included', () => {
    let made = 0
    const nothing = once(() => {
      made++
      return undefined
    })
    expect(made).toBe(0)
    nothing()
    nothing()
    expect(made).toBe(1)
  })

  it('tries again where the first attempt failed', () => {
    let tries = 0
    const second = once(() => {
      if (++tries === 1) throw new Error('not yet')
      return tries
    })
    expect(second).toThrow('not yet')
    expect(second()).toBe(2)
  })
})

describe('onceLoaded', () => {
  it('loads once for all who ask, and again after a failure', async () => {
    let loads = 0
    const value = onceLoaded(async () => {
      if (++loads === 1) throw new Error('not yet')
      return loads
    })
    await expect(Promise.all([value(), value()])).rejects.toThrow('not yet')
    expect(await Promise.all([value(), value()])).toEqual([2, 2])
    expect(loads).toBe(2)
  })
})

describe('oncePer', () => {
  it('finds what belongs to a key once, nothing included', () => {
    const asked: string[] = []
    const length = oncePer((key: string) => {
      asked.push(key)
      return key === '' ? undefined : key.length
    })
    expect(['ab', '', 'ab', ''].map(length)).toEqual([2, undefined, 2, undefined])
    expect(asked).toEqual(['ab', ''])
  })
})
