import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { connect, type Connection } from '../../src/service/connect.ts'
import { ownBuild } from '../../src/service/own-build.ts'
import type { ResidentStatus } from '../../src/service/status.ts'
import { placeOf } from '../../src/service/place.ts'
import type { Toolkit } from '../../src/index.ts'
import { SOON, useWorlds, type World } from './rig.ts'

const worlds = useWorlds()
const FILES = { 'a.txt': 'needle\n', 'src/b.ts': 'export const needle = 1\n', 'secret.txt': 'needle\n' }

const find = (world: World): Promise<Connection | undefined> =>
  connect(placeOf(world.state.path, ownBuild()), ownBuild())

/** The process that another program starts, once it knows all files. */
async function awaited(world: World, name = 'search'): Promise<Connection> {
  for (let turn = 0; turn < 600; turn++) {
    const line = await find(world)
    if (line) {
      worlds.seen(line.pid)
      for (;;) {
        const { parts } = await line.ask<ResidentStatus>('status', {}, SOON)
        if (parts.some(part => part.name === name && part.state === 'current')) return line
        await pause(20)
      }
    }
    await pause(20)
  }
  throw new Error('Nobody started it')
}

/** The lines that a search finds, and how many files rules kept from it. */
async function grep(kit: Toolkit, pattern = 'needle'): Promise<string> {
  const { outcome } = await kit.run('grep_search', { pattern }, { contract: 'cli-agent' })
  if (!outcome.ok) throw outcome.error
  return JSON.stringify(outcome.data)
}

async function read(kit: Toolkit, path: string): Promise<unknown> {
  const { outcome } = await kit.run('read', { path })
  if (!outcome.ok) throw outcome.error
  return outcome.data
}

async function write(kit: Toolkit, path: string, content: string): Promise<void> {
  const { outcome } = await kit.run('write', { path, content })
  if (!outcome.ok) throw outcome.error
}

