import { existsSync, linkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startBuilt } from '../resident/beside-scan.ts'
import { useWorlds } from '../resident/rig.ts'

const worlds = useWorlds()
const NEEDLE = 'Zq7xK2mPv9TrW4nLs8Bd'

describe('another name (a hard link) of a denied file', () => {
  it('is refused where the stored list of files knows the denied one', async () => {
    const rules = [{ action: 'read', path: 'private/**', verdict: 'deny' }]
    const world = worlds.make({
      'toolwright.json': JSON.stringify({ policy: { rules } }),
      'private/key.txt': `${NEEDLE}\n`,
      id_rsa: `${NEEDLE} too\n`,
      'plain.txt': 'text\n',
    })
    const at = (path: string) => join(world.workspace.path, path)
    linkSync(at('private/key.txt'), at('notes.txt'))
    linkSync(at('id_rsa'), at('other.txt'))
    linkSync(at('plain.txt'), at('same.txt'))
    // Records the rules before the process lists the files.
    const before = await world.workspace.open()
    await before.close()
    await startBuilt(world)
    while (!existsSync(join(world.state.path, 'guarded-files.json'))) await pause(20)
    const kit = await world.workspace.open({ permissions: ['fs:write', 'exec'] })
    linkSync(at('private/key.txt'), at('late.txt'))
    const run = async (tool: string, input: object) => (await kit.run(tool, input)).outcome
    for (const path of ['notes.txt', 'late.txt', 'other.txt']) {
      const reading = await run('read', { path })
      expect([path, reading]).toMatchObject([path, { ok: false }])
      expect(JSON.stringify(reading)).not.toContain(NEEDLE)
      expect(await run('edit', { path, edits: [{ old: NEEDLE, new: 'x' }] })).toMatchObject({ ok: false })
      expect(JSON.stringify(await run('grep', { pattern: 'Zq7', path }))).not.toContain(NEEDLE)
    }
    expect(await run('read', { path: 'notes.txt' })).toMatchObject({ error: { code: 'denied' } })
    for (const strict of [true, false]) {
      const found = JSON.stringify(await run('grep', { pattern: 'Zq7', strict }))
      expect(found).toContain('"total":0')
      expect(found).not.toContain(NEEDLE)
    }
    const printed = await run('run', {
      command: 'cat notes.txt late.txt; cp notes.txt copy.txt; cat copy.txt',
    })
    expect(JSON.stringify(printed)).not.toContain(NEEDLE)
    expect(await run('read', { path: 'same.txt' })).toMatchObject({ ok: true, data: { content: 'text\n' } })
    expect(statSync(at('notes.txt')).nlink).toBe(3)
    await kit.close()
  })
})
