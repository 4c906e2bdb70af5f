import { closeSync, openSync, readdirSync, readSync } from 'node:fs'

const CLOSE_ON_EXEC = 0o2000000
/** Longer than the lines that matter; one for all, since this is done before each command. */
const buffer = Buffer.alloc(256)

/** The descriptors of ours above 2 that a program we start would inherit; Node's own are not among them. */
export function inheritedDescriptors(): number[] {
  return readdirSync('/proc/self/fd')
    .map(Number)
    .filter(fd => fd > 2 && isInherited(fd))
}

function isInherited(fd: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(fdinfo(fd))?.[1]
    return (Number.parseInt(flags ?? '0', 8) & CLOSE_ON_EXEC) === 0
  } catch {
    // The one that the listing itself was read through.
    return false
  }
}

function fdinfo(fd: number): string {
  const info = openSync(`/proc/self/fdinfo/${fd}`, 'r')
  try {
    return buffer.toString('latin1', 0, readSync(info, buffer))
  } finally {
    closeSync(info)
  }
}
