import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFile, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Limits } from './types.ts'

/** Directory for our own groups, with the resources they count. */
interface Hierarchy {
  readonly directory: string
  /** Version of the memory controller; file names differ between versions. */
  readonly memory: 'first' | 'second' | undefined
  readonly pids: boolean
}

/** Where cgroups of our own can be created, and which resources they count. */
export interface CgroupPlace {
  /** Version 1 has one hierarchy per controller, version 2 one for all. */
  readonly hierarchies: readonly Hierarchy[]
  readonly memory: boolean
  readonly pids: boolean
  /**
   * Whether a process can enter on its own without delay. It can in version 1. In version 2 the kernel first waits for
   * all its processors, so we move the process while its sandbox is being set up.
   */
  readonly quick: boolean
}

/** One command's cgroup, in each hierarchy. */
export interface Cell {
  /** A process that writes 0 to these files enters the group. */
  readonly entries: readonly string[]
  readonly quick: boolean
  /** Moves a process into the group. Calls `tell` when done. */
  join(pid: number, tell: (error: Error | null) => void): void
  /** Reports whether the kernel killed a process in it for lack of memory. */
  ranOutOfMemory(): boolean
  remove(): void
}

/** Finds a place by creating a cgroup there. Returns undefined if none may be created. */
export function findCgroup(
  at = '/sys/fs/cgroup',
  ownGroups = readFileSync('/proc/self/cgroup', 'utf8'),
): CgroupPlace | undefined {
  const lines = ownGroups.split('\n').map(line => line.split(':'))
  const unifiedPath = lines.find(([id]) => id === '0')?.[2]
  // A group with processes cannot delegate controllers to a child, so the usual place is a sibling of ours.
  const second = unifiedPath === undefined ? [] : [join(at, unifiedPath), join(at, dirname(unifiedPath))]
  const hierarchy = firstOf(second)
  const hierarchies = hierarchy ? [hierarchy] : ['pids', 'memory'].flatMap(name => firstVersion(at, lines, name) ?? [])
  if (hierarchies.length === 0) return undefined
  for (const { directory } of hierarchies) removeStale(directory)
  return {
    hierarchies,
    memory: hierarchies.some(({ memory }) => memory !== undefined),
    pids: hierarchies.some(({ pids }) => pids),
    quick: hierarchy === undefined,
  }
}

/** In a container the kernel may report a path outside of it. */
function firstVersion(at: string, lines: readonly string[][], controller: string): Hierarchy | undefined {
  const [, controllers = '', path = ''] = lines.find(([, names]) => names?.split(',').includes(controller)) ?? []
  if (controllers === '') return undefined
  const ownPlace = join(at, controllers, path)
  return firstOf([existsSync(ownPlace) ? ownPlace : join(at, controllers)])
}

function firstOf(directories: readonly string[]): Hierarchy | undefined {
  for (const directory of directories) {
    const place = tryHierarchy(directory)
    if (place) return place
  }
  return undefined
}

export function openCell(place: CgroupPlace, limits: Limits): Cell {
  const groups: (Hierarchy & { readonly group: string })[] = []
  const remove = () => {
    for (const { group } of groups) removeSoon(group)
  }
  try {
    for (const hierarchy of place.hierarchies) {
      const group = join(hierarchy.directory, `toolwright-${process.pid}-${randomBytes(6).toString('hex')}`)
      mkdirSync(group)
      groups.push({ ...hierarchy, group })
      limit(group, hierarchy, limits)
    }
  } catch (error) {
    remove()
    throw error
  }
  const events = groups.flatMap(({ memory, group }) =>
    memory === undefined ? [] : [join(group, memory === 'first' ? 'memory.oom_control' : 'memory.events')],
  )
  return {
    entries: groups.map(({ group }) => join(group, place.quick ? 'tasks' : 'cgroup.procs')),
    quick: place.quick,
    join(pid, tell) {
      let pendingWrites = groups.length
      const one = (error: Error | null) => {
        if (error) pendingWrites = 0
        if (error || --pendingWrites === 0) tell(error)
      }
      for (const { group } of groups) writeFile(join(group, 'cgroup.procs'), String(pid), one)
    },
    ranOutOfMemory: () => events.some(file => /^oom_kill [1-9]/m.test(readFileSync(file, 'utf8'))),
    remove,
  }
}

function limit(group: string, { memory, pids }: Hierarchy, limits: Limits): void {
  const set = (name: string, value: number) => writeFileSync(join(group, name), String(value))
  const setWhereKnown = (name: string, value: number) => {
    if (existsSync(join(group, name))) set(name, value)
  }
  // The namespace's first process counts too.
  if (pids) set('pids.max', limits.processes + 1)
  if (memory === 'second') {
    set('memory.max', limits.memoryBytes)
    setWhereKnown('memory.swap.max', 0)
    setWhereKnown('memory.oom.group', 1)
  }
  if (memory === 'first') {
    set('memory.limit_in_bytes', limits.memoryBytes)
    setWhereKnown('memory.memsw.limit_in_bytes', limits.memoryBytes)
    // Counted separately.
    setWhereKnown('memory.kmem.tcp.limit_in_bytes', limits.memoryBytes)
  }
}

function tryHierarchy(directory: string): Hierarchy | undefined {
  const probe = join(directory, `toolwright-${process.pid}-${randomBytes(6).toString('hex')}`)
  try {
    mkdirSync(probe)
  } catch {
    return undefined
  }
  try {
    const has = (name: string) => existsSync(join(probe, name))
    const memory = has('memory.max') ? 'second' : has('memory.limit_in_bytes') ? 'first' : undefined
    const pids = has('pids.max')
    return memory !== undefined || pids ? { directory, memory, pids } : undefined
  } finally {
    removeSoon(probe)
  }
}

const pending = new Set<string>()
let atExit: NodeJS.Process | undefined

/** A group stays busy until its last process is gone, which may be a moment after the kill. */
function removeSoon(directory: string, attempts = 40): void {
  atExit ??= process.once('exit', () => pending.forEach(removeGroup))
  pending.add(directory)
  if (removeGroup(directory) || attempts === 0) pending.delete(directory)
  else setTimeout(removeSoon, 50, directory, attempts - 1).unref()
}

/** Removes groups of processes that were killed before they could, with everything left in them. */
function removeStale(directory: string): void {
  for (const name of readdirSync(directory)) {
    const pid = /^toolwright-(\d+)-[0-9a-f]{12}$/.exec(name)?.[1]
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue
    const group = join(directory, name)
    if (!removeGroup(group)) killAll(group)
    removeSoon(group)
  }
}

function killAll(group: string): void {
  try {
    for (const pid of readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').map(Number))
      if (pid > 1) process.kill(pid, 'SIGKILL')
  } catch {
    // Already removed.
  }
}

function removeGroup(directory: string): boolean {
  try {
    rmdirSync(directory)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EBUSY')
  }
}
