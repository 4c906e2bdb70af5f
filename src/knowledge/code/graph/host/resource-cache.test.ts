import { describe, expect, it } from 'vitest'
import { resourceCache } from './resource-cache.ts'

const MB = 1024 ** 2

function world(rules: { readonly most?: number; readonly mostBytes?: number } = {}) {
  const open: string[] = []
  const opened: string[] = []
  const kept = resourceCache({
    most: 2,
    mostBytes: 100 * MB,
    ...rules,
    async open(key) {
      await Promise.resolve()
      if (key === 'gone') throw new Error('It is not there')
      opened.push(key)
      open.push(key)
      return {
        async ask(question: string) {
          await Promise.resolve()
          if (!open.includes(key)) throw new Error(`${key} was closed`)
          return `${key}: ${question}`
        },
        async close() {
          open.splice(open.indexOf(key), 1)
        },
      }
    },
    bytesOf: key => (key.startsWith('large') ? 90 * MB : MB),
  })
  return { open, opened, ask: (key: string, question = '?') => kept.use(key, one => one.ask(question)), kept }
}

describe('what is kept open', () => {
  it('is bounded in number: what was not used for longest is closed, and opened again when asked', async () => {
    const { ask, open, opened } = world()
    for (const key of ['a', 'b', 'a', 'c']) expect(await ask(key)).toBe(`${key}: ?`)
    expect(open.toSorted()).toEqual(['a', 'c'])
    expect(await ask('b')).toBe('b: ?')
    expect(open.toSorted()).toEqual(['b', 'c'])
    expect(opened).toEqual(['a', 'b', 'c', 'b'])
  })

  it('is bounded in bytes, and one that is larger is open alone', async () => {
    const { ask, open } = world({ most: 10 })
    for (const key of ['a', 'b', 'large 1', 'large 2', 'c']) await ask(key)
    expect(open.toSorted()).toEqual(['c', 'large 2'])
    const alone = world({ mostBytes: MB })
    for (const key of ['a', 'large 1']) await alone.ask(key)
    expect(alone.open).toEqual(['large 1'])
    expect(await alone.ask('large 1', 'again')).toBe('large 1: again')
    expect(alone.opened).toEqual(['a', 'large 1'])
  })

  it('is opened once for concurrent users, and not closed while in use', async () => {
    const { ask, open, opened, kept } = world()
    const held = Promise.withResolvers<void>()
    const slow = kept.use('slow', async one => {
      await held.promise
      return one.ask('late')
    })
    const keys = ['a', 'b', 'a', 'c', 'd', 'b']
    expect(await Promise.all(keys.map(key => ask(key)))).toEqual(keys.map(key => `${key}: ?`))
    expect(open).toContain('slow')
    held.resolve()
    expect(await slow).toBe('slow: late')
    expect(open).toHaveLength(2)
    expect(open).not.toContain('slow')
    expect(opened.toSorted()).toEqual(['a', 'b', 'c', 'd', 'slow'])
  })

  it('is not what could not be opened: that is tried again', async () => {
    const { ask, open } = world()
    await expect(ask('gone')).rejects.toThrow('not there')
    await expect(ask('gone')).rejects.toThrow('not there')
    expect(await ask('a')).toBe('a: ?')
    expect(open).toEqual(['a'])
  })
})
