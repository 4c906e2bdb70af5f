// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Limits } from '../../src/machine/process/sandbox/types.ts'
import { needs } from '../needs.ts'
import { isLong, limits, noneLeft, openWorld, rounds, worldNames, type World } from './world.ts'

const it = needs('bubblewrap')
const MB = 2 ** 20
/** Far above what a busy machine needs to see that a limit is passed, and far below the time that a command may take. */
const SOON_MS = 25_000
const WALL_MS = 50_000

interface Greedy {
  readonly name: string
  readonly line: string
  readonly ended: string
  readonly most: Partial<Limits>
  /** Slow by its nature, and tried once. */
  readonly once?: true
}

const FORK_BOMB: Greedy = {
  name: 'a fork bomb',
  // Waits in each branch, so that forks that are refused do not let it die by itself.
  line: 'bomb() { bomb & bomb & sleep 30; }; bomb; sleep 30',
  ended: 'processes',
  most: { processes: 64 },
}

/** Nothing but a look stops it where root has no cgroup: the machine is to stay fit for others meanwhile. */
const BOUNDED_BOMB: Greedy = {
  ...FORK_BOMB,
  line: 'bomb() { [ $1 = 0 ] || { bomb $(($1-1)) & bomb $(($1-1)) & }; sleep 30; }; bomb 7; sleep 30',
}

/** 600 MB that no process maps. */
const SOCKET_HOG = `
  use Socket; use Fcntl; my (@kept, $total);
  while ($total < 600 * 1048576) {
    socketpair(my $from, my $to, AF_UNIX, SOCK_STREAM, 0) or die;
    fcntl($from, F_SETFL, O_NONBLOCK);
    while (defined(my $sent = syswrite $from, 'x' x 65536)) { $total += $sent }
    push @kept, $from, $to;
  }
  print 'held'; sleep 5`

/** What uses more than it may, and how. */
const GREEDY: readonly Greedy[] = [
  FORK_BOMB,
  {
    name: 'a memory hog',
    // Grows to more than it may, but to less than the kernel gives one process: only a look detects it.
    line: `node -e 'const kept=[]; setInterval(() => kept.length<50 && kept.push(Buffer.alloc(8*1048576,1)), 5)'`,
    ended: 'memory',
    most: { memoryBytes: 256 * MB },
  },
  {
    name: 'hogs that share the work',
    line: `for i in 1 2 3 4; do node -e 'const kept=[]; const more=()=>{ if(kept.length<8) kept.push(Buffer.alloc(16*1048576,1)); setTimeout(more,20) }; more()' & done; wait`,
    ended: 'memory',
    most: { memoryBytes: 300 * MB },
    once: true,
  },
  { name: 'yes at full speed', line: 'yes', ended: 'output', most: { outputBytes: 4 * MB } },
  {
    name: 'a tree that ignores SIGTERM, with a child in a session of its own',
    line: `trap '' TERM INT HUP; (trap '' TERM; setsid sh -c "trap '' TERM; sleep 60 & sleep 60") & (setsid setsid sleep 60 &) ; sleep 60`,
    ended: 'wall',
    most: { wallMs: 700 },
  },
  {
    name: 'a spinning loop',
    line: 'while :; do :; done',
    ended: 'cpu',
    most: { cpuSeconds: 1 },
    once: true,
  },
  {
    name: 'spinning loops that share the work',
    line: 'for i in 1 2 3 4; do (while :; do :; done) & done; wait',
    ended: 'cpu',
    most: { cpuSeconds: 0.4 },
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

  it('ends a fork bomb where there is no cgroup', () =>
    isEnded(world, isLong ? FORK_BOMB : BOUNDED_BOMB, { cgroup: false }))

  it('leaves one process no more memory than the kernel gives it', async () => {
    const line = `node -e 'const kept=[]; for(;;) kept.push(Buffer.alloc(64*1048576,1))'`
    const { exit, stderr } = await world.sh(line, { limits: { ...limits, memoryBytes: 256 * MB } })
    // Killed, or given no more by the kernel, which node says before it ends by itself.
    const isRefused =
      exit?.code === 1 && /allocation failed|failed to allocate|out of memory|cannot allocate/i.test(stderr)
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

  it('counts buffers of sockets in a memory cgroup, and reports if there is none', async () => {
    const { words } = await world.report()
    const said = words.find(word => word.startsWith('memory:')) ?? ''
    if (!said.startsWith('memory: cgroup')) return expect(said).toContain('NOT counted')
    const { exit, stdout } = await world.one(['/usr/bin/perl', '-e', SOCKET_HOG], {
      limits: { ...limits, memoryBytes: 128 * MB },
    })
    expect([exit?.ended, stdout]).toEqual(['memory', ''])
    return undefined
  })

  it('counts what was used', async () => {
    const { exit } = await world.sh(
      `node -e 'const kept=Buffer.alloc(64*1048576,1); do for(let i=0;i<1e6;i++) kept[i]=i; while(process.cpuUsage().user<250000)'`,
    )
    expect(exit?.cpuMs).toBeGreaterThan(100)
    expect(exit?.maxRssBytes).toBeGreaterThan(64 * MB)
  })
})

/** Ended by the limit that is meant, soon; nothing is left of it, and the next command runs. */
async function isEnded(world: World, { line, ended, most, once }: Greedy, options = {}): Promise<void> {
  const mark = `mark${Math.random().toString(36).slice(2)}`
  const greedy = world.spec(['/bin/bash', '-c', `: ${mark}; ${line}`], {
    limits: { ...limits, wallMs: WALL_MS, ...most },
  })
  const harmless = world.spec(['echo', 'still here'])
  const count = once ? 1 : rounds
  const answers = await world.run(Array.from({ length: count }, () => [greedy, harmless]).flat(), options)
  expect(answers).toHaveLength(count * 2)
  for (const [at, answer] of answers.entries()) {
    if (at % 2 === 1) expect(answer).toMatchObject({ stdout: 'still here\n', exit: { code: 0 } })
    else {
      expect(answer.exit).toMatchObject({ code: null, signal: 'SIGKILL', ended })
      expect(answer.ms).toBeLessThan(SOON_MS)
    }
  }
  expect(await noneLeft(mark)).toEqual([])
}
