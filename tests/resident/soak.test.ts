import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Operation } from './another-process.ts'
import { besideScan, numbers, startBuilt, type BesideScan } from './beside-scan.ts'
import { useWorlds } from './rig.ts'

const ROUNDS = process.env['TOOLWRIGHT_LONG'] === '1' ? 200 : 15
const worlds = useWorlds(afterAll)
let beside: BesideScan

beforeAll(async () => {
  const world = worlds.make({ 'a.txt': 'alpha\n', 'src/b.txt': 'beta\n', '.git/HEAD': '' })
  beside = besideScan(world)
  await startBuilt(world)
})
afterAll(() => beside.close())

const NAMES = ['a', 'b', 'c.ts', 'd.log', '.e', 'src', 'lib', 'x y', 'é']
const TEXTS = ['alpha\n', 'beta\n', 'gamma\nalpha\n', 'alpha beta\r\n', 'alpha', '', 'one\0two\n', 'delta\n'.repeat(50)]
const RULES = ['*.log\n', 'lib/\n', '!d.log\n', '/a\n', '.e\nb\n', '']

/** Any operation on files and directories; many of them fail. */
function anything(pick: (below: number) => number): Operation[] {
  const one = <T>(from: readonly T[]): T => from[pick(from.length)] as T
  const somewhere = (): string => Array.from({ length: 1 + pick(4) }, () => one(NAMES)).join('/')
  const path = somewhere()
  const kind = pick(13)
  if (kind < 5) {
    const slash = path.lastIndexOf('/')
    const make: Operation[] = slash < 0 ? [] : [['mkdirSync', path.slice(0, slash), { recursive: true }]]
    return [...make, ['writeFileSync', path, one(TEXTS)]]
  }
  if (kind < 7) return [['appendFileSync', path, one(TEXTS)]]
  if (kind < 10) return [['renameSync', path, somewhere()]]
  if (kind === 10) return [['rmSync', path, { recursive: true, force: true }]]
  if (kind === 11) return [['mkdirSync', path, { recursive: true }]]
  return [['writeFileSync', `${one(['', 'src/'])}.${one(['git', ''])}ignore`, one(RULES)]]
}

describe('rounds of anything at all by another process', () => {
  it('leave find and grep equal to a fresh scan after each', { timeout: 3_600_000 }, async () => {
    const pick = numbers(20_261_115)
    let fromIndex = 0
    for (let round = 0; round < ROUNDS; round++) {
      const going = { isOver: false }
      const done = beside.other
        .change(Array.from({ length: 60 }, () => anything(pick)).flat())
        .finally(() => (going.isOver = true))
      // Questions in the middle must not confuse it.
      while (!going.isOver) await beside.search.grep({ patterns: ['alpha'], maxResults: 5, timeoutMs: 30_000 })
      await done
      const answers = [
        await beside.findSame(),
        await beside.grepSame({ patterns: ['alpha', 'beta'], strict: round % 10 === 9 }),
        await beside.grepSame({ patterns: ['a$'], regex: true, invert: true }),
      ]
      fromIndex += answers.filter(({ source }) => source === 'index').length
    }
    expect(fromIndex).toBeGreaterThan(ROUNDS * 2)
  })
})
