import { spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  readFileSync,
} from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Abilities } from './bubblewrap-options.ts'
import { findCgroup, type CgroupPlace } from './cgroup.ts'
import { chain, innerDrop } from './chain.ts'
import { diagnose, type Diagnosis, type MachineFacts } from './diagnose.ts'
import { recordRunning } from './running-records.ts'
import { seccompFilter } from './seccomp.ts'
import type { Situation } from './situation.ts'
import type { Limits, SandboxSpec } from './types.ts'

const SETTINGS = [
  'kernel.unprivileged_userns_clone',
  'user.max_user_namespaces',
  'kernel.apparmor_restrict_unprivileged_userns',
]

/** Collects the facts for a diagnosis, after a failure. */
function machineFacts(words: string | undefined): MachineFacts {
  const settings = SETTINGS.flatMap(name => {
    const value = read(join('/proc/sys', name.replaceAll('.', '/')))
    return value === undefined ? [] : [[name, value.trim()] as const]
  })
  const root = process.getuid?.() === 0
  return {
    words,
    settings: Object.fromEntries(settings),
    container: container(),
    filtered: /^Seccomp:\s*2/m.test(read('/proc/self/status') ?? ''),
    root,
    install: `${root ? '' : 'sudo '}${installer()}`,
  }
}

function container(): MachineFacts['container'] {
  if (process.env['KUBERNETES_SERVICE_HOST'] !== undefined) return 'kubernetes'
  if (existsSync('/run/.containerenv')) return 'podman'
  return existsSync('/.dockerenv') || /docker|containerd/.test(read('/proc/1/cgroup') ?? '') ? 'docker' : undefined
}

const INSTALLERS = [
  ['/usr/bin/apt-get', 'apt-get install -y'],
  ['/usr/bin/dnf', 'dnf install -y'],
  ['/usr/bin/pacman', 'pacman -S --noconfirm'],
  ['/usr/bin/zypper', 'zypper install -y'],
  ['/sbin/apk', 'apk add'],
] as const

const installer = (): string => INSTALLERS.find(([program]) => existsSync(program))?.[1] ?? 'apt-get install -y'

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

export interface Usable {
  readonly usable: true
  readonly bubblewrap: string
  readonly version: string
  readonly abilities: Abilities
  readonly cgroup: CgroupPlace | undefined
}

/** Result of a trial. */
export type Probed = Usable | ({ readonly usable: false } & Diagnosis)

interface Places {
  readonly root: string
  readonly scratch: string
}

const probes = new Map<string, Probed>()
const overlays = new Map<string, boolean>()

/** Tries a sandbox like those of commands, once per kind of workspace and process. */
export const probe = (situation: Situation, root: string): Probed =>
  rememberFirst(probes, kindOf(situation, [root]), () => tryOut(situation, root))

/** Reports whether an overlay can be mounted over the workspace with its upper layer in this directory. */
export const probeOverlay = (usable: Usable, situation: Situation, places: Places): boolean =>
  rememberFirst(overlays, kindOf(situation, [places.root, places.scratch]), () => tryOverlay(usable, situation, places))

function rememberFirst<T>(known: Map<string, T>, kind: string, find: () => T): T {
  const before = known.get(kind)
  if (before !== undefined) return before
  const fresh = find()
  known.set(kind, fresh)
  return fresh
}

/**
 * Key of directories for which one trial suffices: same file systems, same access rights, and names without special
 * characters for mount.
 */
function kindOf({ name }: Situation, directories: readonly string[]): string {
  const places = directories.map(path => (name !== 'root-on-user' && PLAIN.test(path) ? statSync(path).dev : path))
  return [name, ...places].join('\n')
}

const PLAIN = /^[\w./-]+$/

