import { readdirSync, readFileSync, readlinkSync, statfsSync } from 'node:fs'

/** Total usage of all processes of one sandbox. */
interface TreeFacts {
  /** Processes and threads, as the kernel's limits count them. */
  readonly tasks: number
  readonly cpuMs: number
  readonly residentBytes: number
  /** Size of the private /tmp. */
  readonly tmpBytes: number
}

/** The kernel's time unit in /proc, equal on every machine that Node supports. */
const TICKS_PER_MS = 100 / 1000

/**
 * Reads the /proc of the sandbox's first process, which lists exactly the processes of its namespace. Stops above
 * `enough` processes, because each look at a fork bomb lets it grow. Returns undefined during setup and after the end.
 */
export function treeFacts(init: number, enough: number): TreeFacts | undefined {
  const proc = `/proc/${init}/root/proc`
  const processes = isForeign(proc) ? pidsIn(proc) : []
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

/** Returns the memory with shared pages counted once: exact, but too slow for every look. */
export function proportionalBytes(init: number): number {
  const proc = `/proc/${init}/root/proc`
  let kilobytes = 0
  for (const pid of pidsIn(proc)) {
    try {
      kilobytes += Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`${proc}/${pid}/smaps_rollup`, 'latin1'))?.[1] ?? 0)
    } catch {
      // It has just ended.
    }
  }
  return kilobytes * 1024
}

/** The /proc of a foreign namespace has no `self`; until it is mounted, /proc is still our own. */
function isForeign(proc: string): boolean {
  try {
    readlinkSync(`${proc}/self`)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
  }
}

function pidsIn(proc: string): string[] {
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
  /** In ticks since boot; identifies a process together with its number. */
  readonly startedAt: number
}

export function statOf(path: string): ProcessStat | undefined {
  try {
    const text = readFileSync(path, 'latin1')
    // The preceding name may contain any character, including parentheses and spaces.
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