describe('a toolkit', () => {
  it('uses the process that is there, and starts none by itself', async () => {
    const world = worlds.make(FILES)
    const kit = await world.workspace.open()
    const scanned = await grep(kit)
    expect(existsSync(join(world.state.path, 'resident'))).toBe(false)
    await world.start()
    const line = await awaited(world)
    expect(await grep(kit)).toBe(scanned)
    // The one that asks here, the one that started it, and the toolkit.
    expect(await line.ask<ResidentStatus>('status', {}, SOON)).toMatchObject({ clients: 3 })
    world.workspace.write('c.txt', 'needle right now\n')
    expect(await grep(kit)).toContain('right now')
    await kit.close()
  })

  it('starts it with the first search where it is told to, and does not wait for it', async () => {
    const world = worlds.make(FILES)
    const kit = await world.workspace.open({ resident: 'start' })
    await kit.run('read', { path: 'a.txt' })
    expect(existsSync(join(world.state.path, 'resident'))).toBe(false)
    const scanned = await grep(kit)
    const line = await awaited(world)
    expect(await grep(kit)).toBe(scanned)
    process.kill(line.pid, 'SIGKILL')
    expect(await grep(kit)).toBe(scanned)
    const next = await awaited(world)
    expect(next.pid).not.toBe(line.pid)
    expect(await grep(kit)).toBe(scanned)
    await kit.close()
  })

  it.each(['use', 'start'] as const)(
    'is told at once what the process knows of a file that it reads (%s)',
    async use => {
      const world = worlds.make({ ...FILES, 'src/a.ts': "export * from './b.ts'\nexport * from './secret.ts'\n" })
      world.workspace.write('src/secret.ts', 'export const hush = 1\n')
      world.workspace.write(
        'toolwright.json',
        JSON.stringify({ policy: { rules: [{ action: 'read', path: 'src/secret.ts', verdict: 'deny' }] } }),
      )
      await world.start()
      const line = await awaited(world, 'index')
      // No answer waits for it longer than a glance, which a busy machine can miss.
      const eventually = (work: () => Promise<void>) => vi.waitFor(work, { timeout: 30_000 })
      const kit = await world.workspace.open({ resident: use })
      await eventually(async () => expect(await read(kit, 'src/b.ts')).toMatchObject({ exports: ['needle'] }))
      await eventually(async () => expect(await read(kit, 'src/a.ts')).toMatchObject({ exports: ['needle'] }))
      await eventually(async () => {
        const { outcome } = await kit.run('grep', { pattern: 'export', path: 'src/b.ts' })
        expect(outcome).toMatchObject({ data: { matches: [{ path: 'src/b.ts', symbol: 'needle' }] } })
      })
      await kit.close()
      line.close()
    },
  )

  it('leaves out what the user ignores everywhere, with the process and without', async () => {
    const world = worlds.make({ ...FILES, '.git/HEAD': 'ref: refs/heads/main\n', 'global.txt': 'needle\n' })
    const ignore = join(world.workspace.env['HOME'] ?? '', '.config/git')
    mkdirSync(ignore, { recursive: true })
    writeFileSync(join(ignore, 'ignore'), 'global.txt\n')
    const kit = await world.workspace.open()
    const all = async () => {
      const [found, listed, indexed] = await Promise.all([
        kit.run('find', { glob: '*.txt' }),
        kit.run('list', {}),
        kit.run('index', { by: 'all' }),
      ])
      return JSON.stringify([found.outcome, listed.outcome, indexed.outcome])
    }
    const scanned = await all()
    expect(scanned).toContain('"source":"scan"')
    expect(scanned).toContain('a.txt')
    expect(scanned).not.toContain('global.txt')
    await world.start()
    const line = await awaited(world)
    const known = await all()
    expect(known).toContain('"source":"index"')
    expect(known).not.toContain('global.txt')
    line.close()
    await kit.close()
  })

  it.each([{ resident: 'off' }, { resident: 'start', deterministic: true }] as const)(
    'leaves it alone with %j',
    async options => {
      const world = worlds.make(FILES)
      await world.start()
      const line = await awaited(world)
      const kit = await world.workspace.open(options)
      await grep(kit)
      expect(await line.ask<ResidentStatus>('status', {}, SOON)).toMatchObject({ clients: 2 })
      await kit.close()
    },
  )

  it('hides by its own rules what the process knows', async () => {
    const world = worlds.make(FILES)
    await world.start()
    await awaited(world)
    world.workspace.write(
      'toolwright.json',
      JSON.stringify({ policy: { rules: [{ action: 'read', path: 'secret.txt', verdict: 'deny' }] } }),
    )
    const [one, other] = [await world.workspace.open(), await world.workspace.open({ resident: 'off' })]
    const found = await grep(one)
    expect(found).toBe(await grep(other))
    expect(found).not.toContain('secret')
    world.workspace.write('secret.txt', 'another needle\n')
    expect(await grep(one, 'another')).toBe(await grep(other, 'another'))
    expect(await grep(one, 'another needle')).not.toContain('secret.txt')
    await Promise.all([one.close(), other.close()])
  })

  it('sees what it stages, and what it wrote a moment ago', async () => {
    const world = worlds.make(FILES)
    await world.start()
    await awaited(world)
    const kit = await world.workspace.open({ permissions: ['fs:write:**'], transaction: 'one' })
    const other = await world.workspace.open({ permissions: ['fs:write:**'] })
    await write(kit, 'new.txt', 'staged haystack\n')
    expect(await grep(kit, 'haystack')).toContain('staged haystack')
    expect(await grep(other, 'haystack')).not.toContain('staged')
    for (let turn = 0; turn < 20; turn++) {
      await write(other, `new-${turn}.txt`, `written ${turn}\n`)
      expect(await grep(other, 'written')).toContain(`written ${turn}`)
    }
    await Promise.all([kit.close(), other.close()])
  })
})
