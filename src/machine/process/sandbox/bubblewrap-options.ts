import { lstatSync, readlinkSync, existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { etcOf } from './etc-files.ts'
import { firstShellOptions, type FileSource } from './first-shell.ts'
import { forwarderOptions } from './forwarder.ts'
import { HOME } from './places.ts'
import { SEEDS } from './seeds.ts'
import type { Situation } from './situation.ts'
import type { StandIns } from './stand-ins.ts'
import { treeOptions } from './tree-options.ts'
import type { SandboxSpec } from './types.ts'

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
function procMasks(options: MaskOptions): readonly string[] {
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

/** Abilities of this bubblewrap on this machine. */
export interface Abilities {
  readonly tmpfsSize: boolean
  readonly disableUserns: boolean
  /**
   * Without one, root's own rights set the sandbox up and are dropped inside. That is the only way if /proc is masked,
   * since the kernel lets no user namespace mount a /proc that shows more than the one outside.
   */
  readonly userNamespace: boolean
}

/** Passes content into the sandbox without a mount: bubblewrap copies it from a descriptor. */
export interface Content extends FileSource {
  data(content: string): number
}

export interface OptionParts {
  readonly spec: SandboxSpec
  readonly situation: Situation
  readonly abilities: Abilities
  readonly visible: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly content: Content
  readonly standIns?: StandIns | undefined
  /** Directory of ours with the seeds of deterministic mode. */
  readonly seeds?: string | undefined
  /** Returns the path at which the mounting user finds a place of ours. */
  bridge(path: string): string
}

/** Builds the argument list. Only listed places are visible, and only places listed as writable are writable. */
export function bubblewrapOptions(parts: OptionParts): string[] {
  const { spec, situation, abilities } = parts
  return [
    identity(situation, abilities),
    spec.terminal ? [] : ['--new-session'],
    ['--clearenv', ...Object.entries(parts.env).flatMap(([name, value]) => ['--setenv', name, value])],
    systemFiles(),
    etcOptions(situation, parts.content),
    [
      '--proc',
      '/proc',
      ...procMasks({ hostRoot: situation.uid === 0, tmpfsSize: abilities.tmpfsSize }),
      '--dev',
      '/dev',
    ],
    [...scratch('/dev/shm', spec, abilities), '--remount-ro', '/dev'],
    [...scratch('/tmp', spec, abilities), '--perms', abilities.userNamespace ? '0700' : '0777', '--dir', HOME],
    isBelow('/var', spec.root) ? [] : ['--symlink', '/tmp', '/var/tmp'],
    abilities.userNamespace ? [] : openParents([spec.root, ...parts.visible]),
    parts.visible.flatMap(place => ['--ro-bind', place, place]),
    elsewhere(spec),
    firstShellOptions(abilities, parts.content),
    spec.network ? forwarderOptions(parts.bridge(spec.network.socket)) : [],
    parts.standIns?.options(parts.bridge) ?? [],
    parts.seeds === undefined ? [] : ['--ro-bind', parts.bridge(parts.seeds), SEEDS],
    treeOptions(spec, parts.bridge),
    ['--remount-ro', '/', '--chdir', join(spec.root, spec.cwd)],
  ].flat()
}

/**
 * Options for a directory outside the workspace: in its own layer if the command may change it, otherwise unchanged.
 */
function elsewhere({ tree, shown }: SandboxSpec): string[] {
  const second = tree.kind === 'overlay' ? tree.second : undefined
  if (second === undefined) return shown === undefined ? [] : ['--ro-bind-try', shown, shown]
  const readOnlyPlaces = second.readOnly.map(name => join(second.place, name))
  return ['--bind', second.place, second.place, ...readOnlyPlaces.flatMap(place => ['--ro-bind-try', place, place])]
}

function identity({ insideUid, insideGid }: Situation, abilities: Abilities): string[] {
  const mappingOptions = ['--unshare-user', '--uid', String(insideUid), '--gid', String(insideGid), '--cap-drop', 'ALL']
  const keptForDropping = ['CAP_SETPCAP', 'CAP_SETUID', 'CAP_SETGID'].flatMap(name => ['--cap-add', name])
  return [
    ['--die-with-parent', '--unshare-pid', '--as-pid-1', '--unshare-ipc', '--unshare-net', '--unshare-cgroup-try'],
    abilities.userNamespace ? mappingOptions : ['--cap-drop', 'ALL', ...keptForDropping],
    abilities.userNamespace && abilities.disableUserns ? ['--disable-userns'] : [],
    ['--unshare-uts', '--hostname', 'sandbox'],
  ].flat()
}

const TOP = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']

let system: readonly string[] | undefined

/** /usr and the directories beside it: links on most systems, directories on old ones. */
const systemFiles = (): readonly string[] =>
  (system ??= [
    '--ro-bind',
    '/usr',
    '/usr',
    ...TOP.flatMap(path => {
      const stats = lstatSync(path, { throwIfNoEntry: false })
      if (!stats) return []
      return stats.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]
    }),
  ])

function etcOptions(situation: Situation, content: Content): string[] {
  const { own, files, directories, links } = etcOf(situation)
  return [
    ...Object.entries(own).flatMap(([path, text]) => ['--perms', '0444', '--file', String(content.data(text)), path]),
    ...files.flatMap(path => {
      const fd = content.file(path)
      return fd === undefined ? ['--ro-bind', path, path] : ['--perms', '0444', '--file', String(fd), path]
    }),
    ...directories.flatMap(path => ['--ro-bind', path, path]),
    ...Object.entries(links).flatMap(([path, target]) => ['--symlink', target, path]),
  ]
}

/** If root created them, the command's user could not enter them. */
const openParents = (places: readonly string[]): string[] => {
  const above = (place: string): string[] => (place === '/' ? [] : [...above(dirname(place)), place])
  const parents = new Set(places.flatMap(place => above(dirname(place))))
  return [...parents].flatMap(place => (isBelow('/usr', `${place}/`) ? [] : ['--perms', '0755', '--dir', place]))
}

const isBelow = (outer: string, path: string): boolean => path.startsWith(`${outer}/`)

const scratch = (place: string, { limits }: SandboxSpec, { tmpfsSize }: Abilities): string[] => {
  const size = tmpfsSize ? ['--size', String(limits.tmpBytes)] : []
  return ['--perms', '1777', ...size, '--tmpfs', place]
}
