// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Limits } from '../../src/engines/process/sandbox/types.ts'
import { needs } from '../needs.ts'
import { limits, noneLeft, openWorld, rounds, worldNames, type World } from './world.ts'

const it = needs('bubblewrap')
const MB = 2 ** 20

interface Greedy {
  readonly name: string
  readonly line: string
  readonly ended: string
  readonly most: Partial<Limits>
  readonly withinMs: number
  /** Slow by its nature, and tried once. */
  readonly once?: true
}

const FORK_BOMB: Greedy = {
  name: 'a fork bomb',
  // Waits in each branch, so that forks that are refused do not let it die by itself.
  line: 'bomb() { bomb & bomb & sleep 30; }; bomb; sleep 30',
  ended: 'processes',
  most: { processes: 64 },
  withinMs: 8000,
}

/** What uses more than it may, how, and how soon it is over. */
const GREEDY: readonly Greedy[] = [
  FORK_BOMB,
  {
    name: 'a memory hog',
    // Without a pause it may meet the kernel's limit for one process before anybody has looked.
    line: `node -e 'const kept=[]; setInterval(() => kept.push(Buffer.alloc(8*1048576,1)), 40)'`,
    ended: 'memory',
    most: { memoryBytes: 256 * MB },
    withinMs: 8000,
  },
  {
    name: 'hogs that share the work',
    line: `for i in 1 2 3 4; do node -e 'const kept=[]; const more=()=>{ if(kept.length<8) kept.push(Buffer.alloc(16*1048576,1)); setTimeout(more,20) }; more()' & done; wait`,
    ended: 'memory',
    most: { memoryBytes: 300 * MB },
    withinMs: 10_000,
    once: true,
  },
  { name: 'yes at full speed', line: 'yes', ended: 'output', most: { outputBytes: 4 * MB }, withinMs: 8000 },
  {
    name: 'a tree that ignores SIGTERM, with a child in a session of its own',
    line: `trap '' TERM INT HUP; (trap '' TERM; setsid sh -c "trap '' TERM; sleep 60 & sleep 60") & (setsid setsid sleep 60 &) ; sleep 60`,
    ended: 'wall',
    most: { wallMs: 700 },
    withinMs: 5000,
  },
  {
    name: 'a spinning loop',
    line: 'while :; do :; done',
    ended: 'cpu',
    most: { cpuSeconds: 1 },
    withinMs: 15_000,
    once: true,
  },
  {
    name: 'spinning loops that share the work',
    line: 'for i in 1 2 3 4; do (while :; do :; done) & done; wait',
    ended: 'cpu',
    most: { cpuSeconds: 1 },
    withinMs: 15_000,
    once: true,
  },
]

describe.each(worldNames)('the limits of a command (%s)', name => {
  let world: World
  beforeAll(() => {
    world = openWorld(name)
  })
  afterAll(() => world.close())

  it.each(GREEDY)('ends $name', greedy => isEnded(world, greedy))

  it('ends a fork bomb where there is no cgroup', () => isEnded(world, FORK_BOMB, { cgroup: false }))

  it('leaves one process no more memory than the kernel gives it, whoever looks', async () => {
    const line = `node -e 'const kept=[]; for(;;) kept.push(Buffer.alloc(64*1048576,1))'`
    const { exit, stderr } = await world.sh(line, { limits: { ...limits, memoryBytes: 256 * MB } })
    // Killed, or given no more by the kernel, which node says before it ends by itself.
    const isRefused = exit?.code === 1 && /allocation failed|out of memory|cannot allocate/i.test(stderr)
    expect(isRefused ? 'memory' : (exit?.ended ?? exit?.code)).toSatisfy(
      (how: unknown) => how === 'memory' || (typeof how === 'number' && how > 128),
    )
  })

  it('keeps files, core files and /tmp inside their sizes', async () => {
    const most = { ...limits, fileBytes: 2 * MB, tmpBytes: 4 * MB }
    const line =
      'ulimit -c; head -c 9000000 /dev/zero > big; for i in 1 2 3 4; do head -c 2000000 /dev/zero > /tmp/f$i; done; stat -c %s big; du -xsb /tmp | cut -f1'
    const { stdout, stderr } = await world.sh(line, { limits: most })
    const [core, file, inTmp] = stdout.trim().split('\n').map(Number)
    expect(core).toBe(0)
    expect(file).toBeLessThanOrEqual(2 * MB)
    expect(inTmp).toBeLessThanOrEqual(4 * MB)
    expect(stderr).toMatch(/File size limit|File too large/)
    expect(stderr).toMatch(/No space left/)
  })

  it('counts what was used', async () => {
    const { exit } = await world.sh(
      `node -e 'const kept=Buffer.alloc(64*1048576,1); while(process.cpuUsage().user<500000); kept[0]=1'`,
    )
    expect(exit?.cpuMs).toBeGreaterThan(100)
    expect(exit?.maxRssBytes).toBeGreaterThan(64 * MB)
  })
})

/** Ended by the limit that is meant, soon; nothing is left of it, and the next command runs. */
async function isEnded(world: World, { line, ended, most, withinMs, once }: Greedy, options = {}): Promise<void> {
  const mark = `mark${Math.random().toString(36).slice(2)}`
  const greedy = world.spec(['/bin/bash', '-c', `: ${mark}; ${line}`], { limits: { ...limits, ...most } })
  const harmless = world.spec(['echo', 'still here'])
  const count = once ? 1 : rounds
  const { answers } = await world.run(Array.from({ length: count }, () => [greedy, harmless]).flat(), options)
  expect(answers).toHaveLength(count * 2)
  for (const [at, answer] of answers.entries()) {
    if (at % 2 === 1) expect(answer).toMatchObject({ stdout: 'still here\n', exit: { code: 0 } })
    else {
      expect(answer.exit).toMatchObject({ code: null, signal: 'SIGKILL', ended })
      expect(answer.ms).toBeLessThan(withinMs)
    }
  }
  expect(await noneLeft(mark)).toEqual([])
}
