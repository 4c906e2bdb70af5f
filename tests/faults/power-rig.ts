import { closeSync, mkdirSync, openSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { holdDirectory, type Name, type Sys } from '../../src/machine/workspace/sys.ts'
import { inWorld, isDecided, judge, recoverWhole, runCommit, type Protocol, type Report } from './crash-rig.ts'
import { Crash, crashing, unsynced } from './faulty-sys.ts'
import type { Scenario } from './scenario.ts'
import type { World } from './world.ts'

/** What of the unsynced changes the power cut spares: nothing, or what a coin says for each directory. */
export type Spared = 'nothing' | number

/**
 * Cuts the power at each call that changes the disk. What was not synced is gone: contents of files, and names in
 * directories, where a rename is lost or kept as one and a directory loses its latest changes first.
 */
export function powerCuts(
  protocol: Protocol,
  scenario: Scenario,
  spared: Spared,
  stride: number,
  plant: (sys: Sys) => Sys = sys => sys,
): Report {
  return inWorld(scenario, (world, fail) => {
    let count = 0
    for (let at = 0; ; at += stride) {
      world.reset(scenario.before)
      const disk = recordingDisk(world)
      const run = crashing(at, false, plant(disk.sys))
      const error = runCommit(protocol, scenario, world, run.sys)
      run.drop()
      if (error !== undefined && !(error instanceof Crash)) throw error
      disk.cutPower(spared)
      const where = `power cut at ${at}, ${spared === 'nothing' ? 'nothing spared' : `coin ${spared}`}`
      const stands = isDecided(world)
      if (!run.dead && !stands) fail(`${where}: it was answered and is lost`)
      recoverWhole(protocol, world)
      judge(world, scenario, stands, problem => fail(`${where}: ${problem}`))
      if (!run.dead) return count
      count++
    }
  })
}

interface Change {
  /** The directories, or the file, whose sync makes it last. */
  readonly of: readonly string[]
  synced: boolean
  undo(): void
}

/** A disk that remembers which changes have been synced and can lose the others. */
function recordingDisk(world: World): { sys: Sys; cutPower(spared: Spared): void } {
  const changes: Change[] = []
  const held = new Map<string, number>()
  const stash = join(world.path, 'stash')
  mkdirSync(stash, { recursive: true })
  const stashed = holdDirectory(stash)
  const real = unsynced

  const key = (fd: number): string => `${real.fstat(fd).ino}`
  /** The same file or directory, held beyond the life of the process that changed it. */
  const keep = (fd: number, open: () => number): { name: string; fd: number } => {
    const name = key(fd)
    const mine = held.get(name) ?? open()
    held.set(name, mine)
    return { name, fd: mine }
  }
  const directory = (fd: number) => keep(fd, () => holdDirectory(`/proc/self/fd/${fd}`))
  const record = (of: readonly string[], undo: () => void): void => void changes.push({ of, synced: false, undo })
  const sync = (name: string): void => {
    for (const change of changes) if (change.of.includes(name)) change.synced = true
  }
  const put = (dir: number, name: Name): void => {
    const parent = directory(dir)
    record([parent.name], () => real.unlink(parent.fd, name))
  }
  /** Returns a way to bring a file back that is about to lose this name. */
  const save = (dir: number, name: Name): (() => void) => {
    const parent = directory(dir)
    const copy = `${changes.length}`
    real.link(dir, name, stashed, copy)
    return () => real.rename(stashed, copy, parent.fd, name)
  }

  const sys: Sys = {
    ...real,
    createFile(dir, name, mode) {
      const fd = real.createFile(dir, name, mode)
      put(dir, name)
      return fd
    },
    write(fd, bytes, offset) {
      const file = keep(fd, () => reopen(fd))
      record([file.name], () => truncateSync(`/proc/self/fd/${file.fd}`, 0))
      return real.write(fd, bytes, offset)
    },
    sync: fd => sync(key(fd)),
    syncDirectory: fd => sync(key(fd)),
    symlink(target, dir, name) {
      real.symlink(target, dir, name)
      put(dir, name)
    },
    link(fromDir, from, toDir, to) {
      real.link(fromDir, from, toDir, to)
      put(toDir, to)
    },
    rename(fromDir, from, toDir, to) {
      const [source, target] = [directory(fromDir), directory(toDir)]
      const replaced = real.lstat(toDir, to) === undefined ? undefined : save(toDir, to)
      real.rename(fromDir, from, toDir, to)
      record([source.name, target.name], () => {
        real.rename(target.fd, to, source.fd, from)
        replaced?.()
      })
    },
    unlink(dir, name) {
      const parent = directory(dir)
      const back = real.lstat(dir, name)?.isDirectory() ? () => {} : save(dir, name)
      real.unlink(dir, name)
      record([parent.name], back)
    },
    mkdir(dir, name, mode) {
      real.mkdir(dir, name, mode)
      const parent = directory(dir)
      record([parent.name], () => rmSync(`/proc/self/fd/${parent.fd}/${String(name)}`, { recursive: true }))
    },
    rmdir(dir, name) {
      // The very same directory comes back, so it is only put away.
      const parent = directory(dir)
      const copy = `${changes.length}`
      const own = real.openDirectory(dir, name)
      const empty = real.list(own).length === 0
      real.close(own)
      if (!empty) return real.rmdir(dir, name)
      real.rename(dir, name, stashed, copy)
      record([parent.name], () => real.rename(stashed, copy, parent.fd, name))
    },
    chmodHeld(fd, mode) {
      const before = Number(real.fstat(fd).mode) & 0o7777
      const file = keep(fd, () => reopen(fd))
      real.chmodHeld(fd, mode)
      record([file.name], () => real.chmodHeld(file.fd, before))
    },
  }
  return { sys, cutPower }

  function cutPower(spared: Spared): void {
    const lasting = new Set<string>()
    const numbers = new Map([...held.keys()].map((name, number) => [name, number]))
    for (const change of changes.toReversed()) {
      // Whatever lasts takes everything before it in the same directory along.
      if (change.synced || change.of.some(name => lasting.has(name) || coin(spared, numbers.get(name) ?? 0)))
        for (const name of change.of) lasting.add(name)
      else attempt(change.undo)
    }
    for (const fd of [...held.values(), stashed]) closeSync(fd)
    rmSync(stash, { recursive: true })
  }
}

/** What an undone directory held is gone with it. */
function attempt(undo: () => void): void {
  try {
    undo()
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
  }
}

/** Node has no name for O_PATH. */
const reopen = (fd: number): number => openSync(`/proc/self/fd/${fd}`, 0x200000)

/** The same each time: a directory counts by the order in which it was first changed. */
function coin(spared: Spared, number: number): boolean {
  if (spared === 'nothing') return false
  let mixed = Math.imul(spared * 7919 + number * 104_729, 0x9e3779b1)
  mixed ^= mixed >>> 15
  return Math.imul(mixed, 0x85ebca6b) >>> 31 === 1
}
