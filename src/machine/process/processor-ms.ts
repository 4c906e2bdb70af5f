import { readFileSync } from 'node:fs'

/** Of the unit in which Linux counts. */
const TICK_MS = 10
const [USER, SYSTEM] = [11, 12]

/** The processor time that a process has used; undefined if the system does not say. */
export function processorMs(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name before may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_MS
  } catch {
    return undefined
  }
}
