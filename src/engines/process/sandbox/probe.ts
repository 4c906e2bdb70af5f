import { spawnSync } from 'node:child_process'
import { accessSync, closeSync, constants, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Abilities } from './bubblewrap-options.ts'
import { findCgroup, type CgroupPlace } from './cgroup.ts'
import { chain, innerDrop } from './chain.ts'
import { diagnose, type Diagnosis } from './diagnose.ts'
import { machineFacts } from './machine-facts.ts'
import { seccompFilter } from './seccomp.ts'
import type { Situation } from './situation.ts'
import type { Limits, SandboxSpec } from './types.ts'

/** What was found out by trying. */
export type Probed =
  | {
      readonly usable: true
      readonly bubblewrap: string
      readonly version: string
      readonly abilities: Abilities
      readonly cgroup: CgroupPlace | undefined
    }
  | ({ readonly usable: false } & Diagnosis)

const found = new Map<string, Probed>()

/** Tries a sandbox of the shape that commands get, once for each situation in the life of the process. */
export function probe(situation: Situation, root: string): Probed {
  const known = found.get(situation.name)
  if (known) return known
  const fresh = tryOut(situation, root)
  found.set(situation.name, fresh)
  return fresh
}

/** Whether the layers of an overlay can be mounted with their upper one in this directory. */
export function probeOverlay(
  usable: Extract<Probed, { usable: true }>,
  situation: Situation,
  scratch: string,
): boolean {
  const base = mkdtempSync(join(scratch, 'toolwright-probe-'))
  try {
    const [root, upper, work] = ['root', 'upper', 'work'].map(name => join(base, name))
    if (root === undefined || upper === undefined || work === undefined) return false
    for (const directory of [root, upper, work]) mkdirSync(directory)
    const spec = { ...trial(root), tree: { kind: 'overlay', lower: [root], upper, work } } as const
    return attempt({ ...usable, situation, spec }).status === 0
  } finally {
    // The work directory has no permissions at all; for anybody but root that is in the way.
    spawnSync('/bin/chmod', ['-R', 'u+rwx', base])
    rmSync(base, { recursive: true, force: true })
  }
}

function tryOut(situation: Situation, root: string): Probed {
  const bubblewrap = located('bwrap')
  if (bubblewrap === undefined) return { usable: false, ...diagnose(machineFacts(undefined)) }
  const version = /(\d+)\.(\d+)\S*/.exec(spawnSync(bubblewrap, ['--version'], { env: {} }).stdout.toString())
  const minor = Number(version?.[1] ?? 0) * 1000 + Number(version?.[2] ?? 0)
  if (minor < 5)
    return {
      usable: false,
      cause: `bubblewrap ${version?.[0] ?? ''} is too old; 0.5 or newer is needed`,
      mend: `${machineFacts('').install} bubblewrap`,
    }
  const common = { bubblewrap, version: version?.[0] ?? '', cgroup: findCgroup() }
  const abilities = { tmpfsSize: minor >= 7, disableUserns: minor >= 8, userNamespace: true }
  const spec = trial(root)
  const mapped = attempt({ bubblewrap, abilities, situation, spec })
  if (mapped.status === 0) return { usable: true, ...common, abilities }
  const privileged = { ...abilities, userNamespace: false }
  if (situation.name !== 'user' && seccompFilter({ memoryCounted: false }) !== undefined)
    if (attempt({ bubblewrap, abilities: privileged, situation, spec }).status === 0)
      return { usable: true, ...common, abilities: privileged }
  return { usable: false, ...diagnose(machineFacts(mapped.words)) }
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
  const [program = '', ...args] = argv
  const stdio: ('ignore' | 'pipe' | number)[] = ['ignore', 'ignore', 'pipe']
  for (let at = 3; at <= Math.max(...given.keys()); at++) stdio.push(given.get(at) ?? 'ignore')
  try {
    const { status, stderr, error } = spawnSync(program, args, { stdio, env: {}, cwd: '/', timeout: 10_000 })
    return { status, words: `${error ? `${error.message} ` : ''}${String(stderr)}` }
  } finally {
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

/** System places first: a program that the whole boundary rests on is not taken from the user's own directories if it need not be. */
const located = (program: string): string | undefined =>
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
