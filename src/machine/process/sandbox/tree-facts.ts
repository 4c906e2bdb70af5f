import { readdirSync, readFileSync, readlinkSync, statfsSync } from 'node:fs'

/** What all processes of one sandbox use together. */
interface TreeFacts {
  /** Processes and their threads, as the kernel's own limits count them. */
  readonly tasks: number
  readonly cpuMs: number
  readonly residentBytes: number
  /** What lies in the private /tmp. */
  readonly tmpBytes: number
}

/** The kernel's unit of time in /proc, the same on every machine that Node runs on. */
const TICKS_PER_MS = 100 / 1000

/**
 * Looks through the eyes of the sandbox's first process: its /proc lists exactly the processes of its namespace,
 * however they were forked. Where there are more than `enough` nothing else is looked at: each look at a fork bomb
 * lets it grow. Undefined while the sandbox is being set up, and when it is gone.
 */
export function treeFacts(init: number, enough: number): TreeFacts | undefined {
  const proc = `/proc/${init}/root/proc`
  const processes = isForeign(proc) ? numbered(proc) : []
  if (processes.length === 0) return undefined
  let [tasks, ticks, pages] = [0, 0, 0]
  if (processes.length > enough) return { tasks: processes.length, cpuMs: 0, residentBytes: 0, tmpBytes: 0 }
  for (const pid of processes) {
    const fields = statOf(`${proc}/${pid}/stat`)
    if (!fields) continue
    tasks += fields.threads
    ticks += fields.ticks
    pages += fields.pages
  }
  return {
    tasks,
    cpuMs: ticks / TICKS_PER_MS,
    residentBytes: pages * pageBytes(),
    tmpBytes: usedIn(`/proc/${init}/root/tmp`),
  }
}

/** The same memory with pages that several processes share counted once: exact, and too slow to ask for each time. */
export function proportionalBytes(init: number): number {
  const proc = `/proc/${init}/root/proc`
  let kilobytes = 0
  for (const pid of numbered(proc)) {
    try {
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`${proc}/${pid}/smaps_rollup`, 'latin1'))?.[1] ?? 0)
    } catch {
      // It has just ended.
    }
  }
  return kilobytes * 1024
}

/** In the /proc of a namespace that we are not in there is no `self`; before that it is still our own. */
function isForeign(proc: string): boolean {
  try {
    readlinkSync(`${proc}/self`)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
  }
}

function numbered(proc: string): string[] {
  try {
    return readdirSync(proc).filter(name => /^\d+$/.test(name))
  } catch {
    return []
  }
}

interface ProcessStat {
  readonly state: string
  readonly parent: number
  readonly threads: number
  readonly ticks: number
  readonly pages: number
  /** In ticks since the machine started: with the number it names one process. */
  readonly startedAt: number
}

export function statOf(path: string): ProcessStat | undefined {
  try {
    const text = readFileSync(path, 'latin1')
    // The name before it may hold anything, parentheses and spaces too.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const at = (field: number) => Number(fields[field - 3] ?? 0)
    return {
      state: fields[0] ?? '',
      parent: at(4),
      threads: at(20),
      ticks: at(14) + at(15) + at(16) + at(17),
      pages: at(24),
      startedAt: at(22),
    }
  } catch {
    return undefined
  }
}

function usedIn(directory: string): number {
  try {
    const { blocks, bfree, bsize } = statfsSync(directory)
    return (blocks - bfree) * bsize
  } catch {
    return 0
  }
}

let page: number | undefined

export const pageBytes = (): number =>
  (page ??= Number(/^KernelPageSize:\s+(\d+)/m.exec(readFileSync('/proc/self/smaps', 'latin1'))?.[1] ?? 4) * 1024)
