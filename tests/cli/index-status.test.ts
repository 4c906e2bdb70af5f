import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import type * as trees from '../../src/knowledge/tree/open-tree.ts'
import { useCli } from './rig.ts'

/** How long the first look at all files takes, as in a large workspace or on a busy machine. */
const listing = vi.hoisted(() => ({ ms: 0 }))
vi.mock('../../src/knowledge/tree/open-tree.ts', async original => {
  const real = await original<typeof trees>()
  const openTree: typeof real.openTree = (...args) => {
    const tree = real.openTree(...args)
    return { ...tree, caughtUp: () => pause(listing.ms).then(tree.caughtUp) }
  }
  return { ...real, openTree }
})

const cli = useCli({ 'src/a.ts': 'export const a = 1\n', 'src/b.ts': 'export const b = 1\nexport const c = 2\n' })

it('counts what was built before, however long it takes to load', async () => {
  expect((await cli.run(['index', 'build'])).out).toBe('2 files, 3 exports\n')
  listing.ms = 4_000
  const { code, out } = await cli.run(['index'])
  expect([code, out]).toEqual([0, '2 files, 3 exports\n  typescript  2\n'])
})
