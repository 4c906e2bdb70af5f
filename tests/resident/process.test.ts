import { execFile } from 'node:child_process'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { connect } from '../../src/service/connect.ts'
import { nameOfBuild, ownBuild } from '../../src/service/own-build.ts'
import { placeOf } from '../../src/service/place.ts'
import { ensureResident } from '../../src/service/start.ts'
import { CLI } from '../cli-program.ts'
import { gone, isAlive, processesFor, SOON, useWorlds, type World } from './rig.ts'

const LONG = process.env['TOOLWRIGHT_LONG'] === '1'
const worlds = useWorlds()

/** The process that another program of ours starts or meets. */
async function startElsewhere({ workspace }: World): Promise<number> {
  const where = { cwd: workspace.path, env: workspace.env }
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, 'up', '--json'], where)
  return JSON.parse(stdout).pid
}

const socketOf = ({ state }: World): string => {
  const place = placeOf(state.path, ownBuild())
  return join(place.directory, place.socket)
}

describe('the process of a workspace', () => {
  it('is started once, however many start it at the same time', async () => {
    const world = worlds.make()
    const [here, elsewhere] = LONG ? [8, 12] : [4, 3]
    const met = await Promise.all([
      ...Array.from({ length: here }, async () => (await world.start()).pid),
      ...Array.from({ length: elsewhere }, () => startElsewhere(world)),
    ])
    expect(met.filter(Number.isInteger)).toHaveLength(here + elsewhere)
    const pids = [...new Set(met)]
    expect(pids).toHaveLength(1)
    // Those that came too late have ended by themselves.
    expect(processesFor(world.workspace.path)).toEqual(pids)
  })

  it('is for its user alone, listens on no port, and sees only the necessary part of its starter’s environment', async () => {
    const world = worlds.make()
    const env = { ...world.workspace.env, SECRET_TOKEN: 'hush', NODE_OPTIONS: '--no-warnings' }
    const { pid } = await ensureResident({ ...world.options(), env })
    worlds.seen(pid)
    expect(statSync(socketOf(world)).mode & 0o777).toBe(0o600)
    expect(statSync(join(world.state.path, 'resident')).mode & 0o777).toBe(0o700)
    const inodes = readdirSync(`/proc/${pid}/fd`).map(fd => linkOf(`/proc/${pid}/fd/${fd}`))
    const listening = new Set(
      ['tcp', 'tcp6', 'udp', 'udp6'].flatMap(kind =>
        readFileSync(`/proc/${pid}/net/${kind}`, 'latin1')
          .split('\n')
          .slice(1)
          .map(line => `socket:[${line.trim().split(/\s+/)[9]}]`),
      ),
    )
    expect(inodes.filter(inode => listening.has(inode))).toEqual([])
    const seen = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').filter(Boolean)
    const own = ['MALLOC_ARENA_MAX', 'MALLOC_TRIM_THRESHOLD_']
    expect(seen.map(pair => pair.split('=')[0]).toSorted()).toEqual(['HOME', ...own, 'PATH', 'TOOLWRIGHT_STATE'])
  })

  it('is used by several clients, and two workspaces have two', async () => {
    const [one, two] = [worlds.make(), worlds.make()]
    const lines = await Promise.all([one.start(), one.start(), two.start()])
    const answers = await Promise.all(lines.map(line => line.ask('status', {}, SOON)))
    expect(answers).toMatchObject([
      { root: one.workspace.path, clients: 2, pid: lines[0]?.pid },
      { root: one.workspace.path, clients: 2, pid: lines[0]?.pid },
      { root: two.workspace.path, clients: 1, pid: lines[2]?.pid },
    ])
    expect(lines[2]?.pid).not.toBe(lines[0]?.pid)
  })

  it('killed in the middle of questions fails these, and the next start gives a new one', async () => {
    const world = worlds.make()
    for (let round = 0; round < (LONG ? 3 : 2); round++) {
      const line = await world.start()
      const asked = Array.from({ length: 50 }, () => line.ask('status', {}, SOON))
      const ended = Promise.allSettled(asked)
      process.kill(line.pid, 'SIGKILL')
      for (const answer of await ended)
        if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'unavailable' })
      expect(await gone(line.pid)).toBe(true)
      await expect(line.ask('status', {}, SOON)).rejects.toMatchObject({ code: 'unavailable' })
      // Its socket is still there and leads nowhere.
      expect(statSync(socketOf(world)).isSocket()).toBe(true)
      expect(await connect(placeOf(world.state.path, ownBuild()), ownBuild())).toBeUndefined()
    }
    expect(await (await world.start()).ask('status', {}, SOON)).toMatchObject({ clients: 1 })
  })

  it('killed at any moment of its start leaves nothing that the next one stumbles over', async () => {
    const world = worlds.make()
    for (let wait = 20; wait < (LONG ? 320 : 160); wait += LONG ? 30 : 60) {
      const starting = ensureResident({ ...world.options(), timeoutMs: 20_000 })
      await pause(wait)
      for (const pid of processesFor(world.workspace.path)) process.kill(pid, 'SIGKILL')
      const { pid } = await starting
      worlds.seen(pid)
      if (isAlive(pid)) process.kill(pid, 'SIGKILL')
      expect(await gone(pid)).toBe(true)
    }
  })

  it('ends on SIGTERM and takes its socket with it', async () => {
    const world = worlds.make()
    const line = await world.start()
    process.kill(line.pid, 'SIGTERM')
    expect(await gone(line.pid)).toBe(true)
    expect(statSync(socketOf(world), { throwIfNoEntry: false })).toBeUndefined()
  })

  it('ends after its idle time without clients, and not while one is connected', async () => {
    const world = worlds.make()
    const line = await world.start({ idleMs: 300 })
    await pause(500)
    expect(await line.ask('status', {}, SOON)).toMatchObject({ pid: line.pid })
    line.close()
    expect(await gone(line.pid)).toBe(true)
  })

  it('ends when its state is removed, or its workspace is removed or replaced', async () => {
    const changes: ((world: World) => void)[] = [
      ({ workspace }) => rmSync(join(workspace.base, 'state'), { recursive: true }),
      ({ workspace }) => rmSync(workspace.path, { recursive: true }),
      ({ workspace }) => {
        renameSync(workspace.path, `${workspace.path}-old`)
        mkdirSync(workspace.path)
      },
    ]
    // Side by side: it looks for its workspace every two seconds.
    const ended = changes.map(async change => {
      const world = worlds.make()
      const { pid } = await world.start()
      change(world)
      return gone(pid)
    })
    expect(await Promise.all(ended)).toEqual([true, true, true])
  })

  it('that fails is not started over and over, and says why', async () => {
    const world = worlds.make()
    const directory = join(world.state.path, 'resident')
    mkdirSync(directory, { mode: 0o700 })
    // Nothing can listen where a directory is.
    mkdirSync(join(socketOf(world), 'full'), { recursive: true })
    const since = Date.now()
    await expect(ensureResident(world.options())).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/^The process that holds the index failed: \S/),
    })
    expect(Date.now() - since).toBeLessThan(15_000)
  })

  it('is not started for another directory than the one that was meant', async () => {
    const world = worlds.make()
    const { settings, ...options } = world.options()
    const started = ensureResident({ ...options, settings: { ...settings, key: 'another' }, timeoutMs: 30_000 })
    await expect(started).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('is not the directory that was meant'),
      hint: expect.stringContaining('continue without'),
    })
  })

  it('asks one of another build to go, and clears away what a dead one left', async () => {
    const world = worlds.make()
    const directory = join(world.state.path, 'resident')
    mkdirSync(directory, { mode: 0o700 })
    const old = nameOfBuild({ ...ownBuild(), version: '0.0.1' })
    const heard: Buffer[] = []
    const server = createServer(socket => socket.on('data', chunk => heard.push(chunk) && socket.end()))
    await new Promise<void>(resolve => server.listen(join(directory, `${old}.sock`), resolve))
    writeFileSync(join(directory, 'dead.lock'), '')
    writeFileSync(join(directory, 'dead.sock'), '')
    await world.start()
    for (let turn = 0; turn < 200 && readdirSync(directory).some(name => name.startsWith('dead')); turn++)
      await pause(20)
    await new Promise(resolve => server.close(resolve))
    expect(Buffer.concat(heard).toString('latin1')).toContain('"leave":true')
    expect(readdirSync(directory).filter(name => name.startsWith('dead'))).toEqual([])
  })
})

const linkOf = (path: string): string => {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
