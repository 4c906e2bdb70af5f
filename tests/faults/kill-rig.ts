import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { commit } from '../../src/machine/workspace/commit/commit.ts'
import { recover } from '../../src/machine/workspace/commit/recover.ts'
import { dieInCommit, isDecided, judge, recoverWhole, type Report } from './crash-rig.ts'
import { scenarios } from './scenario.ts'
import { makeWorld, type World } from './world.ts'

const real = { commit, recover }
/** In one piece, because what Node does to load each module is traced too. */
export async function bundleChild(directory: string): Promise<string> {
  const child = join(directory, 'kill-child.mjs')
  const bundle = await rolldown({
    input: join(import.meta.dirname, 'kill-child.ts'),
    platform: 'node',
    treeshake: true,
  })
  await bundle.write({ file: child, format: 'esm', codeSplitting: false })
  return child
}

/** Where in a run a call is made: the third `rename`, the hundredth `openat`. */
interface Point {
  readonly call: string
  readonly ordinal: number
}

/** Kills a process by the kernel's hand before each system call of one commit, or of one recovery. */
export function kills(
  action: 'commit' | 'recover',
  number: number,
  stride: number,
  child: string,
): Report & { readonly tried: number } {
  const scenario = scenarios[number]
  if (scenario === undefined) throw new Error(`No scenario ${number}`)
  const world = makeWorld(scenario.before, tmpdir())
  const violations: string[] = []
  let count = 0
  let tried = 0
  const start = (): void => {
    world.reset(scenario.before)
    const opened = world.open()
    opened.store.active()
    opened.close()
    // Half applied, so that the recovery has something to do.
    if (action === 'recover') dieInCommit(real, scenario, world, HALF_WAY[number] ?? 0, false)
  }
  try {
    start()
    for (const [index, { call, ordinal }] of pointsOf(world, child, action, number).entries()) {
      if (index % stride !== 0) continue
      tried++
      start()
      const inject = ['-e', `trace=${call}`, '-e', `inject=${call}:signal=KILL:when=${ordinal}`]
      const ended = trace(world, child, inject, action, number)
      // Start-up varies by a call now and then: a run that was not killed tells nothing.
      if (ended.signal !== 'SIGKILL') continue
      count++
      const decided = isDecided(world)
      recoverWhole(real, world)
      judge(world, scenario, decided, problem => violations.push(`killed at ${call} ${ordinal} (${index}): ${problem}`))
    }
    return { count, tried, violations }
  } finally {
    world.remove()
  }
}

/** Calls that change the disk before the crash that a recovery starts from: past the intent, into the work. */
const HALF_WAY = [12, 20, 60, 40]

/** Memory, threads and signals: dying there is dying before the next call that counts. */
const UNINTERESTING =
  /^(mmap|munmap|mprotect|madvise|brk|futex|epoll_|rt_sig|sched_|gettid|getpid|clock_|prctl|access|exit)/

function pointsOf(world: World, child: string, action: string, number: number): Point[] {
  const log = join(world.path, 'trace')
  const ended = trace(world, child, ['-o', log], action, number)
  if (ended.status !== 0) throw new Error(`The traced run failed: ${ended.stderr}`)
  const seen = new Map<string, number>()
  const points: Point[] = []
  let inside = false
  for (const line of readFileSync(log, 'latin1').split('\n')) {
    const call = /^(\w+)\(/.exec(line)?.[1]
    if (call === undefined) continue
    const ordinal = (seen.get(call) ?? 0) + 1
    seen.set(call, ordinal)
    if (line.includes('/toolwright-begin')) inside = true
    if (line.includes('/toolwright-end')) return points
    if (inside && !UNINTERESTING.test(call)) points.push({ call, ordinal })
  }
  throw new Error('The trace has no end mark')
}

function trace(world: World, child: string, options: readonly string[], action: string, number: number) {
  const quiet = options.includes('-o') ? [] : ['-o', '/dev/null']
  return spawnSync('strace', [...quiet, ...options, process.execPath, child, action, String(number), world.path], {
    encoding: 'utf8',
    // A cache that fills would make other calls in every run.
    env: { ...process.env, NODE_OPTIONS: '', NODE_DISABLE_COMPILE_CACHE: '1' },
  })
}
