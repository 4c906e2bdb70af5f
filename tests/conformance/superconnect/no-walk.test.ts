import type * as processes from 'node:child_process'
import type * as fs from 'node:fs'
import { expect, it, vi } from 'vitest'
import { shop } from './world.ts'

/** Every look into a directory, and every program that could look into one. */
const looks = vi.hoisted(() => {
  const seen = { count: 0 }
  const counted = <F extends (...args: never[]) => unknown>(call: F) =>
    function (...args: Parameters<F>) {
      seen.count++
      return call(...args)
    }
  return { seen, counted }
})
vi.mock('node:fs', async original => {
  const real = await original<typeof fs>()
  return { ...real, readdirSync: looks.counted(real.readdirSync), opendirSync: looks.counted(real.opendirSync) }
})
vi.mock('node:child_process', async original => {
  const real = await original<typeof processes>()
  return { ...real, spawn: looks.counted(real.spawn), spawnSync: looks.counted(real.spawnSync) }
})

it('SC-05: no query walks the file system: the index is built ahead', async () => {
  const { workspace, call } = await shop()
  const looked = async (tool: string, input: object): Promise<number> => {
    const before = looks.seen.count
    expect(await call(tool, input)).not.toHaveProperty('error')
    return looks.seen.count - before
  }
  try {
    // The first builds it, and what it tells of itself in the workspace is seen by the second.
    for (let at = 0; at < 3; at++) await looked('queryIndex', { query: { type: 'listAll' } })
    for (const query of [
      { type: 'exports', value: 'Button' },
      { type: 'tag', value: 'react-component' },
      { type: 'pathPrefix', value: 'src/' },
      { type: 'listAll' },
      { type: 'exports', value: 'Nobody' },
    ])
      expect([query, await looked('queryIndex', { query })]).toEqual([query, 0])
    expect(await looked('listFiles', { directory: 'src' })).toBeGreaterThan(0)
  } finally {
    await workspace.remove()
  }
})
