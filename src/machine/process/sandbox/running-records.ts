import { randomUUID } from 'node:crypto'
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sleepSync } from '../../../kernel/time.ts'
import { isAlive, killNamed, namedProcess, type NamedProcess } from './named-process.ts'
import { endOrphanedSetups } from './orphaned-setups.ts'

/** Record of a running command, for a later process. */
interface RunningRecord {
  /** Process numbers are valid on one machine, until it restarts, and in one namespace. */
  readonly machine: string
  readonly owner: NamedProcess
  /** The namespace's first process, once known. */
  readonly first?: NamedProcess
}

/** Record of one command, on disk from before its launch until removed. */
export interface RunningNote {
  addFirst(first: NamedProcess): void
  remove(): void
}

let directory: string | undefined | false

/** Records a command before its launch. A command ends with us; if it does not, our next process ends it. */
export function recordRunning(): RunningNote {
  const place = recordDirectory()
  const owner = namedProcess(process.pid)
  if (place === undefined || owner === undefined) return { addFirst() {}, remove() {} }
  const file = join(place, randomUUID())
  const add = (part: Partial<RunningRecord>) =>
    quietly(() => appendFileSync(file, `${JSON.stringify(part)}\n`, { mode: 0o600 }))
  add({ machine: machine(), owner })
  return { addFirst: first => add({ first }), remove: () => rmSync(file, { force: true }) }
}

let isDone = false
const PATIENCE_MS = 2000
const PAUSE_MS = 5

/** Ends survivors of our killed processes. Runs once per process. */
export function endSurvivors(): void {
  if (isDone) return
  isDone = true
  const place = recordDirectory()
  if (place === undefined) return
  const files = readdirSync(place).map(name => join(place, name))
  const orphans = files.flatMap(file => {
    const record = readRecord(file)
    return record?.machine === machine() && !isAlive(record.owner) ? [{ file, first: record.first }] : []
  })
  for (const { first } of orphans) if (first) end(first)
  if (orphans.length > 0) endOrphanedSetups()
  // Last: if we are killed before this line, the next process finds them.
  for (const { file } of orphans) rmSync(file, { force: true })
  // Records of other machines and namespaces in a shared directory stay while their processes may live.
  for (const file of files) if (isBeforeBoot(file)) rmSync(file, { force: true })
}

function isBeforeBoot(file: string): boolean {
  const writtenAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs
  const bootedAt = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'latin1'))?.[1] ?? 0) * 1000
  return writtenAt !== undefined && writtenAt < bootedAt
}

function end(first: NamedProcess): void {
  const until = performance.now() + PATIENCE_MS
  while (isAlive(first) && performance.now() < until) {
    killNamed(first)
    sleepSync(PAUSE_MS)
  }
}

/** Returns a directory private to this user, or undefined if another user created it first. */
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

/** Returns undefined if nothing is written yet, which means that nothing was launched. */
function readRecord(file: string): RunningRecord | undefined {
  try {
    const [start = '', launchedPart = '{}'] = readFileSync(file, 'utf8').trimEnd().split('\n')
    return { ...JSON.parse(start), ...JSON.parse(launchedPart) }
  } catch {
    return undefined
  }
}

let machineId: string | undefined

const machine = (): string =>
  (machineId ??= `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()} ${readlinkSync('/proc/self/ns/pid')}`)

function quietly(act: () => void): void {
  try {
    act()
  } catch {
    // Without a record the command still ends with us.
  }
}
