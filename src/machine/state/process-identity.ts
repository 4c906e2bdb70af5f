import { readFileSync } from 'node:fs'

/** Identifies a process beyond its pid: pids are reused, especially after a reboot. */
export interface ProcessIdentity {
  readonly pid: number
  /** Start time in the system's terms; empty if the system does not report it. */
  readonly start: string
}

let ownIdentity: ProcessIdentity | undefined

export const thisProcess = (): ProcessIdentity =>
  (ownIdentity ??= { pid: process.pid, start: startOf(process.pid) ?? '' })

/** Returns false only if that very process is known to be gone. */
export function isRunning({ pid, start }: ProcessIdentity): boolean {
  const now = startOf(pid)
  if (now !== undefined) return start === '' || now === start
  return start === '' && exists(pid)
}

/** Reads `/proc`: the boot id and the start in clock ticks since then. Returns undefined if unavailable. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The program name is in brackets and may contain any character, including brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // A zombie has ended: it only waits for its parent.
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
