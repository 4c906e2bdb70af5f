import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { compileGlob } from '../../src/guards/glob.ts'
import { readsBelow } from '../../src/kernel/claim.ts'
import { isSecretFile } from '../../src/kernel/secret-files.ts'
import { searchStore } from '../../src/service/search-store.ts'
import { isPlain } from '../../src/knowledge/search/index/is-plain.ts'
import { openSearch } from '../../src/knowledge/search/open-search.ts'
import { imageFile } from '../../src/knowledge/search/stored/stored-place.ts'
import { storedSearch } from '../../src/knowledge/search/stored/stored-search.ts'
import type { GrepOptions } from '../../src/knowledge/search/types.ts'
import { userPlaces } from '../../src/knowledge/tree/ignore/user-places.ts'
import { denyPlaces } from '../../src/machine/state/denied-places.ts'
import { openRoot, type Root } from '../../src/machine/workspace/root.ts'
import { createStaging } from '../../src/machine/workspace/staging.ts'
import { startBuilt } from './beside-scan.ts'
import { gone, useWorlds, type World } from './rig.ts'
import { anyGrep, FILES, hiding, searchOf, stagingIn, type Sight } from './searches.ts'

const OWN_FILES = { ...FILES, '.github/workflow.yml': 'on: nothing\nalpha\n', '.env': 'needle=secret\n' }
const NEEDLE = { patterns: ['needle'], maxResults: 100, timeoutMs: 30_000 }
const BY_STAT = { source: 'index', checked: 'stat' }

const worlds = useWorlds(afterAll)
const roots: Root[] = []
afterAll(() => {
  for (const root of roots) root.close()
})

/** A workspace whose process has stored its search and ended. */
async function afterProcess(files: Readonly<Record<string, string>>, signal: NodeJS.Signals = 'SIGTERM') {
  const world = worlds.make(files)
  mkdirSync(join(world.workspace.path, '.git'))
  mkdirSync(join(world.workspace.path, 'empty'))
  await pause(100)
  const pid = await startBuilt(world)
  const image = imageFile(searchStore(world.state.path))
  if (signal === 'SIGKILL') while (!existsSync(image)) await pause(10)
  process.kill(pid, signal)
  expect(await gone(pid)).toBe(true)
  const root = openRoot(world.workspace.path)
  roots.push(root)
  return { world, root }
}

const search = ({ world, root }: { readonly world: World; readonly root: Root }, sight: Sight = {}) =>
  openSearch({
    root,
    staging: sight.staging ?? createStaging(),
    claims: readsBelow('.'),
    mayRead: sight.mayRead ?? (() => true),
    mayList: () => true,
    secretFiles: sight.secretFiles ?? 'open',
    hides: sight.hides,
    compileGlob,
    user: userPlaces(world.workspace.env),
    reference: () => Buffer.alloc(0),
    stored: async options => {
      const place = searchStore(world.state.path)
      const rules = { user: userPlaces(world.workspace.env), compileGlob, isForeign: () => false }
      return storedSearch({ ...rules, root, place }, options)
    },
  })

