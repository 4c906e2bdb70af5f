// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest'
import type { ResidentStatus } from '../../src/service/status.ts'
import { resident as doctorSays } from '../../src/surfaces/cli/doctor-resident.ts'
import type { Toolkit } from '../../src/index.ts'
import { CLI } from '../cli-program.ts'
import { needs } from '../needs.ts'
import { replayed, taped, unequal } from '../replay/taped.ts'
import { gone, isAlive, SOON, useWorlds, type World } from './rig.ts'

const it = needs('bubblewrap')
/** One for those that do it no harm, and one each for those that do. */
const [shared, worlds] = [useWorlds(afterAll), useWorlds()]
const FILES = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: { strict: true, module: 'esnext', lib: ['es5'], types: [] },
    include: ['src'],
  }),
  'src/a.ts': 'export function target(a: number): number {\n  return a\n}\n',
  'src/b.ts': "import { target } from './a'\nexport const near = () => target(1)\n",
  'src/secret.ts': "import { target } from './a'\nexport const hidden = () => target(2)\n",
}
const DENY = { policy: { rules: [{ action: 'read', path: 'src/secret.ts', verdict: 'deny' }] } }

let stopped: number | undefined
afterEach(() => {
  // It could not even end by itself.
  if (stopped !== undefined) process.kill(stopped, 'SIGCONT')
  stopped = undefined
})

/** The process of a new workspace, and what it says of itself. */
async function begun(more: Parameters<World['start']>[0] = {}, from = worlds) {
  const world = from.make(FILES)
  const line = await world.start(more)
  // One that is busy with its index may be too slow to be met in time.
  for (let built = false; !built; await pause(20)) {
    const { parts } = await line.ask<ResidentStatus>('status', {}, SOON)
    built = parts.every(({ state }) => state === 'current')
  }
  const processes = async (name: 'typescript' | 'graph' = 'typescript') => {
    const status = await line.ask<ResidentStatus>('status', {}, SOON)
    return status.processes.filter(one => one.name === name)
  }
  return { world, line, processes }
}

async function callers(kit: Toolkit, more: object = {}): Promise<string[]> {
  // On a busy machine a server of its own may take longer than a call usually does.
  const { outcome } = await kit.run('callers', { name: 'target', path: 'src/a.ts', waitMs: SOON.timeoutMs, ...more })
  if (!outcome.ok) throw outcome.error
  const { callers: found, basis } = Object(outcome.data)
  expect(basis).toBe('typescript')
  return found.map(({ path, name }: { path: string; name: string }) => `${path} ${name}`)
}

async function paths(kit: Toolkit, commit?: string): Promise<string[]> {
  const query = 'MATCH (f:File) RETURN f.path AS path ORDER BY path'
  const { outcome } = await kit.run('graph', { query, ...(commit !== undefined && { commit }) })
  if (!outcome.ok) throw outcome.error
  return Object(outcome.data).rows.map(({ path }: { path: string }) => path)
}

const ALL = ['src/b.ts near', 'src/secret.ts hidden']

