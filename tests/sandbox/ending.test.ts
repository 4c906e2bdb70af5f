// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { openSandbox } from '../../src/machine/process/sandbox/open-sandbox.ts'
import { needs } from '../needs.ts'
import { isLong, noneLeft, openWorld, processesWith, rounds, worldNames, type World } from './world.ts'

const it = needs('bubblewrap')

/** How long they would run if they were not ended. */
const SLEEP_MS = 61_000

/** Children that leave their session and their parents, with a word in their command lines. */
const scattered = (mark: string): string =>
  `trap '' TERM; for i in 1 2 3 4 5; do (setsid sh -c ": ${mark}; trap '' TERM; sleep 61 & sleep 61" &) ; done; : ${mark}; sleep 61`

const marked = (): string => `mark${Math.random().toString(36).slice(2)}`

describe.each(worldNames)('the end of a command (%s)', name => {
  let world: World
  beforeAll(() => {
    world = openWorld(name)
  })
  afterAll(() => world.close())

  it('comes to all of it when our process is killed', async () => {
    for (let round = 0; round < rounds; round++) {
      const mark = marked()
      const child = world.start({ specs: [world.spec(['/bin/sh', '-c', scattered(mark)])] })
      await until(() => processesWith(mark).length >= 6)
      child.kill('SIGKILL')
      await once(child, 'exit')
      expect(await noneLeft(mark)).toEqual([])
      await until(() => cgroupsOf(child.pid ?? 0).every(isEmpty))
      // What it could not remove itself, the next one does.
      const next = world.start({ specs: [world.spec(['true'])] })
      next.stdin?.end()
      await once(next, 'exit')
      expect(cgroupsOf(child.pid ?? 0)).toEqual([])
    }
  })

  it('comes to all of it whenever our process is killed, while it is being set up too', async () => {
    // Each world waits for other times than the one before.
    const first = worldNames.indexOf(name) * 2
    for (let round = first; round < first + (isLong ? rounds * 4 : 2); round++) {
      const mark = marked()
      const specs = [world.spec(['true']), world.spec(['/bin/sh', '-c', scattered(mark)])]
      const child = world.start({ specs, tells: true })
      await saying(child, 'command 1')
      await new Promise(resolve => setTimeout(resolve, (round * 13) % 60))
      child.kill('SIGKILL')
      await once(child, 'exit')
      await until(() => processesWith(mark).every(isSetup))
      // bubblewrap's child may wait for a parent that was killed with us: the next start ends it.
      const next = world.start({ specs: [world.spec(['true'])] })
      next.stdin?.end()
      await once(next, 'exit')
      expect(await noneLeft(mark)).toEqual([])
    }
  })
})

/** Reports whether bubblewrap still has to become the command; one that is gone will not. */
function isSetup(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('/bwrap\0')
  } catch {
    return true
  }
}

