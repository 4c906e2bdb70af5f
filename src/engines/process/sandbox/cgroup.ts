import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFile, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Limits } from './types.ts'

/** Where cgroups of our own can be made, and what they count. */
export interface CgroupPlace {
  readonly directory: string
  readonly memory: boolean
  readonly pids: boolean
  /**
   * Whether a process enters by itself without a pause. In the first version of cgroups it does; in the second the
   * kernel first waits for all its processors, so that it is better moved while its sandbox is still being set up.
   */
  readonly quick: boolean
}

/** One command's cgroup. */
export interface Cell {
  /** Whoever writes 0 to this file is in it. */
  readonly entry: string
  readonly quick: boolean
  /** Tells when the process is in it. */
  join(pid: number, tell: (error: Error | null) => void): void
  /** Whether the kernel ended something in it for want of memory. */
  ranOutOfMemory(): boolean
  remove(): void
}

/** Finds a place by making a cgroup there; undefined where none may be made. */
export function findCgroup(
  at = '/sys/fs/cgroup',
  own = readFileSync('/proc/self/cgroup', 'utf8'),
): CgroupPlace | undefined {
  const lines = own.split('\n').map(line => line.split(':'))
  const unified = lines.find(([id]) => id === '0')?.[2]
  const pids = lines.find(([, controllers]) => controllers?.split(',').includes('pids'))?.[2]
  const candidates = [
    // A group that holds processes has no controllers to give to a child, so that a sibling of ours is the usual place.
    ...(unified === undefined ? [] : [join(at, unified), join(at, dirname(unified))]),
    ...(pids === undefined ? [] : [join(at, 'pids', pids)]),
  ]
  for (const directory of candidates) {
    const place = tried(directory)
    if (!place) continue
    removeStale(directory)
    return place
  }
  return undefined
}

export function openCell(place: CgroupPlace, limits: Limits): Cell {
  const directory = join(place.directory, `toolwright-${process.pid}-${randomBytes(6).toString('hex')}`)
  mkdirSync(directory)
  const set = (name: string, value: string | number) => writeFileSync(join(directory, name), String(value))
  // The init that bubblewrap leaves inside is one of them.
  if (place.pids) set('pids.max', limits.processes + 1)
  if (place.memory) {
    set('memory.max', limits.memoryBytes)
    for (const [name, value] of [
      ['memory.swap.max', 0],
      ['memory.oom.group', 1],
    ] as const)
      if (existsSync(join(directory, name))) set(name, value)
  }
  return {
    entry: join(directory, place.quick ? 'tasks' : 'cgroup.procs'),
    quick: place.quick,
    join: (pid, tell) => writeFile(join(directory, 'cgroup.procs'), String(pid), tell),
    ranOutOfMemory: () =>
      place.memory && /^oom_kill [1-9]/m.test(readFileSync(join(directory, 'memory.events'), 'utf8')),
    remove: () => removeSoon(directory),
  }
}

function tried(directory: string): CgroupPlace | undefined {
  const probe = join(directory, `toolwright-${process.pid}-${randomBytes(6).toString('hex')}`)
  try {
    mkdirSync(probe)
  } catch {
    return undefined
  }
  try {
    const has = (name: string) => existsSync(join(probe, name))
    const [memory, pids, quick] = [has('memory.max'), has('pids.max'), has('tasks')]
    return memory || pids ? { directory, memory, pids, quick } : undefined
  } finally {
    removeSoon(probe)
  }
}

const pending = new Set<string>()
let atExit: NodeJS.Process | undefined

/** A group is busy until the last of its processes is gone, which may be a moment after it was killed. */
function removeSoon(directory: string, attempts = 40): void {
  atExit ??= process.once('exit', () => pending.forEach(removed))
  pending.add(directory)
  if (removed(directory) || attempts === 0) pending.delete(directory)
  else setTimeout(removeSoon, 50, directory, attempts - 1).unref()
}

/** Those of processes that were killed before they could remove them. */
function removeStale(directory: string): void {
  for (const name of readdirSync(directory)) {
    const pid = /^toolwright-(\d+)-[0-9a-f]{12}$/.exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) removed(join(directory, name))
  }
}

function removed(directory: string): boolean {
  try {
    rmdirSync(directory)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EBUSY')
  }
}