describe('language servers and code graphs of one process', () => {
  let common: Awaited<ReturnType<typeof begun>>
  beforeAll(async () => void (common = await begun({ idleMs: 600_000 }, shared)))
  afterEach(() => rmSync(join(common.world.workspace.path, 'toolwright.json'), { force: true }))

  it('are left alone by calls that must come out the same again, and by their replay', async () => {
    const { world, line } = common
    const same = await world.workspace.open({ deterministic: true })
    expect(await callers(same)).toEqual(ALL)
    const tape = taped()
    const recorded = await world.workspace.open({ record: tape.recorder })
    expect(await callers(recorded)).toEqual(ALL)
    expect(await paths(recorded)).toContain('src/a.ts')
    expect(unequal(await replayed(tape.text()))).toEqual([])
    expect((await line.ask<ResidentStatus>('status', {}, SOON)).processes).toEqual([])
  }, 300_000)

  it('are started once for all programs that ask, and are named by up', async () => {
    const { world, processes } = common
    const kit = await world.workspace.open()
    expect(await callers(kit)).toEqual(ALL)
    const first = await processes()
    expect(first).toMatchObject([{ name: 'typescript', memoryBytes: expect.any(Number) }])
    expect(first[0]?.memoryBytes).toBeGreaterThan(1_000_000)
    const run = (...args: string[]) =>
      promisify(execFile)(process.execPath, [CLI, ...args], { cwd: world.workspace.path, env: world.workspace.env })
    const { stdout } = await run('callers', 'target', '--file', 'src/a.ts')
    expect(stdout).toContain('near')
    expect((await processes()).map(({ pid }) => pid)).toEqual(first.map(({ pid }) => pid))
    expect((await run('up', '--status')).stdout).toMatch(/typescript: process \d+ answers about code, \d/)
    expect(await doctorSays(kit)).toMatchObject([
      { text: expect.stringMatching(/; about code answer typescript \(process \d+, /) },
    ])
  }, 300_000)

  it('are started as the user of this program says', async () => {
    const { world, processes } = common
    const config = join(world.workspace.base, 'other.json')
    const missing = { language: 'typescript', command: 'no-such-server', args: [], extensions: ['ts'] }
    writeFileSync(config, JSON.stringify({ languageServers: [missing] }))
    const [kit, plain] = [await world.workspace.open({ config }), await world.workspace.open()]
    const { outcome } = await kit.run('references', { name: 'target', path: 'src/a.ts' })
    expect(outcome).toMatchObject({ ok: false, error: { code: 'unavailable' } })
    expect(await callers(plain)).toEqual(ALL)
    expect(await processes()).toHaveLength(1)
    // One that never answers is not waited for any longer than it may load.
    const silent = { language: 'silent', command: 'sleep', args: ['60'], extensions: ['ts'] }
    writeFileSync(config, JSON.stringify({ languageServers: [silent], loadMs: 1_000 }))
    const hurried = await world.workspace.open({ config, contract: 'debug-assistant' })
    const late = await hurried.run('find_callers_of_function', { functionName: 'target', filePath: 'src/a.ts' })
    expect(late.outcome).toMatchObject({
      ok: false,
      error: { code: 'unavailable', message: expect.stringContaining('when the time for loading was over') },
    })
  }, 300_000)

  it('see only the caller’s staged changes, and reveal nothing of files that it may not read', async () => {
    const { world, processes } = common
    const kit = await world.workspace.open({ permissions: ['fs:write:**'], transaction: 'one' })
    const other = await world.workspace.open()
    const content = "import { target } from './a'\nexport const staged = () => target(3)\n"
    const { outcome } = await kit.run('write', { path: 'src/c.ts', content })
    expect(outcome.ok).toBe(true)
    expect(await callers(kit)).toEqual(['src/b.ts near', 'src/c.ts staged', 'src/secret.ts hidden'])
    expect(await callers(other)).toEqual(ALL)
    // Both at once, each with its own.
    const [mine, theirs] = await Promise.all([callers(kit), callers(other)])
    expect([mine.length, theirs.length]).toEqual([3, 2])
    expect(await processes()).toHaveLength(1)
    world.workspace.write('toolwright.json', JSON.stringify(DENY))
    const narrow = await world.workspace.open()
    expect(await callers(narrow)).toEqual(['src/b.ts near'])
    const references = await narrow.run('references', { name: 'target', path: 'src/a.ts' })
    expect(references.outcome.ok).toBe(true)
    expect(JSON.stringify(references.outcome)).not.toContain('secret')
    // One that knows nothing of what may not be read, for all who may not.
    expect(await callers(await world.workspace.open())).toEqual(['src/b.ts near'])
    expect(await processes()).toHaveLength(2)
    // The earlier caller still sees the same, through its own server.
    expect(await callers(other)).toEqual(ALL)
    expect(await processes()).toHaveLength(2)
  }, 300_000)

  it('are graphs that are made once for all that may read the same, with what each has staged', async () => {
    const { world, processes } = common
    const [one, two] = [await world.workspace.open(), await world.workspace.open()]
    const all = ['src/a.ts', 'src/b.ts', 'src/secret.ts']
    expect(await paths(one)).toEqual(expect.arrayContaining(all))
    expect(await paths(two)).toEqual(await paths(one))
    expect(await processes('graph')).toHaveLength(1)
    const staging = await world.workspace.open({ permissions: ['fs:write:**'], transaction: 'later' })
    await staging.run('write', { path: 'src/d.ts', content: 'export const d = 1\n' })
    expect(await paths(staging)).toContain('src/d.ts')
    expect(await paths(one)).not.toContain('src/d.ts')
    world.workspace.write('toolwright.json', JSON.stringify(DENY))
    const narrow = await world.workspace.open()
    expect(await paths(narrow)).not.toContain('src/secret.ts')
    expect(await paths(one)).toContain('src/secret.ts')
    const { path: cwd, env } = world.workspace
    const { stdout } = await promisify(execFile)(process.execPath, [CLI, 'up', '--status'], { cwd, env })
    expect(stdout).toMatch(/graph: process \d+ answers about code, \d/)
    expect(await doctorSays(one)).toMatchObject([
      { text: expect.stringMatching(/; about code .*graph \(process \d+, /) },
    ])
    const wrong = await one.run('graph', { query: 'MATCH (f:Funktion) RETURN f' })
    expect(wrong.outcome).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    expect(await processes('graph')).toHaveLength(1)
  }, 300_000)
})

describe('language servers and code graphs of a process', () => {
  it('end with it, and what it cannot answer any more is answered without it', async () => {
    const { world, line, processes } = await begun()
    const kit = await world.workspace.open()
    expect(await callers(kit)).toEqual(ALL)
    const before = await paths(kit)
    const [[server], [host]] = [await processes(), await processes('graph')]
    world.workspace.write('src/e.ts', 'export const e = 1\n')
    const asked = [callers(kit, { depth: 3 }), paths(kit)]
    process.kill(line.pid, 'SIGKILL')
    expect(await Promise.all(asked)).toEqual([ALL, [...before, 'src/e.ts'].toSorted()])
    for (const one of [server, host]) expect(await gone(one?.pid ?? 0)).toBe(true)
    expect(await callers(kit)).toEqual(ALL)
  }, 300_000)

  it('are done without where it is stopped in the middle of a question', async () => {
    const { world, line } = await begun()
    const kit = await world.workspace.open()
    expect(await callers(kit)).toEqual(ALL)
    stopped = line.pid
    process.kill(line.pid, 'SIGSTOP')
    expect(await callers(kit)).toEqual(ALL)
    // One that has no time for that hears why.
    const config = join(world.workspace.base, 'hurried.json')
    writeFileSync(config, JSON.stringify({ loadMs: 3_000 }))
    const hurried = await world.workspace.open({ contract: 'debug-assistant', config })
    const { outcome } = await hurried.run('find_callers_of_function', { functionName: 'target', filePath: 'src/a.ts' })
    if (!outcome.ok) expect(outcome.error.code).toMatch(/^(timeout|unavailable)$/)
  }, 300_000)

  it('do not keep it alive, but their callers do', async () => {
    const { world, line, processes } = await begun({ idleMs: 400 })
    const kit = await world.workspace.open()
    expect(await callers(kit)).toEqual(ALL)
    const [server] = await processes()
    line.close()
    await pause(800)
    // The toolkit still has its line; a question that runs has one for all its time.
    expect(isAlive(line.pid)).toBe(true)
    expect(await callers(kit)).toEqual(ALL)
    await kit.close()
    expect(await gone(line.pid)).toBe(true)
    expect(await gone(server?.pid ?? 0)).toBe(true)
  }, 300_000)
})
