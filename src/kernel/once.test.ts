import { describe, expect, it } from 'vitest'
import { methodsOnUse, once, onceLoaded, oncePer, openedOnUse } from './once.ts'

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

describe('openedOnUse', () => {
  it('opens with the first use, and closes only what was opened', async () => {
    const heard: string[] = []
    const make = () =>
      openedOnUse(async () => {
        heard.push('opened')
        return { name: 'it', close: () => heard.push('closed') }
      })
    const [used, unused] = [make(), make()]
    expect(used.opened()).toBeUndefined()
    expect((await used.open()).name).toBe('it')
    expect(used.opened()?.name).toBe('it')
    await Promise.all([used.close(), unused.close()])
    expect(heard).toEqual(['opened', 'closed'])
  })
})

describe('methodsOnUse', () => {
  it('loads with the first call of a method, and answers early ones without', async () => {
    let loads = 0
    const engine = methodsOnUse<
      { add(one: number, other: number): Promise<number>; known(): number },
      { known(): number }
    >(
      async () => {
        loads++
        return { add: async (one, other) => one + other }
      },
      { known: () => 7 },
    )
    expect([engine.known(), loads]).toEqual([7, 0])
    expect(await Promise.resolve(engine)).toBe(engine)
    expect([await engine.add(1, 2), loads]).toEqual([3, 1])
  })
})
