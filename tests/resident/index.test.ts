import { setTimeout as pause } from 'node:timers/promises'
import { join } from 'node:path'
import { renameSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ownIndex, type IndexSource } from '../../src/knowledge/index/index-source.ts'
import { openIndex } from '../../src/knowledge/index/open-index.ts'
import type { IndexEngine, IndexQuery } from '../../src/knowledge/index/types.ts'
import { openResident, type Resident } from '../../src/service/open-resident.ts'
import type { ResidentStatus } from '../../src/service/status.ts'
import { reachedIndex } from '../../src/service/reached-index.ts'
import { openRoot, type Root } from '../../src/machine/workspace/root.ts'
import { createStaging } from '../../src/machine/workspace/staging.ts'
import { gone, SOON, useWorlds, type World } from './rig.ts'
import { hiding, stagingIn, type Sight } from './searches.ts'

const FILES = {
  'src/a.ts': 'export const alpha = 1\nexport * from "./b.ts"\n',
  'src/b.ts': 'export function beta() {}\n',
  'src/secret.ts': 'export const hush = 1\n',
  'src/a.test.ts': 'import { it } from "vitest"\nit("works", () => {})\n',
  'app/button.tsx': 'export const Button = () => <button/>\n',
  'README.md': 'hello\n',
  'package.json': '{ "name": "shop", "exports": "./src/b.ts" }\n',
  'app/index.ts': 'export * from "shop"\n',
}
const QUERIES: readonly IndexQuery[] = [
  { by: 'all' },
  { by: 'export', value: 'beta' },
  { by: 'export', value: 'hush' },
  { by: 'tag', value: 'typescript' },
  { by: 'prefix', value: 'src/' },
  { by: 'symbol', value: 'Button' },
]

const worlds = useWorlds(afterAll)
let world: World
let root: Root
let own: IndexSource
let behind: IndexSource
let resident: Resident
let shared: IndexSource

beforeAll(async () => {
  world = worlds.make(FILES)
  root = openRoot(world.workspace.path)
  own = ownIndex(root, { path: join(world.workspace.base, 'own') }, {})
  behind = ownIndex(root, { path: join(world.workspace.base, 'behind') }, {})
  resident = openResident({ ...world.options(), use: 'use' })
  shared = reachedIndex(resident, behind)
  const line = await world.start()
  while (!isCurrent(await line.ask<ResidentStatus>('status', {}, SOON))) await pause(20)
  line.close()
})
afterAll(async () => {
  resident.close()
  await Promise.all([own.close(), shared.close()])
  root.close()
})

const isCurrent = ({ parts }: ResidentStatus): boolean => parts.every(part => part.state === 'current')

const engine = (source: IndexSource, sight: Sight = {}): IndexEngine =>
  openIndex({
    root,
    source,
    staging: sight.staging ?? createStaging(),
    mayRead: sight.mayRead ?? (() => true),
    secretFiles: sight.secretFiles ?? 'open',
    hides: sight.hides,
    fixedTime: () => 0,
  })

async function compare(sight: Sight = {}): Promise<void> {
  const [ours, theirs] = [engine(shared, sight), engine(own, sight)]
  for (const query of QUERIES)
    expect([query, await ours.query(query, { limit: 3, skip: 1 })]).toEqual([
      query,
      await theirs.query(query, { limit: 3, skip: 1 }),
    ])
  for (const path of [...Object.keys(FILES), 'src/new.ts'])
    expect([path, await ours.facts(path).catch(String)]).toEqual([path, await theirs.facts(path).catch(String)])
  expect(await ours.status()).toEqual(await theirs.status())
}

describe('the index by the process', () => {
  it('answers as one of our own does', async () => {
    await compare()
    expect(behind.opened()).toBeUndefined()
  })

  it('answers so for a caller that may not read some files', async () => {
    await compare(hiding('**/secret.*'))
    await compare(hiding('app/**', 'src/b.ts'))
    const found = await engine(shared, hiding('**/secret.*')).query({ by: 'export', value: 'hush' }, { limit: 10 })
    expect(found).toMatchObject({ files: [], total: 0 })
  })

  it('answers so with changes that are staged', async () => {
    const { staging, workspace } = stagingIn(root)
    workspace.put('src/new.ts', Buffer.from('export const beta = 2\n'))
    workspace.put('src/b.ts', Buffer.from('export const gamma = 3\n'))
    workspace.remove('src/secret.ts')
    await compare({ staging })
    await compare({ staging, ...hiding('src/new.ts') })
    workspace.put('package.json', Buffer.from('{ "name": "shop", "exports": "./src/new.ts" }'))
    await compare({ staging })
    expect((await engine(shared, { staging }).facts('app/index.ts'))?.exports).toEqual(['beta'])
    await compare({ staging, ...hiding('package.json') })
    expect(behind.opened()).toBeUndefined()
  })

  it('knows what was written right before', async () => {
    for (let turn = 0; turn < 30; turn++) {
      world.workspace.write('src/turn.ts.tmp', `export const turn${turn} = 1\n`)
      renameSync(join(world.workspace.path, 'src/turn.ts.tmp'), join(world.workspace.path, 'src/turn.ts'))
      const { files } = await engine(shared).query({ by: 'export', value: `turn${turn}` }, { limit: 10 })
      expect(files.map(file => file.path)).toEqual(['src/turn.ts'])
    }
  })

  it('goes on with one of our own when the process is killed, and mixes up nothing that rules hide', async () => {
    const sight = hiding('**/secret.*')
    await compare(sight)
    const { pid } = (await resident.reach()) ?? { pid: 0 }
    process.kill(pid, 'SIGKILL')
    expect(await gone(pid)).toBe(true)
    world.workspace.write('src/secret.js', 'export const hush = 2\n')
    await compare(sight)
    expect(behind.opened()).toBeDefined()
    expect(await engine(shared, sight).query({ by: 'export', value: 'hush' }, { limit: 10 })).toMatchObject({
      files: [],
      total: 0,
    })
  })
})
