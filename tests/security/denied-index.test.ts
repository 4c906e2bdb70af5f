import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { ensureResident } from '../../src/service/start.ts'
import type { ResidentStatus } from '../../src/service/status.ts'
import { gone } from '../resident/rig.ts'
import { makeWorld, type World } from './world.ts'

const MARK = 'zebraQuagga'
const FILES = {
  'src/open.ts': 'export const open = 1\n',
  'private/keys.ts': `export function ${MARK}Export() { return '${MARK}Text' }\n`,
  'private/notes.txt': `${MARK}Note\n`,
  'src/Secret.py': `def ${MARK}Python():\n    return "${MARK}Text"\n`,
}
const DENY = {
  policy: {
    rules: [
      { id: 'private', action: 'read', path: 'private/**', verdict: 'deny' },
      { id: 'secret', action: '*', path: '**/secret.py', verdict: 'deny' },
    ],
  },
}

function make(): World {
  const world = makeWorld()
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(world.root, path)), { recursive: true })
    writeFileSync(join(world.root, path), text)
  }
  return world
}

/** Files of the index on disk that hold the mark. */
function marked(state: string): string[] {
  return ['search', 'index', 'code'].flatMap(cache => {
    try {
      return readdirSync(join(state, cache), { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(MARK))
        .map(entry => entry.name)
    } catch {
      return []
    }
  })
}

/** Has a process make all of its index, and ends it unless told otherwise. */
async function indexed({ root, env }: World, { path: state, key }: { path: string; key: string }): Promise<number> {
  const settings = { root, key, idleMs: 60_000, memoryBytes: 100_000_000 }
  const line = await ensureResident({ state, env, settings, timeoutMs: 60_000 })
  const isBuilt = async () => {
    const { parts } = await line.ask<ResidentStatus>('status', {}, { timeoutMs: 60_000 })
    return parts.filter(({ name }) => name !== 'code').every(part => part.state === 'current')
  }
  await expect.poll(isBuilt, { timeout: 60_000, interval: 50 }).toBe(true)
  line.close()
  return line.pid
}

async function end(pid: number): Promise<void> {
  process.kill(pid, 'SIGTERM')
  expect(await gone(pid, 30_000)).toBe(true)
}

describe('the index on disk', () => {
  it('never holds what a rule denies, and a new rule purges it', { timeout: 120_000 }, async () => {
    await using world = make()
    // Files that changed a moment ago are not kept.
    await pause(100)
    const open = await world.open({ resident: 'off' })
    await end(await indexed(world, open.state))
    // Without a rule both the search index and the facts keep it, so that this test can fail.
    expect(marked(open.state.path).length).toBeGreaterThanOrEqual(2)

    const running = await indexed(world, open.state)
    world.configure(JSON.stringify(DENY))
    const denied = await world.open({ resident: 'off' })
    expect(marked(open.state.path)).toEqual([])
    const own = await denied.run('symbols', { query: MARK })
    expect(JSON.stringify(own)).not.toContain(`${MARK}Export`)
    // The process that had read it before stores nothing of it at its end either.
    await end(running)
    expect(marked(open.state.path)).toEqual([])

    await end(await indexed(world, open.state))
    expect(marked(open.state.path)).toEqual([])
    expect(readdirSync(join(open.state.path, 'search')).length).toBeGreaterThan(0)
  })
})
