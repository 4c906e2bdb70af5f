import { readFileSync } from 'node:fs'

/**
 * The mount that a held directory lies on. Device numbers do not tell: a bind mount has its file system's own,
 * and yet nothing can be renamed across it.
 */
export const mountIdOf = (fd: number): string =>
  /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1] ?? ''

/** Where that mount begins, for a message; undefined if the kernel does not say. */
export function mountPointOf(fd: number): string | undefined {
  const id = mountIdOf(fd)
  for (const line of readFileSync('/proc/self/mountinfo', 'utf8').split('\n')) {
    const fields = line.split(' ')
    if (fields[0] === id) return fields[4]?.replace(/\\([0-7]{3})/g, (_, octal: string) => unescape(octal))
  }
  return undefined
}

const unescape = (octal: string): string => String.fromCharCode(Number.parseInt(octal, 8))