describe('a search without a process', () => {
  let place: Awaited<ReturnType<typeof afterProcess>>
  beforeAll(async () => {
    place = await afterProcess(OWN_FILES)
  }, 60_000)
  const write = (path: string, text: string): void => writeFileSync(join(place.root.path, path), text)
  const remove = (path: string): void => rmSync(join(place.root.path, path), { force: true })
  afterEach(() => {
    for (const path of ['src/new.ts', 'docs/.env', 'zz.md']) remove(path)
    write('src/a.ts', OWN_FILES['src/a.ts'])
  })

  /** Reports whether it was answered by what is stored; as a scan answers in any case. */
  async function isStored(options: GrepOptions, sight: Sight = {}): Promise<boolean> {
    const { freshness, ...ours } = await search(place, sight).grep(options)
    const { freshness: _, ...theirs } = await searchOf(place.root, undefined, sight).grep(options)
    expect([options, ours]).toEqual([options, theirs])
    if (freshness.source === 'index') expect(freshness).toEqual(BY_STAT)
    return freshness.source === 'index'
  }

  async function expectSame(runs: number, sight: Sight = {}): Promise<void> {
    let [plain, stored] = [0, 0]
    const property = fc.asyncProperty(anyGrep, async options => {
      if (isPlain(options)) plain++
      if (await isStored(options, sight)) stored++
    })
    await fc.assert(property, { numRuns: runs })
    // The others, and those in directories without a file, are scanned.
    expect(stored).toBeGreaterThan(plain / 3)
  }

  it('answers any question like a scan', async () => {
    await expectSame(60)
  })

  it('answers any question after changes', async () => {
    write('src/new.ts', 'import needle\nalpha beta\n')
    write('src/a.ts', 'gamma delta\nneedle at the end')
    write('docs/.env', 'alpha=needle\n')
    await expectSame(40)
  })

  it('knows of staged changes', async () => {
    const { staging, workspace } = stagingIn(place.root)
    workspace.put('src/staged.ts', Buffer.from('needle staged\n'))
    workspace.put('src/a.ts', Buffer.from('a staged needle\n'))
    workspace.remove('docs/one.md')
    write('src/new.ts', 'needle on disk\n')
    expect(await isStored(NEEDLE, { staging })).toBe(true)
    await expectSame(30, { staging })
  })

  it('neither finds nor counts what rules hide', async () => {
    write('docs/.env', 'needle=another\n')
    write('zz.md', 'needle in a hidden file\n')
    const rule = hiding('**/secret.*', 'zz.md')
    expect(await isStored(NEEDLE, rule)).toBe(true)
    const closed: Sight = { mayRead: path => !isSecretFile(path), secretFiles: 'closed' }
    expect(await isStored(NEEDLE, closed)).toBe(true)
    const some: Sight = { mayRead: path => !isSecretFile(path) || path === '.env', secretFiles: 'some' }
    expect(await isStored(NEEDLE, some)).toBe(true)
    const both: Sight = { ...closed, ...rule, mayRead: path => rule.mayRead(path) && !isSecretFile(path) }
    const { matches } = await search(place, both).grep(NEEDLE)
    expect(matches.map(({ path }) => path)).toEqual(['.hidden.ts', 'docs/one.md', 'src/deep/b.ts'])
    await expectSame(30, both)
  })
})

describe('a command without a process', () => {
  const COMMAND = { isBrief: true, resident: 'servers' } as const

  it('answers from what a process left, whether it ended or was killed', async () => {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const { world } = await afterProcess(OWN_FILES, signal)
      const kit = await world.workspace.open(COMMAND)
      const grep = async () => Object(await kit.call('grep', { pattern: 'needle' })).data
      const before = await grep()
      expect([signal, before.freshness]).toEqual([signal, BY_STAT])
      expect(before.lines).toBe(5)
      world.workspace.write('src/deep/new.ts', 'needle\n')
      expect(await grep()).toMatchObject({ lines: 6, freshness: BY_STAT })
    }
  })

  it('scans where answers must be the same again, and where nothing is stored', async () => {
    const { world } = await afterProcess(OWN_FILES)
    const scanned = { lines: 5, freshness: { source: 'scan' } }
    const again = await world.workspace.open({ ...COMMAND, deterministic: true })
    expect(Object(await again.call('grep', { pattern: 'needle' })).data).toMatchObject(scanned)
    const staying = await world.workspace.open({ resident: 'off' })
    expect(Object(await staying.call('grep', { pattern: 'needle' })).data).toMatchObject(scanned)
    denyPlaces(world.state.path, ['docs/**'])
    const denied = await world.workspace.open(COMMAND)
    expect(Object(await denied.call('grep', { pattern: 'needle' })).data).toMatchObject(scanned)
  })

  it('leaves no text of denied files behind', async () => {
    const world = worlds.make({ ...OWN_FILES, 'denied/a.txt': 'a needle that no index may store\n' })
    denyPlaces(world.state.path, ['denied/**'])
    await pause(100)
    const pid = await startBuilt(world)
    process.kill(pid, 'SIGTERM')
    expect(await gone(pid)).toBe(true)
    const kit = await world.workspace.open(COMMAND)
    expect(Object(await kit.call('grep', { pattern: 'no index may store' })).data).toMatchObject({
      lines: 1,
      freshness: BY_STAT,
    })
    const { directory } = searchStore(world.state.path)
    const stored = readdirSync(directory).map(name => readFileSync(join(directory, name), 'latin1'))
    expect(stored.join('')).toContain('gamma  delta')
    expect(stored.join('')).not.toContain('no index may store')
  })
})
