import { closeSync, openSync, readdirSync, readSync } from 'node:fs'

const CLOSE_ON_EXEC = 0o2000000
/** Longer than the relevant lines. Shared, since every command start uses it. */
const buffer = Buffer.alloc(256)

/** Returns our descriptors above 2 that a started program would inherit, without Node's own. */
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
    // The descriptor of the listing itself.
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
