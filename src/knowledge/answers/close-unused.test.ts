import { expect, it, vi } from 'vitest'
import { closeUnused } from './open-knowledge.ts'

it('ends what builds graphs some time after the last client, unless one is there again', async () => {
  const close = vi.fn<() => Promise<void>>(async () => {})
  const unused = closeUnused({ close }, 20)
  unused.clients(0)
  unused.clients(1)
  await new Promise(resolve => setTimeout(resolve, 60))
  expect(close).not.toHaveBeenCalled()
  unused.clients(0)
  await expect.poll(() => close.mock.calls.length).toBe(1)
  unused.stop()
})
