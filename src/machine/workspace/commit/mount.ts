import { readFileSync } from 'node:fs'

/**
 * Returns the mount of a held directory. Device numbers are not enough: a bind mount shares its file system's number,
 * but nothing can be renamed across it.
 */
export const mountIdOf = (fd: number): string =>
  /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1] ?? ''

/** Returns the mount point for a message, or undefined if the kernel does not report it. */
export function mountPointOf(fd: number): string | undefined {
  const id = mountIdOf(fd)
  for (const line of readFileSync('/proc/self/mountinfo', 'utf8').split('\n')) {
    const fields = line.split(' ')
    if (fields[0] === id) return fields[4]?.replace(/\\([0-7]{3})/g, (_, octal: string) => unescape(octal))
  }
  return undefined
}

const unescape = (octal: string): string => String.fromCharCode(Number.parseInt(octal, 8))
