import { describe, expect, it, vi } from 'vitest'
import { ToolError } from '../kernel/error.ts'
import { deadlineIn } from '../knowledge/code/servers/deadline.ts'
import { limitConcurrency } from './limit-concurrency.ts'

const late = () => new ToolError('timeout', 'late')
const soon = () => deadlineIn(60_000)

/** Work that ends when it is told to. */
function work() {
  const { promise, resolve } = Promise.withResolvers<void>()
  let begun = false
  return { end: resolve, hasBegun: () => begun, run: () => ((begun = true), promise) }
}

describe('few at once', () => {
  it('lets others wait for their turn, in their order', async () => {
    const few = limitConcurrency(2, late)
    const all = [work(), work(), work(), work()]
    const runs = all.map(each => few(soon(), each.run))
    const begun = () => all.map(each => each.hasBegun())
    expect(begun()).toEqual([true, true, false, false])
    all[1]?.end()
    await vi.waitFor(() => expect(begun()).toEqual([true, true, true, false]), 60_000)
    for (const each of all) each.end()
    await Promise.all(runs)
    expect(begun()).toEqual([true, true, true, true])
  })

  it('keeps no place for work that fails, or that did not come to its turn in time', async () => {
    const few = limitConcurrency(1, late)
    await expect(few(soon(), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    const first = work()
    const running = few(soon(), first.run)
    await expect(few(deadlineIn(5), async () => 'never')).rejects.toMatchObject({ code: 'timeout' })
    const next = few(soon(), async () => 'next')
    first.end()
    await running
    expect(await next).toBe('next')
    expect(await few(soon(), async () => 'last')).toBe('last')
  })
})
