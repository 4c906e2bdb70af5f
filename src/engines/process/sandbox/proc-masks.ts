import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const READ_ONLY = ['sys', 'irq', 'bus', 'fs', 'acpi', 'scsi', 'pressure', 'dynamic_debug']
const MASKED = ['sysrq-trigger', 'kcore', 'keys', 'kmsg', 'timer_list', 'kallsyms', 'vmallocinfo', 'mtrr']

let known: readonly string[] | undefined

/**
 * Options that close what of /proc belongs to the machine and not to a process.
 * Where the host's uid stays 0 this is the boundary: root owns these files, and needs no capability to open them.
 */
export function procMasks(): readonly string[] {
  const existing = (names: readonly string[]) => [...new Set(names)].map(inProc).filter(path => existsSync(path))
  return (known ??= [
    existing(READ_ONLY).map(path => ['--ro-bind', path, path]),
    existing([...MASKED, ...closed()]).map(path => ['--ro-bind', '/dev/null', path]),
  ].flat(2))
}

/** Whatever this kernel has beyond the list that only its owner may read, or that anybody may write. */
const closed = (): string[] =>
  readdirSync('/proc').filter(name => {
    const stats = lstatSync(inProc(name), { throwIfNoEntry: false })
    return stats?.isFile() === true && ((stats.mode & 0o222) !== 0 || (stats.mode & 0o004) === 0)
  })

const inProc = (name: string): string => join('/proc', name)
