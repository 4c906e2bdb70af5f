import { describe, expect, it } from 'vitest'
import { once } from './once.ts'

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
