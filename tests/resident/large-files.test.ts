import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GrepOptions } from '../../src/knowledge/search/types.ts'
import { besideScan, startBuilt, type BesideScan } from './beside-scan.ts'
import { useWorlds } from './rig.ts'

const worlds = useWorlds(afterAll)
let beside: BesideScan
const at = (path: string): string => join(beside.world.workspace.path, path)
const large = (lines: number): string => 'one line of a log that grows\n'.repeat(lines)

beforeAll(async () => {
  const world = worlds.make({
    '.gitignore': 'ignored/\n',
    'a.txt': 'needle\n',
    'logs/big [1].log': large(350_000),
    'z/small.txt': 'needle\n',
  })
  beside = besideScan(world)
  await startBuilt(world)
})
afterAll(() => beside.close())

const QUESTIONS: readonly (Partial<GrepOptions> & Pick<GrepOptions, 'patterns'>)[] = [
  { patterns: ['needle'] },
  { patterns: ['needle \\d+$'], regex: true, before: 1, after: 1 },
  { patterns: ['NEEDLE'], ignoreCase: true, only: 'files' },
  { patterns: ['needle'], only: 'counts' },
  { patterns: ['needle'], maxResults: 2, skip: 1 },
  { patterns: ['needle'], globs: ['*.txt'] },
  { patterns: ['needle'], globs: ['!logs/**'] },
  { patterns: ['needle'], directory: 'logs' },
  { patterns: ['needle'], directory: 'z' },
  { patterns: ['one line of'], maxResults: 3 },
  { patterns: ['nowhere at all'] },
  { patterns: ['needle'], strict: true },
]

describe('a large file that was changed a moment ago', () => {
  it('is in every answer, and the rest still comes from the index', async () => {
    for (const [round, options] of QUESTIONS.entries()) {
      const sources: string[] = []
      for (let again = 0; again < 20 && !sources.includes('index'); again++) {
        appendFileSync(at('logs/big [1].log'), `needle ${round}\n`)
        sources.push((await beside.grepSame(options)).source)
      }
      expect([options, sources]).toEqual([options, expect.arrayContaining(['index'])])
    }
  }, 60_000)

  it('is searched where it came, moved, shrank or went, and beside others', async () => {
    const ask = async () => expect((await beside.grepSame({ patterns: ['needle'] })).source).toMatch(/^(index|scan)$/)
    writeFileSync(at('another.log'), `${large(100_000)}needle in another\n`)
    await ask()
    renameSync(at('another.log'), at('z/moved.log'))
    await ask()
    writeFileSync(at('z/moved.log'), 'needle alone\n')
    await ask()
    appendFileSync(at('logs/big [1].log'), 'needle\n')
    rmSync(at('logs'), { recursive: true })
    await ask()
    mkdirSync(at('ignored'))
    for (const name of ['ignored/1', '2', '3', '4', '5', '6', '7'])
      writeFileSync(at(`${name}.log`), `${large(100_000)}needle of ${name}\n`)
    for (let round = 0; round < 3; round++) await ask()
  }, 60_000)

  it('is taken into the index once it stays as it is', async () => {
    writeFileSync(at('last.log'), `${large(100_000)}needle at last\n`)
    expect((await beside.grepSame({ patterns: ['at last'] })).source).toMatch(/^(index|scan)$/)
    await startBuilt(beside.world)
    await beside.grepSame({ patterns: ['at last'] })
  }, 60_000)
})
