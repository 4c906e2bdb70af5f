import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { withDeadline } from './deadline.ts'

const tool = { name: 'slow', timeoutMs: 30 }

describe('withDeadline', () => {
  it('gives what the work gives, at once or later', async () => {
    expect(await withDeadline(tool, undefined, () => 1)).toBe(1)
    expect(await withDeadline(tool, undefined, async () => 2)).toBe(2)
    await expect(
      withDeadline(tool, undefined, async () => {
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    await expect(
      withDeadline(tool, undefined, () => {
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
  })

  it('ends the wait after its time, and tells the work', async () => {
    let told: unknown
    const waiting = withDeadline(tool, undefined, async ({ signal }) => {
      signal.addEventListener('abort', () => (told = signal.reason))
      await pause(5_000, undefined, { signal, ref: false })
    })
    await expect(waiting).rejects.toMatchObject({ code: 'timeout', message: "'slow' took longer than 0.03 s" })
    expect(told).toMatchObject({ code: 'timeout' })
  })

  it('names the file of a call that is about one', async () => {
    const late = (...resources: readonly string[]) =>
      withDeadline({ ...tool, claims: resources.map(resource => ({ action: 'read', resource })) }, undefined, () =>
        pause(5_000, undefined, { ref: false }),
      )
    await expect(late('src/a.cpp')).rejects.toThrow("'slow' took longer than 0.03 s on src/a.cpp")
    await expect(late('a', 'b')).rejects.toThrow(/0\.03 s$/)
    await expect(late('**')).rejects.toThrow(/0\.03 s$/)
  })

  it('ends with its caller: gone before, or during', async () => {
    let began = false
    const before = withDeadline(tool, AbortSignal.abort(), () => (began = true))
    await expect(before).rejects.toMatchObject({ code: 'cancelled' })
    expect(began).toBe(false)
    const during = withDeadline({ name: 'slow', timeoutMs: 5_000 }, AbortSignal.timeout(10), () =>
      pause(5_000, undefined, { ref: false }),
    )
    await expect(during).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('stands while a question is open, and goes on with what is left', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'hrtime'] })
    try {
      let ask: () => () => void = () => () => {}
      const outcome = withDeadline({ name: 'asks', timeoutMs: 100 }, undefined, async context => {
        ask = () => context.pause()
        // One that is open before anything else was awaited counts as well.
        const resume = context.pause()
        setTimeout(resume, 1_000)
        await new Promise(() => {})
      }).catch((error: unknown) => error)
      await vi.advanceTimersByTimeAsync(1_060)
      const answers = [ask(), ask()]
      await vi.advanceTimersByTimeAsync(5_000)
      for (const answer of answers) answer()
      await vi.advanceTimersByTimeAsync(39)
      const isOver = await Promise.race([outcome.then(() => true), Promise.resolve(false)])
      expect(isOver).toBe(false)
      await vi.advanceTimersByTimeAsync(2)
      expect(await outcome).toMatchObject({ code: 'timeout' })
    } finally {
      vi.useRealTimers()
    }
  })

  it('is not disturbed by work that fails after its time', async () => {
    const work = Promise.withResolvers<void>()
    const late = withDeadline(tool, undefined, () => work.promise)
    await expect(late).rejects.toMatchObject({ code: 'timeout' })
    work.reject(new Error('too late to matter'))
    // An unhandled rejection would end the run.
    await pause(1)
  })
})
