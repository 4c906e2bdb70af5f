import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { verifyJournal } from '../../src/machine/journal/verify.ts'
import { collectGarbage } from '../../src/machine/upkeep/gc.ts'
import { stateSize } from '../../src/machine/upkeep/state-size.ts'
import { pruneWorkspace } from '../../src/machine/upkeep/prune-workspace.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { fastDirectory } from '../memory-directory.ts'

const long = process.env['TOOLWRIGHT_LONG'] === '1'
const [COMMITS, BYTES] = long ? [10_000, 1_000_000] : [48, 100_000]
/** The unit of bounds and files alike. */
const UNIT = long ? 200_000 : 100_000

let workspace: TemporaryWorkspace
beforeEach(() => {
  vi.stubEnv('TMPDIR', fastDirectory)
  workspace = temporaryWorkspace()
})
afterEach(async () => {
  await workspace.remove()
  vi.unstubAllEnvs()
})

const bound = (maxBytes: number) => {
  mkdirSync(join(workspace.base, 'config'), { recursive: true })
  writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify({ state: { maxBytes } }))
}
const size = () => {
  const { bytes, workspaces } = stateSize(join(workspace.base, 'state'))
  return { bytes, payloads: workspaces[0]?.payloads ?? 0, commits: workspaces[0]?.commits ?? 0 }
}
/** Text that cannot be compressed much. */
const text = (bytes: number) => randomBytes((bytes / 4) * 3).toString('base64')

describe('the state directory', () => {
  it(`stays inside its bound over ${COMMITS} commits of a file of ${BYTES} bytes, and undo says what it can no longer reach`, async () => {
    const maxBytes = 16 * BYTES
    bound(maxBytes)
    const kit = await workspace.open({ permissions: ['fs:write'] })
    const ids: string[] = []
    let most = 0
    for (let i = 0; i < COMMITS; i++) {
      const { outcome } = await kit.run('write', { path: 'big.txt', content: `${i}\n${text(BYTES)}` })
      expect(outcome).toMatchObject({ ok: true })
      ids.push(outcome.meta.undo ?? '')
      if (i % 8 === 7) most = Math.max(most, size().bytes)
    }
    expect(most).toBeLessThanOrEqual(maxBytes)
    expect(most).toBeGreaterThan(maxBytes / 2)

    const reachable = kit.commits().map(({ id }) => id)
    expect(reachable.length).toBeGreaterThanOrEqual(5)
    expect(reachable).toEqual(ids.slice(-reachable.length).toReversed())
    const { outcome } = await kit.run('undo', { id: ids.at(-reachable.length - 1) ?? '' })
    expect(outcome).toMatchObject({
      ok: false,
      error: {
        code: 'not_found',
        message: expect.stringContaining('can no longer be undone: what it replaced was removed'),
      },
    })
    expect((await kit.run('undo', {})).outcome).toMatchObject({ ok: true })
    expect(verifyJournal(kit.state.journal, { headFile: kit.state.head })).toMatchObject({ ok: true, problems: [] })
  })

  it('stays inside its bound when it is payloads that grow, with every call a process of its own', async () => {
    bound(15 * UNIT)
    let most = 0
    for (let i = 0; i < (long ? 40 : 24); i++) {
      const kit = await workspace.open({ permissions: ['fs:write'] })
      const read = await kit.run('read', { path: 'big.txt' })
      const expected = read.outcome.ok ? String(Reflect.get(Object(read.outcome.data), 'hash')) : 'absent'
      const write = { path: 'big.txt', content: text(UNIT), expect: expected }
      expect((await kit.run('write', write)).outcome).toMatchObject({ ok: true })
      await kit.close()
      most = Math.max(most, size().bytes)
    }
    expect(most).toBeLessThanOrEqual(15 * UNIT)
    const { commits, payloads } = size()
    expect(commits).toBeGreaterThan(3 * UNIT)
    expect(payloads).toBeGreaterThan(3 * UNIT)
  })

  it('stays inside its bound when it is the journal that grows', async () => {
    bound(1_000_000)
    const kit = await workspace.open()
    for (let i = 0; i < (long ? 300 : 200); i++) await kit.run('read', { path: text(9_000) })
    expect(size().bytes).toBeLessThanOrEqual(1_000_000)
    const verified = verifyJournal(kit.state.journal, { headFile: kit.state.head })
    expect(verified).toMatchObject({ ok: true, problems: [] })
    expect(verified.first).toBeGreaterThan(1)
  })

  it('is bounded beside a transaction that takes more than the bound itself', async () => {
    bound(25 * UNIT)
    const kit = await workspace.open({ permissions: ['fs:write'] })
    const staging = kit.session({ permissions: ['fs:write'], transaction: 'open' })
    for (let i = 0; i < 12; i++)
      expect((await staging.run('write', { path: `${i}.txt`, content: text(3 * UNIT) })).outcome.ok).toBe(true)
    for (let i = 0; i < (long ? 30 : 20); i++) await kit.run('write', { path: 'big.txt', content: text(2 * UNIT) })
    const { bytes, commits, payloads } = size()
    expect(bytes - 12 * 3 * UNIT).toBeLessThanOrEqual(25 * UNIT)
    expect(commits).toBeGreaterThan(2 * UNIT)
    expect(payloads).toBeGreaterThan(2 * UNIT)
    expect((await staging.run('stage', { action: 'commit' })).outcome).toMatchObject({ ok: true })
  })
})

describe('toolwright gc', () => {
  it('takes from payloads before it takes from undo more than its share', async () => {
    const kit = await workspace.open({ permissions: ['fs:write'] })
    for (let i = 0; i < 4; i++) await kit.run('write', { path: 'a.txt', content: text(200_000) })
    for (let i = 0; i < 10; i++) {
      kit.workspace.payloads.put(text(600_000))
    }
    const before = size()
    expect(before.payloads).toBeGreaterThan(3_000_000)
    const home = join(workspace.base, 'state')
    collectGarbage(home, { now: Date.now(), maxBytes: 2_000_000, pruneCommits: pruneWorkspace })
    const after = size()
    expect(after.bytes).toBeLessThanOrEqual(2_000_000)
    expect(after.commits).toBe(before.commits)
  })
})
