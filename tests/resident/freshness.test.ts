import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Operation } from './another-process.ts'
import { besideScan, startBuilt, type BesideScan } from './beside-scan.ts'
import { useWorlds } from './rig.ts'

const LONG = process.env['TOOLWRIGHT_LONG'] === '1'
const BY_WATCH = { source: 'index', checked: 'watch' }
/** On a machine with too much to do an answer may come from a scan, and be as right. */
const RIGHT = [BY_WATCH, { source: 'scan' }]
const BY_STAT = { source: 'index', checked: 'stat' }
/**
 * The part of the answers that must come from the index. A client is not told why one came from a scan, so that
 * fallbacks cannot be counted by their reason; with twelve busy processes for each processor none came.
 */
const FROM_INDEX = 0.8

const worlds = useWorlds(afterAll)
const open: BesideScan[] = []
let beside: BesideScan

async function start(files: Readonly<Record<string, string>>, isBuilt = true): Promise<BesideScan> {
  const world = worlds.make(files)
  const made = besideScan(world)
  open.push(made)
  if (isBuilt) await startBuilt(world)
  return made
}

beforeAll(async () => {
  beside = await start({ 'a.txt': 'needle\n', 'src/b.ts': 'export const needle = 1\n', '.git/HEAD': '' })
})
afterAll(() => {
  for (const one of open) one.close()
})

const at = (path: string): string => join(beside.world.workspace.path, path)

async function countOf(needle: string, strict = false) {
  const found = await beside.search.grep({ patterns: [needle], maxResults: 10, timeoutMs: 30_000, strict })
  return { total: found.total, freshness: found.freshness }
}

