import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { stateSize } from '../../src/machine/upkeep/state-size.ts'
import { bytesBelow } from '../../src/machine/upkeep/workspaces.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'

const long = process.env['TOOLWRIGHT_LONG'] === '1'
const FILES = long ? 10_000 : 300
const GRAPHS = long ? 5 : 4
const UNDONE = long ? 100 : 40
/** Less than the caches take. */
const MAX_BYTES = long ? 60_000_000 : 12_000_000
const QUERY = 'MATCH (f:Function) RETURN count(f) AS functions'

let workspace: TemporaryWorkspace
const heads: string[] = []
beforeAll(() => {
  workspace = temporaryWorkspace()
  for (let i = 0; i < FILES; i++) workspace.write(`src/d${i % 50}/f${i}.ts`, fileOf(i))
  const git = (...args: string[]) => execFileSync('git', args, { cwd: workspace.path, encoding: 'utf8' }).trim()
  git('init', '-q')
  for (let i = 0; i < GRAPHS; i++) {
    workspace.write('src/changed.ts', `export function changed() {\n  return ${i}\n}\n`)
    git('add', '-A')
    git('-c', 'user.name=a', '-c', 'user.email=a@localhost', 'commit', '-q', '-m', `${i}`)
    heads.push(git('rev-parse', 'HEAD'))
  }
  mkdirSync(join(workspace.base, 'config'), { recursive: true })
  writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify({ state: { maxBytes: MAX_BYTES } }))
}, 600_000)
afterAll(() => workspace.remove())

it(`keeps the state within its bound over graphs of ${GRAPHS} commits of ${FILES} files, and undo of ${UNDONE} commits`, async () => {
  const kit = await workspace.open({ permissions: ['fs:write'], resident: 'start' })
  const ids: string[] = []
  let [made, most] = [0, 0]
  await kit.run('grep', { pattern: 'changed' })
  await expect.poll(() => bytesBelow(join(kit.state.path, 'search')), { timeout: 300_000 }).toBeGreaterThan(0)
  for (const [at, commit] of heads.entries()) {
    for (let i = (at * UNDONE) / GRAPHS; i < ((at + 1) * UNDONE) / GRAPHS; i++) {
      const { outcome } = await kit.run('write', {
        path: 'notes.txt',
        content: `${i}\n${noise(MAX_BYTES / UNDONE / 10)}`,
      })
      expect(outcome).toMatchObject({ ok: true })
      ids.push(outcome.meta.undo ?? '')
    }
    const before = caches()
    // What takes longer than one question has time goes on being made.
    await expect
      .poll(() => kit.run('graph', { query: QUERY, commit }), { timeout: 900_000 })
      .toMatchObject({
        outcome: { ok: true, data: { rows: [{ functions: FILES + 1 }] } },
      })
    made += Math.max(0, caches() - before)
    await kit.workspace.upkeep.settled()
    most = Math.max(most, size().bytes)
  }
  console.log(`${made} bytes of caches were made; the state took ${most} bytes of ${MAX_BYTES}, now ${size().bytes}`)
  expect(made).toBeGreaterThan(MAX_BYTES)
  expect(most).toBeLessThanOrEqual(MAX_BYTES)
  expect(kit.commits().map(({ id }) => id)).toEqual(ids.toReversed())
  for (const id of ids.toReversed()) expect((await kit.run('undo', { id })).outcome).toMatchObject({ ok: true })
})

const size = () => stateSize(join(workspace.base, 'state'))
const caches = (): number => size().workspaces[0]?.caches ?? 0
/** Text that cannot be compressed much. */
const noise = (bytes: number): string => randomBytes((bytes / 4) * 3).toString('base64')

const fileOf = (i: number): string =>
  `import { f${i > 0 ? i - 1 : 0} as before } from '../d${(i > 0 ? i - 1 : 0) % 50}/f${i > 0 ? i - 1 : 0}.ts'
export function f${i}(a: number): number {
  return a > ${i} ? a : before(a + 1)
}
`
