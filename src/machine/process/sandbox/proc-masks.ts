import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Controls of devices and buses, and load monitors. No command needs to read them. */
const EMPTIED = ['irq', 'bus', 'fs', 'acpi', 'scsi', 'pressure', 'dynamic_debug']
const MASKED = ['sysrq-trigger', 'kcore', 'keys', 'kmsg', 'timer_list', 'kallsyms', 'vmallocinfo', 'mtrr']

const masksByKey = new Map<string, readonly string[]>()

interface MaskOptions {
  /** Reports whether the command keeps the host's uid 0, behind a mapping or not. */
  readonly hostRoot: boolean
  readonly tmpfsSize: boolean
}

/**
 * Options that hide the machine's parts of /proc. With the host's uid 0 this is the boundary: root owns these files and
 * needs no capability to open them. For other users the kernel itself refuses root's files, and each mount costs time.
 */
export function procMasks(options: MaskOptions): readonly string[] {
  const key = JSON.stringify(options)
  const masks = masksByKey.get(key) ?? masksFor(options)
  masksByKey.set(key, masks)
  return masks
}

function masksFor({ hostRoot, tmpfsSize }: MaskOptions): string[] {
  const files = hostRoot
    ? [...new Set([...MASKED, ...restrictedEntries()])]
    : MASKED.filter(name => (modeOf(name) & 0o006) !== 0)
  // Every user can read pressure files.
  const directories = (hostRoot ? EMPTIED : ['pressure']).filter(name => existsSync(inProc(name)))
  // A separate mount is faster than a bind, for which bubblewrap reads the table of all mounts.
  const emptyDirectory = (path: string) =>
    tmpfsSize ? ['--perms', '0555', '--size', '4096', '--tmpfs', path] : ['--ro-bind', path, path]
  return [...readOnly('sys'), ...directories.map(inProc).flatMap(emptyDirectory), ...files.flatMap(maskFile)]
}

const readOnly = (name: string): string[] => (existsSync(inProc(name)) ? ['--ro-bind', inProc(name), inProc(name)] : [])

const maskFile = (name: string): string[] => (existsSync(inProc(name)) ? ['--ro-bind', '/dev/null', inProc(name)] : [])

/** Further entries of this kernel that only their owner may read, or that any user may write. */
const restrictedEntries = (): string[] =>
  readdirSync('/proc').filter(name => {
    const stats = lstatSync(inProc(name), { throwIfNoEntry: false })
    return stats?.isFile() === true && ((stats.mode & 0o222) !== 0 || (stats.mode & 0o004) === 0)
  })

const modeOf = (name: string): number => lstatSync(inProc(name), { throwIfNoEntry: false })?.mode ?? 0

const inProc = (name: string): string => join('/proc', name)
