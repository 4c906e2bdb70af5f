import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const READ_ONLY = ['sys', 'irq', 'bus', 'fs', 'acpi', 'scsi', 'pressure', 'dynamic_debug']
const MASKED = ['sysrq-trigger', 'kcore', 'keys', 'kmsg', 'timer_list', 'kallsyms', 'vmallocinfo', 'mtrr']

const known = new Map<boolean, readonly string[]>()

/**
 * Options that close what of /proc belongs to the machine and not to a process.
 * Where the host's uid stays 0 this is the boundary: root owns these files, and needs no capability to open them.
 * For anybody else the kernel itself refuses what only root may open, and each mount costs time.
 */
export function procMasks(options: { readonly hostRoot: boolean }): readonly string[] {
  const { hostRoot } = options
  const masks = known.get(hostRoot) ?? (hostRoot ? forRoot() : forUsers())
  known.set(hostRoot, masks)
  return masks
}

const forRoot = (): string[] => [
  ...READ_ONLY.flatMap(readOnly),
  ...[...new Set([...MASKED, ...closed()])].flatMap(masked),
]

const forUsers = (): string[] => [
  // Pressure files are open to everybody.
  ...readOnly('sys'),
  ...readOnly('pressure'),
  ...MASKED.filter(name => (modeOf(name) & 0o006) !== 0).flatMap(masked),
]

const readOnly = (name: string): string[] => (existsSync(inProc(name)) ? ['--ro-bind', inProc(name), inProc(name)] : [])

const masked = (name: string): string[] => (existsSync(inProc(name)) ? ['--ro-bind', '/dev/null', inProc(name)] : [])

/** Whatever this kernel has beyond the list that only its owner may read, or that anybody may write. */
const closed = (): string[] =>
  readdirSync('/proc').filter(name => {
    const stats = lstatSync(inProc(name), { throwIfNoEntry: false })
    return stats?.isFile() === true && ((stats.mode & 0o222) !== 0 || (stats.mode & 0o004) === 0)
  })

const modeOf = (name: string): number => lstatSync(inProc(name), { throwIfNoEntry: false })?.mode ?? 0

const inProc = (name: string): string => join('/proc', name)
