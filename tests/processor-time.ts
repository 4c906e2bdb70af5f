import { readFileSync } from 'node:fs'

/**
 * The milliseconds that this thread has been on a processor. What others do on a busy machine does not count, nor what a
 * virtual machine had taken from it: that looks like work from inside, and is left out of the difference of two times.
 */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000 - stolenMs()
}

/** What others had of all processors, as the kernel counts it in hundredths of a second; nothing where it does not. */
export function stolenMs(): number {
  try {
    const [, all = ''] = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8')) ?? []
    return Number(all.split(' ')[STEAL] ?? 0) * 10
  } catch {
    return 0
  }
}

/** Behind user, nice, system, idle, iowait, irq and softirq. */
const STEAL = 7
