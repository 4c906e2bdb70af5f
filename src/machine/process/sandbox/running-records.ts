import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive, killNamed, namedProcess, type NamedProcess } from './named-process.ts'
import { endOrphanedSetups } from './orphaned-setups.ts'

/** What is noted of a command while it runs, for whoever comes after us. */
interface RunningRecord {
  /** Numbers of processes mean something on one machine, until it starts anew, and in one namespace. */
  readonly machine: string
  readonly owner: NamedProcess
  /** The first process of its namespace, once that is known. */
  readonly first?: NamedProcess
}

/** A note of one command, on disk from before it is launched until it is removed. */
export interface RunningNote {
  addFirst(first: NamedProcess): void
  remove(): void
}

let directory: string | undefined | false
let number = 0

/**
 * Notes that a command is about to be launched. A command ends with us; the next of our processes ends it where it
 * did not.
 */
export function recordRunning(): RunningNote {
  const place = recordDirectory()
  const owner = namedProcess(process.pid)
  if (place === undefined || owner === undefined) return { addFirst() {}, remove() {} }
  const file = join(place, `${process.pid}-${number++}`)
  const write = (record: Omit<RunningRecord, 'machine' | 'owner'>) =>
    quietly(() => writeFileSync(file, JSON.stringify({ machine: machine(), owner, ...record }), { mode: 0o600 }))
  write({})
  return { addFirst: first => write({ first }), remove: () => rmSync(file, { force: true }) }
}

let isDone = false
const PATIENCE_MS = 2000
const PAUSE_MS = 5

/** Ends what outlived those of our processes that were killed; once in the life of a process. */
export function endSurvivors(): void {
  if (isDone) return
  isDone = true
  const place = recordDirectory()
  if (place === undefined) return
  const here = machine()
  let isOrphaned = false
  for (const name of readdirSync(place)) {
    const file = join(place, name)
    const record = readRecord(file)
    // One that cannot be read may just be written.
    if (record ? record.machine === here && isAlive(record.owner) : namedProcess(Number.parseInt(name, 10))) continue
    if (record?.machine === here) {
      if (record.first) end(record.first)
      isOrphaned = true
    }
    rmSync(file, { force: true })
  }
  if (isOrphaned) endOrphanedSetups()
}

function end(first: NamedProcess): void {
  const until = performance.now() + PATIENCE_MS
  while (isAlive(first) && performance.now() < until) {
    killNamed(first)
    Atomics.wait(clock, 0, 0, PAUSE_MS)
  }
}

/** Nobody ever wakes who waits for it. */
const clock = new Int32Array(new SharedArrayBuffer(4))

/** A directory that is this user's alone, or undefined where somebody else was there first. */
function recordDirectory(): string | undefined {
  if (directory === undefined) directory = madeDirectory() ?? false
  return directory === false ? undefined : directory
}

function madeDirectory(): string | undefined {
  if (process.platform !== 'linux') return undefined
  const uid = process.getuid?.() ?? 0
  const place = join(process.env['XDG_RUNTIME_DIR'] ?? (uid === 0 ? '/run' : tmpdir()), `toolwright-${uid}-running`)
  quietly(() => mkdirSync(place, { mode: 0o700 }))
  const stats = lstatSync(place, { throwIfNoEntry: false })
  return stats?.isDirectory() && stats.uid === uid && (stats.mode & 0o077) === 0 ? place : undefined
}

function readRecord(file: string): RunningRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

let known: string | undefined

const machine = (): string =>
  (known ??= `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${readlinkSync('/proc/self/ns/pid')}`)

function quietly(act: () => void): void {
  try {
    act()
  } catch {
    // Without a note the command still ends with us.
  }
}