describe('ending a command', () => {
  let world: World
  beforeAll(() => {
    world = openWorld(worldNames[0] ?? 'user')
  })
  afterAll(() => world.close())

  it.each(['cancelled', 'output'] as const)('works at any time, and says why (%s)', async why => {
    const sandbox = openSandbox({ root: world.root })
    for (const after of [0, 1, 5, 20, 60]) {
      const mark = marked()
      const started = sandbox.start(world.spec(['/bin/sh', '-c', scattered(mark)]))
      started.stdout.resume()
      started.stderr.resume()
      if (after > 0) await new Promise(resolve => setTimeout(resolve, after))
      const before = performance.now()
      started.end(why)
      expect(await started.exit).toMatchObject({ code: null, signal: 'SIGKILL', ended: why })
      expect(performance.now() - before).toBeLessThan(SLEEP_MS / 3)
      expect(await noneLeft(mark)).toEqual([])
    }
  })

  it('is not held up by children that outlive the command', async () => {
    const mark = marked()
    const answer = await world.sh(`setsid sh -c ": ${mark}; sleep 61" & echo begun; exit 7`)
    expect(answer).toMatchObject({ stdout: 'begun\n', exit: { code: 7 } })
    expect(answer.ms).toBeLessThan(SLEEP_MS / 3)
    expect(await noneLeft(mark)).toEqual([])
  })

  it('tells the exit code, and the signal as shells do', async () => {
    expect((await world.sh('exit 42')).exit).toMatchObject({ code: 42, signal: null })
    expect((await world.sh('kill -SEGV $$')).exit).toMatchObject({ code: 139 })
    expect((await world.one(['no-such-program'])).exit).toMatchObject({ code: 127 })
  })

  it('leaves signals to the command, and says nothing of its own about them', async () => {
    const caught = await world.sh("trap 'echo caught; exit 5' INT TERM; kill -INT $$; sleep 61")
    expect(caught).toMatchObject({ stdout: 'caught\n', stderr: '', exit: { code: 5 } })
    const killed = await world.sh('kill -KILL $$')
    expect(killed).toMatchObject({ stdout: '', stderr: '', exit: { code: 137 } })
    const group = await world.sh("trap 'echo caught; exit 6' INT; kill -INT 0; sleep 61")
    expect(group).toMatchObject({ stdout: 'caught\n', exit: { code: 6 } })
    expect(await world.sh('kill -9 1; kill -TERM 1; kill -INT 1; echo here; exit 3')).toMatchObject({
      stdout: 'here\n',
      exit: { code: 3 },
    })
  })

  it('begins with the command’s own word, not with a builtin of a shell', async () => {
    expect((await world.one(['exit', '3'])).exit).toMatchObject({ code: 127 })
    expect((await world.one(['eval', 'exit 3'])).exit).toMatchObject({ code: 127 })
  })

  it('collects what was orphaned meanwhile', async () => {
    const line = 'for i in 1 2 3 4 5; do (sh -c "exit" &); done; sleep 0.3; ps -eo stat= | grep -c Z'
    expect(await world.sh(line)).toMatchObject({ stdout: '0\n' })
  })

  needs('bubblewrap', 'strace')('leaves debuggers the children of the command', async () => {
    const answer = await world.sh('strace -f -e trace=none sh -c "sh -c \'exit 9\'"')
    expect(answer.exit).toMatchObject({ code: 9 })
    expect(answer.stderr).toContain('exited with 9')
    const attached = await world.sh('sleep 0.4 & strace -e trace=none -p $!')
    expect(attached.stderr).toMatch(/attached[^]*exited with 0/)
  })

  it('is never left to a worker thread, with which it would end', async () => {
    const code = `
      const { workerData } = require('node:worker_threads')
      import(workerData.module).then(({ openSandbox }) => openSandbox({ root: workerData.spec.root }).start(workerData.spec))`
    const module = new URL('../../src/machine/process/sandbox/open-sandbox.ts', import.meta.url).href
    const worker = new Worker(code, { eval: true, workerData: { module, spec: world.spec(['true']) } })
    const [error] = await once(worker, 'error')
    expect(String(error)).toContain('Only the main thread can start commands')
  })

  it('reads standard input to its end', async () => {
    const started = openSandbox({ root: world.root }).start(world.spec(['/usr/bin/wc', '-c'], { stdin: 'pipe' }))
    let stdout = ''
    started.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    started.stderr.resume()
    started.stdin?.end('x'.repeat(300_000))
    await started.exit
    expect(stdout.trim()).toBe('300000')
  })
})

/** Waits until a process has printed a word. */
async function saying({ stdout }: ChildProcess, word: string): Promise<void> {
  let said = ''
  for await (const chunk of stdout?.iterator({ destroyOnReturn: false }) ?? [])
    if ((said += chunk).includes(word)) return
  throw new Error(`It ended, and said: ${said}`)
}

const cgroupsOf = (pid: number): string[] => globSync(`/sys/fs/cgroup/{*/,}toolwright-${pid}-*`)

/** One that is gone was empty: any process of ours removes those that it finds. */
function isEmpty(cgroup: string): boolean {
  try {
    return readFileSync(join(cgroup, 'cgroup.procs'), 'utf8') === ''
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENODEV')) return true
    throw error
  }
}

async function until(holds: () => boolean): Promise<void> {
  const last = performance.now() + 20_000
  while (!holds()) {
    if (performance.now() > last) throw new Error('It did not come to that')
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}