function tryOverlay(usable: Usable, situation: Situation, places: Places): boolean {
  const base = mkdtempSync(join(places.scratch, 'toolwright-probe-'))
  const [upper, work] = [join(base, 'upper'), join(base, 'work')]
  try {
    for (const directory of [upper, work]) mkdirSync(directory)
    if (situation.name === 'root-on-user') chownSync(upper, situation.uid, situation.gid)
    const tree = { kind: 'overlay', lower: [places.root], upper, work } as const
    return attempt({ ...usable, situation, spec: { ...trial(places.root), tree } }).status === 0
  } finally {
    // The kernel's directory in it has no permissions, which blocks every user except root.
    if (existsSync(join(work, 'work'))) chmodSync(join(work, 'work'), 0o700)
    rmSync(base, { recursive: true, force: true })
  }
}

function tryOut(situation: Situation, root: string): Probed {
  const bubblewrap = locateProgram('bwrap')
  if (bubblewrap === undefined) return { usable: false, ...diagnose(machineFacts(undefined)) }
  const version = /(\d+)\.(\d+)\S*/.exec(spawnSync(bubblewrap, ['--version'], { env: {} }).stdout.toString())
  const minor = Number(version?.[1] ?? 0) * 1000 + Number(version?.[2] ?? 0)
  if (minor < 5)
    return {
      usable: false,
      cause: `bubblewrap ${version?.[0] ?? ''} is too old; 0.5 or newer is needed`,
      fix: `${machineFacts('').install} bubblewrap`,
    }
  const common = { bubblewrap, version: version?.[0] ?? '', cgroup: findCgroup() }
  const abilities = { tmpfsSize: minor >= 7, disableUserns: minor >= 8, userNamespace: true }
  const spec = trial(root)
  const mappedAttempt = attempt({ bubblewrap, abilities, situation, spec })
  if (mappedAttempt.status === 0) return { usable: true, ...common, abilities }
  const withoutNamespace = { ...abilities, userNamespace: false }
  if (situation.name !== 'user' && seccompFilter({ memoryCounted: false }) !== undefined)
    if (attempt({ bubblewrap, abilities: withoutNamespace, situation, spec }).status === 0)
      return { usable: true, ...common, abilities: withoutNamespace }
  return { usable: false, ...diagnose(machineFacts(mappedAttempt.words)) }
}

interface Attempt {
  readonly bubblewrap: string
  readonly abilities: Abilities
  readonly situation: Situation
  readonly spec: SandboxSpec
}

function attempt({ bubblewrap, abilities, situation, spec }: Attempt): { status: number | null; words: string } {
  const parts = { bubblewrap, abilities, situation, spec, memoryCounted: false, tellsInit: false, visible: [], env: {} }
  const { argv, given, remove } = chain(parts, [...innerDrop(situation, abilities), ...spec.argv])
  const [program = '', ...args] = argv()
  const stdio: ('ignore' | 'pipe' | number)[] = ['ignore', 'ignore', 'pipe']
  for (let at = 3; at <= Math.max(...given.keys()); at++) stdio.push(given.get(at) ?? 'ignore')
  const note = recordRunning()
  try {
    const { status, stderr, error } = spawnSync(program, args, { stdio, env: {}, cwd: '/', timeout: 10_000 })
    return { status, words: `${error ? `${error.message} ` : ''}${String(stderr)}` }
  } finally {
    note.remove()
    for (const fd of given.values()) closeSync(fd)
    remove()
  }
}

const TRIAL_LIMITS: Limits = {
  wallMs: 10_000,
  cpuSeconds: 10,
  memoryBytes: 2 ** 30,
  processes: 64,
  fileBytes: 2 ** 20,
  outputBytes: 2 ** 20,
  tmpBytes: 2 ** 20,
  writtenBytes: 2 ** 31,
}

const trial = (root: string): SandboxSpec => ({
  root,
  argv: ['/usr/bin/env', 'true'],
  cwd: '.',
  env: {},
  tree: { kind: 'read-only' },
  readOnly: [],
  hidden: [],
  network: undefined,
  limits: TRIAL_LIMITS,
  stdin: 'none',
})

/** Prefers system directories: the boundary must not depend on a program from the user's directories if avoidable. */
const locateProgram = (program: string): string | undefined =>
  ['/usr/bin', '/usr/local/bin', '/bin', ...(process.env['PATH'] ?? '').split(delimiter)]
    .filter(folder => folder.startsWith('/'))
    .map(folder => join(folder, program))
    .find(isProgram)

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
