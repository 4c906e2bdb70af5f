import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watch, type Used } from './watch.ts'

const limits = {
  wallMs: 10_000,
  cpuSeconds: 2,
  memoryBytes: 1000,
  processes: 10,
  fileBytes: 1000,
  outputBytes: 1000,
  tmpBytes: 1000,
  writtenBytes: 2 ** 31,
}
const little: Used = { tasks: 3, cpuMs: 10, residentBytes: 500, tmpBytes: 0 }

describe('a watch over a command', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  const after = (ms: number, used: Partial<Used> | undefined, exact = 5000): string[] => {
    const ended: string[] = []
    const watched = {
      look: () => used && { ...little, ...used },
      exactBytes: () => exact,
      written: () => 0,
      end: (why: string) => ended.push(why),
    }
    const guard = watch(watched, limits)
    vi.advanceTimersByTime(ms)
    guard.stop()
    return ended
  }

  it.each<[string, Partial<Used>]>([
    ['processes', { tasks: 13 }],
    ['cpu', { cpuMs: 2001 }],
    ['memory', { residentBytes: 1001 }],
    ['memory', { tmpBytes: 1001 }],
  ])('ends it for its %s', (why, used) => {
    expect(after(100, used)).toEqual([why])
  })

  it('does not end what only seems to use too much, since its processes share it', () => {
    expect(after(1000, { residentBytes: 5000 }, 900)).toEqual([])
  })

  it('ends what forks up to the limit and does not stop', () => {
    expect(after(500, { tasks: 10 })).toEqual([])
    expect(after(1500, { tasks: 10 })).toEqual(['processes'])
  })

  it('ends it when its time is over, whatever can be seen', () => {
    expect(after(9999, undefined)).toEqual([])
    expect(after(10_001, undefined)).toEqual(['wall'])
  })

  it('remembers the most that was used', () => {
    const guard = watch({ look: () => little, exactBytes: () => 0, written: () => 0, end: () => {} }, limits)
    expect(guard.most()).toBeUndefined()
    vi.advanceTimersByTime(100)
    guard.stop()
    expect(guard.most()).toEqual({ cpuMs: 10, maxRssBytes: 500 })
  })
})
