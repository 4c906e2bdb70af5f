import { readFileSync } from 'node:fs'

/** A process that a pid alone does not name: pids are used again, after a restart of the machine above all. */
export interface ProcessIdentity {
  readonly pid: number
  /** When it started, in words of the system; empty where the system does not tell. */
  readonly start: string
}

let own: ProcessIdentity | undefined

export const thisProcess = (): ProcessIdentity => (own ??= { pid: process.pid, start: startOf(process.pid) ?? '' })

/** False only where that very process is known to be gone. */
export function isRunning({ pid, start }: ProcessIdentity): boolean {
  const now = startOf(pid)
  if (now !== undefined) return start === '' || now === start
  return start === '' && exists(pid)
}

/** From `/proc`: the boot it belongs to and its start in clock ticks since then; undefined if nothing is to be had. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program stands in brackets and may hold anything, brackets too.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie has ended: it only waits for its parent to look.
    if (fields[0] === 'Z' || fields[19] === undefined) return undefined
    return `${boot()}:${fields[19]}`
  } catch {
    return undefined
  }
}

let bootId: string | undefined

const boot = (): string => (bootId ??= readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8))

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
