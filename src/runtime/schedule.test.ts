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

  it('runs commands side by side, eight at most, and lands one at a time', async () => {
    const schedule = createSchedule()
    const [running, landing] = [new Set<number>(), new Set<number>()]
    let [most, mostLanding] = [0, 0]
    const overtaken = await Promise.all(
      Array.from({ length: 20 }, (_one, at) =>
        schedule.run(
          exec,
          async turn => {
            most = Math.max(most, running.add(at).size)
            await pause(5)
            const isOvertaken = await turn.land()
            mostLanding = Math.max(mostLanding, landing.add(at).size)
            await pause(1)
            landing.delete(at)
            running.delete(at)
            return isOvertaken
          },
          'merging',
        ),
      ),
    )
    expect([most, mostLanding]).toEqual([8, 1])
    // The first of several concurrent commands to land has none before it.
    expect(overtaken.indexOf(false)).toBe(0)
    expect(overtaken.filter(Boolean).length).toBeGreaterThan(10)
  })

  it('blocks no other call when a waiting one is cancelled', async () => {
    const schedule = createSchedule()
    const held = Promise.withResolvers<void>()
    const given = new AbortController()
    const first = schedule.run(exec, async turn => void (await turn.land(), await held.promise), 'merging')
    const second = schedule.run(exec, turn => turn.land(given.signal), 'merging')
    const third = schedule.run(exec, turn => turn.land(), 'merging')
    given.abort(new Error('gone'))
    await expect(second).rejects.toThrow('gone')
    held.resolve()
    await first
    await expect(third).resolves.toBe(true)
  })

  it.each([
    ['reading', reads('a'), true],
    ['reading', writes('a'), false],
    ['merging', reads('a'), false],
    ['alone', exec, false],
  ] as const)('lets %s commands run beside %j: %s', async (commands, claims, expected) => {
    const schedule = createSchedule()
    let isOver = false
    const command = schedule.run(exec, async () => pause(20).then(() => (isOver = true)), commands)
    await expect(schedule.run(claims, async () => !isOver)).resolves.toBe(expected)
    await command
  })

  it('lets a change start beside a yielding call before it, which waits for the changes before it', async () => {
    const schedule = createSchedule()
    const order: string[] = []
    const job = (name: string, ms: number) => async () => void (await pause(ms), order.push(name))
    await Promise.all([
      schedule.run(writes('a'), job('first change', 20)),
      schedule.run(readsBelow('.'), job('question', 40), 'yielding'),
      schedule.run(writes('a'), job('second change', 1)),
      schedule.run(readsBelow('.'), job('search', 1)),
    ])
    expect(order).toEqual(['first change', 'second change', 'search', 'question'])
  })

  it('lets one question about a file wait for the one before, and no other', async () => {
    const schedule = createSchedule()
    const leave = await schedule.ask(writes('a'), undefined)
    const order: string[] = []
    const next = schedule.ask(writes('a'), undefined).then(left => void (order.push('a'), left()))
    await schedule.ask(writes('b'), undefined).then(() => order.push('b'))
    await schedule.ask(writes('a'), AbortSignal.abort()).then(left => void (order.push('gone'), left()))
    leave()
    await next
    expect(order).toEqual(['b', 'gone', 'a'])
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
