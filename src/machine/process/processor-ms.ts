import { readFileSync } from 'node:fs'

/** Length of the unit in which Linux counts. */
const TICK_MS = 10
const [USER, SYSTEM] = [11, 12]

/** Returns the processor time of a process, or undefined if the system does not report it. */
export function processorMs(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The preceding name may contain any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_MS
  } catch {
    return undefined
  }
}