describe('no search is stale', () => {
  it('right after a write by a tool', { timeout: 3_600_000 }, async () => {
    const kit = await beside.world.workspace.open({ permissions: ['fs:write:**'] })
    const sources: string[] = []
    for (let turn = 0; turn < (LONG ? 10_000 : 60); turn++) {
      const needle = `tool${turn}end`
      const wrote = await kit.run('write', { path: `src/tool-${turn % 9}.ts`, content: `${needle}\n` })
      expect(wrote.outcome.ok).toBe(true)
      const { outcome } = await kit.run('grep', { pattern: needle })
      if (!outcome.ok) throw outcome.error
      expect(outcome.data).toMatchObject({ total: 1, matches: [{ path: `src/tool-${turn % 9}.ts`, text: needle }] })
      sources.push(JSON.stringify(Object(outcome.data).freshness))
    }
    await kit.close()
    const fromIndex = sources.filter(source => source === JSON.stringify(BY_WATCH)).length
    expect(fromIndex).toBeGreaterThan(sources.length * FROM_INDEX)
  })

  it.each([
    { strict: true, freshness: BY_STAT },
    { strict: false, freshness: BY_WATCH },
  ])('right after a write by another process, %j', { timeout: 3_600_000 }, async ({ strict, freshness }) => {
    const turns = LONG ? 1_000 : 42
    let fromIndex = 0
    for (let turn = 0; turn < turns; turn++) {
      const path = `src/other-${turn % 7}.ts`
      const needle = `other${strict ? 's' : 'w'}${String(turn).padStart(4, '0')}`
      const ways: Operation[][] = [
        [['writeFileSync', path, `${needle}\n`]],
        [
          ['writeFileSync', `${path}~`, `${needle}\n`],
          ['renameSync', `${path}~`, path],
        ],
        [
          ['mkdirSync', `made-${turn}/deep/er`, { recursive: true }],
          ['writeFileSync', `made-${turn}/deep/er/f`, `${needle}\n`],
        ],
      ]
      await beside.other.change(ways[turn % ways.length] ?? [])
      const found = await countOf(needle, strict)
      expect([needle, found.total]).toEqual([needle, 1])
      expect([freshness, { source: 'scan' }]).toContainEqual(found.freshness)
      if (found.freshness.source === 'index') fromIndex++
    }
    expect(fromIndex).toBeGreaterThan(turns * FROM_INDEX)
  })

  it.each([
    { strict: true, freshness: BY_STAT },
    { strict: false, freshness: BY_WATCH },
  ])('by name, right after another process made, moved and removed files, %j', async ({ strict, freshness }) => {
    const said: unknown[] = []
    const found = async (): Promise<readonly string[]> => {
      const answer = await beside.search.find('.', '**/named-*', { maxResults: 100, maxDepth: 20, strict })
      expect([freshness, { source: 'scan' }]).toContainEqual(answer.freshness)
      said.push(answer.freshness)
      return answer.files
    }
    for (let turn = 0; turn < (LONG ? 20 : 8); turn++) {
      await beside.other.change([
        ['mkdirSync', `names/${turn}`, { recursive: true }],
        ['writeFileSync', `names/${turn}/named-${turn}`, ''],
      ])
      expect(await found()).toEqual([`names/${turn}/named-${turn}`])
      await beside.other.change([['renameSync', `names/${turn}`, `names/moved-${turn}`]])
      expect(await found()).toEqual([`names/moved-${turn}/named-${turn}`])
      await beside.other.change([['rmSync', `names/moved-${turn}`, { recursive: true }]])
      expect(await found()).toEqual([])
    }
    expect(said).toContainEqual(freshness)
  })

  it.each([true, false])('after a replacement of the same size and times, strict: %j', async strict => {
    const time = new Date(Date.now() - 3_600_000)
    for (let turn = 0; turn < (LONG ? 50 : 20); turn++) {
      const [before, now] = [`same${turn % 10}`, `same${(turn + 1) % 10}`]
      writeFileSync(at('same.txt'), `${before}\n`)
      utimesSync(at('same.txt'), time, time)
      expect((await countOf(before, strict)).total).toBe(1)
      const { size, mtimeMs } = statSync(at('same.txt'))
      if (turn % 2 === 0) writeFileSync(at('same.txt'), `${now}\n`)
      else {
        writeFileSync(at('same.txt~'), `${now}\n`)
        renameSync(at('same.txt~'), at('same.txt'))
      }
      utimesSync(at('same.txt'), time, time)
      expect(statSync(at('same.txt'))).toMatchObject({ size, mtimeMs })
      expect([turn, (await countOf(now, strict)).total, (await countOf(before, strict)).total]).toEqual([turn, 1, 0])
    }
  })

  it('after a directory was made and filled at once, renamed, replaced and removed', async () => {
    for (let turn = 0; turn < (LONG ? 10 : 5); turn++) {
      mkdirSync(at('p/q/r'), { recursive: true })
      writeFileSync(at('p/q/r/file.ts'), `deep ${turn}\n`)
      expect(RIGHT).toContainEqual(await beside.grepSame({ patterns: [`deep ${turn}`] }))
      renameSync(at('p'), at('moved'))
      expect(RIGHT).toContainEqual(await beside.grepSame({ patterns: [`deep ${turn}`] }))
      expect(RIGHT).toContainEqual(await beside.findSame())
      writeFileSync(at('moved/q/r/file.ts'), `after ${turn}\n`)
      expect(RIGHT).toContainEqual(await beside.grepSame({ patterns: ['after', 'deep'] }))
      rmSync(at('moved'), { recursive: true })
      expect(RIGHT).toContainEqual(await beside.findSame())
    }
  })

  it('after an ignore file came, changed, moved and went', async () => {
    for (const path of ['lib/one.log', 'lib/two.ts', 'lib/deep/one.log', 'lib/deep/two.ts'])
      beside.world.workspace.write(path, 'ignored?\n')
    const steps: (() => void)[] = [
      () => writeFileSync(at('.gitignore'), '*.log\n'),
      () => writeFileSync(at('lib/.gitignore'), '!one.log\ndeep\n'),
      () => writeFileSync(at('lib/deep/.ignore'), '*\n'),
      () => writeFileSync(at('lib/.gitignore'), 'two.ts\n'),
      () => renameSync(at('lib/.gitignore'), at('lib/deep/.gitignore')),
      () => rmSync(at('lib/deep/.ignore')),
      () => renameSync(at('lib/deep'), at('lib/other')),
      () => rmSync(at('.gitignore')),
      () => rmSync(at('lib/other/.gitignore')),
    ]
    const totals: number[] = []
    for (const step of steps) {
      step()
      expect(RIGHT).toContainEqual(await beside.findSame())
      expect(RIGHT).toContainEqual(await beside.grepSame({ patterns: ['ignored?'] }))
      totals.push((await countOf('ignored?')).total)
    }
    expect(totals).toEqual([2, 2, 2, 0, 1, 1, 1, 3, 4])
  })

  it('after edits during the first build', { timeout: 120_000 }, async () => {
    const count = LONG ? 5_000 : 800
    const files = Array.from({ length: count }, (_, file) => [`d${file % 40}/f${file}.ts`, `first build ${file}\n`])
    const built = await start(Object.fromEntries(files), false)
    await built.other.change([])
    const building = { isOver: false }
    const started = startBuilt(built.world).finally(() => (building.isOver = true))
    const freshness = new Set<string>()
    for (let turn = 0; !building.isOver || turn < 20; turn++) {
      const file = turn % 400
      await built.other.change([
        ['writeFileSync', `d${file % 40}/f${file}.ts`, `edited ${turn} end\n`],
        ['renameSync', `d${(file + 1) % 40}/f${file + 401}.ts`, `d${file % 40}/moved${turn}.ts`],
        ['mkdirSync', `n${turn}/m`, { recursive: true }],
        ['writeFileSync', `n${turn}/m/new.ts`, `new ${turn} end\n`],
      ])
      const found = await built.search.grep({
        patterns: [`edited ${turn} end`, `new ${turn} end`],
        maxResults: 10,
        timeoutMs: 30_000,
      })
      expect([turn, found.matches.map(({ path }) => path)]).toEqual([
        turn,
        [`d${file % 40}/f${file}.ts`, `n${turn}/m/new.ts`],
      ])
      freshness.add(found.freshness.source)
    }
    await started
    expect(freshness.has('scan')).toBe(true)
    await built.findSame()
    await built.grepSame({ patterns: ['build', 'edited', 'new'] })
    expect(RIGHT).toContainEqual(await built.grepSame({ patterns: ['first build 799'] }))
  })

  it('in two workspaces side by side', async () => {
    const second = await start({ 'b.txt': 'needle\n' })
    for (let turn = 0; turn < (LONG ? 20 : 8); turn++) {
      writeFileSync(at('side.txt'), `one ${turn}\n`)
      second.world.workspace.write('side.txt', `two ${turn}\n`)
      for (const each of [beside, second]) {
        expect(RIGHT).toContainEqual(await each.grepSame({ patterns: [`one ${turn}`, `two ${turn}`] }))
        expect(RIGHT).toContainEqual(await each.findSame())
      }
    }
  })
})
