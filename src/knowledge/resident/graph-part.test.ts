import { expect, it, vi } from 'vitest'
import type { Graphs } from '../code/graph/open-graphs.ts'
import { graphPart } from './graph-part.ts'

it('ends what builds graphs some time after the last client, unless one is there again', async () => {
  const close = vi.fn<() => Promise<void>>(async () => {})
  const part = graphPart({ close } as unknown as Graphs, { lingerMs: 20 })
  part.clients?.(0)
  part.clients?.(1)
  await new Promise(resolve => setTimeout(resolve, 60))
  expect(close).not.toHaveBeenCalled()
  part.clients?.(0)
  await expect.poll(() => close.mock.calls.length).toBe(1)
  await part.close()
})
