import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openResident, type Resident } from '../../src/service/open-resident.ts'
import type { ResidentStatus } from '../../src/service/status.ts'
import { openRoot, type Root } from '../../src/machine/workspace/root.ts'
import { SOON, useWorlds, type World } from './rig.ts'
import { anyFind, anyGrep, FILES, hiding, searchOf, stagingIn, type Sight } from './searches.ts'

const LONG = process.env['TOOLWRIGHT_LONG'] === '1'

const worlds = useWorlds(afterAll)
let world: World
let root: Root
let resident: Resident

beforeAll(async () => {
  world = worlds.make(FILES)
  mkdirSync(join(world.workspace.path, 'empty'))
  writeFileSync(join(world.workspace.path, 'binary.bin'), Buffer.from('needle\0needle\n'))
  root = openRoot(world.workspace.path)
  const line = await world.start()
  while (!isCurrent(await line.ask<ResidentStatus>('status', {}, SOON))) await pause(20)
  line.close()
  resident = openResident({ ...world.options(), use: 'use' })
})
afterAll(() => {
  resident.close()
  root.close()
})

const isCurrent = ({ parts }: ResidentStatus): boolean =>
  parts.length > 0 && parts.filter(part => part.name === 'search').every(part => part.state === 'current')

const write = (path: string, text: string): void => writeFileSync(join(world.workspace.path, path), text)

/** Without what may and should be another. */
const compared = ({ freshness: _freshness, ...answer }: { readonly freshness: object }): object => answer

/** As many as were asked; the rest were answered by scan, and could not be told apart. */
async function compareMany(runs: number, sight: Sight): Promise<number> {
  let fromIndex = 0
  const note = (freshness: { readonly source: string }): void => void (freshness.source === 'index' && fromIndex++)
  await fc.assert(
    fc.asyncProperty(anyGrep, anyFind, async (grep, { directory, glob, options }) => {
      const [ours, theirs] = [searchOf(root, resident, sight), searchOf(root, undefined, sight)]
      const grepped = await ours.grep(grep)
      expect(compared(grepped)).toEqual(compared(await theirs.grep(grep)))
      note(grepped.freshness)
      const found = await ours.find(directory, glob, options)
      expect(compared(found)).toEqual(compared(await theirs.find(directory, glob, options)))
      note(found.freshness)
    }),
    { numRuns: runs },
  )
  return fromIndex
}

describe('a search by the process', () => {
  const runs = LONG ? 3000 : 15

  it('answers as a scan does', async () => {
    expect(await compareMany(runs, {})).toBeGreaterThan(runs / 2)
  })

  it('answers as a scan does where rules hide files, and counts them', async () => {
    const sight = hiding('**/secret.*', '.github/**')
    expect(await compareMany(runs, sight)).toBeGreaterThan(runs / 2)
    const found = await searchOf(root, resident, sight).grep({
      patterns: ['needle'],
      maxResults: 100,
      timeoutMs: 60_000,
    })
    expect(found).toMatchObject({ filesHidden: 3, freshness: { source: 'index' } })
    expect(JSON.stringify(found)).not.toContain('secret.')
    for (const glob of ['**/s*', '**/zz*'])
      expect(await searchOf(root, resident, sight).find('.', glob, { maxResults: 1, maxDepth: 1 })).toMatchObject({
        filesHidden: 3,
        freshness: { source: 'index' },
      })
  })

  it('answers as a scan does where changes are staged', async () => {
    const { staging, workspace } = stagingIn(root)
    workspace.put('src/a.ts', Buffer.from('staged needle\n'))
    workspace.put('src/new.ts', Buffer.from('import needle alpha\n'))
    workspace.remove('docs/one.md')
    workspace.move('src/deep/b.ts', 'moved/b.ts')
    expect(await compareMany(runs, { staging })).toBeGreaterThan(runs / 2)
    expect(await compareMany(runs, { staging, ...hiding('src/new.ts', '**/secret.*') })).toBeGreaterThan(runs / 2)
  })

  it('is never behind a write that was made right before', async () => {
    const search = searchOf(root, resident)
    const turns = LONG ? 10_000 : 300
    let fromIndex = 0
    for (let turn = 0; turn < turns; turn++) {
      const path = `src/turn-${turn % 7}.ts`
      const needle = `turn${turn}end`
      const way = turn % 4
      if (way === 0) write(path, `${needle}\n`)
      else if (way === 1) appendFileSync(join(world.workspace.path, path), `${needle}\n`)
      else if (way === 2) {
        write(`${path}.tmp`, `${needle}\n`)
        renameSync(join(world.workspace.path, `${path}.tmp`), join(world.workspace.path, path))
      } else {
        mkdirSync(join(world.workspace.path, `made/${turn}/deep`), { recursive: true })
        write(`made/${turn}/deep/file.ts`, `${needle}\n`)
      }
      const { total, freshness } = await search.grep({ patterns: [needle], maxResults: 10, timeoutMs: 60_000 })
      expect([needle, total]).toEqual([needle, 1])
      if (freshness.source === 'index') fromIndex++
      if (way === 3) rmSync(join(world.workspace.path, `made/${turn}`), { recursive: true })
    }
    expect(fromIndex).toBeGreaterThan(LONG ? 9000 : 250)
  })

  it('goes on by scan when the process is killed, and by the next process after that', async () => {
    const search = searchOf(root, resident)
    const grep = { patterns: ['needle'], maxResults: 100, timeoutMs: 50_000 }
    const before = await search.grep(grep)
    expect(before.freshness).toEqual({ source: 'index', checked: 'watch' })
    const line = await resident.reach()
    const asked = Array.from({ length: 20 }, () => search.grep(grep))
    process.kill(line?.pid ?? 0, 'SIGKILL')
    for (const answer of await Promise.all(asked)) expect(compared(answer)).toEqual(compared(before))
    expect((await search.grep(grep)).freshness).toEqual({ source: 'scan' })
    const next = await world.start()
    while (!isCurrent(await next.ask<ResidentStatus>('status', {}, SOON))) await pause(20)
    // On a busy machine the next process may not answer the first question in time.
    await expect.poll(async () => (await search.grep(grep)).freshness.source).toBe('index')
  })
})
