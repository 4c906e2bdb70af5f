import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { reads, readsBelow, writes, type Claim } from '../kernel/claim.ts'
import { collide, createSchedule } from './schedule.ts'

const exec: Claim[] = [{ action: 'exec', resource: 'npm test' }]

describe('createSchedule', () => {
  it('runs readers side by side and lets a writer wait for those who touch its file', async () => {
    const schedule = createSchedule()
    const order: string[] = []
    const job = (name: string, ms: number) => async () => {
      order.push(`${name}+`)
      await pause(ms)
      order.push(`${name}-`)
    }
    await Promise.all([
      schedule.run(reads('a'), job('r1', 20)),
      schedule.run(reads('a'), job('r2', 10)),
      schedule.run(writes('a'), job('w', 5)),
      schedule.run(writes('b'), job('other', 1)),
    ])
    expect(order.indexOf('r2+')).toBeLessThan(order.indexOf('r1-'))
    expect(order.indexOf('w+')).toBeGreaterThan(order.indexOf('r1-'))
    expect(order.indexOf('other-')).toBeLessThan(order.indexOf('r2-'))
  })

  it('goes on after a call that failed', async () => {
    const schedule = createSchedule()
    const failed = schedule.run(writes('a'), async () => {
      await pause(1)
      throw new Error('no')
    })
    const next = schedule.run(writes('a'), async () => 'done')
    await expect(failed).rejects.toThrow('no')
    await expect(next).resolves.toBe('done')
  })

  it.each([
    [reads('a'), reads('a'), false],
    [reads('a'), writes('a'), true],
    [writes('src/a.ts'), readsBelow('src'), true],
    [writes('srcs/a.ts'), readsBelow('src'), false],
    [writes('b'), readsBelow('.'), true],
    [exec, reads('a'), true],
    [exec, [{ action: 'net', resource: 'https://example.com' }] as Claim[], false],
  ])('%j and %j collide: %s', (first, second, expected) => {
    expect(collide(first, second)).toBe(expected)
    expect(collide(second, first)).toBe(expected)
  })
})
