// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { openSandbox } from '../../src/engines/process/sandbox/open-sandbox.ts'
import { needs } from '../needs.ts'
import { noneLeft, openWorld, processesWith, rounds, worldNames, type World } from './world.ts'

const it = needs('bubblewrap')

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
      expect(await noneLeft(mark)).toEqual([])
      // What it could not remove itself, the next one does.
      await world.run([])
      expect(cgroupsOf(child.pid ?? 0)).toEqual([])
    }
  })

  it('comes to all of it whenever our process is killed, while it is being set up too', async () => {
    for (let round = 0; round < rounds * 4; round++) {
      const mark = marked()
      const child = world.start({ specs: [world.spec(['/bin/sh', '-c', scattered(mark)])] })
      await new Promise(resolve => setTimeout(resolve, 80 + ((round * 37) % 150)))
      child.kill('SIGKILL')
      await once(child, 'exit')
      expect(await noneLeft(mark)).toEqual([])
    }
  })
})

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
      expect(performance.now() - before).toBeLessThan(2000)
      expect(await noneLeft(mark)).toEqual([])
    }
  })

  it('is not held up by children that outlive the command', async () => {
    const mark = marked()
    const answer = await world.sh(`setsid sh -c ": ${mark}; sleep 61" & echo begun; exit 7`)
    expect(answer).toMatchObject({ stdout: 'begun\n', exit: { code: 7 } })
    expect(answer.ms).toBeLessThan(5000)
    expect(await noneLeft(mark)).toEqual([])
  })

  it('tells the exit code, and the signal as shells do', async () => {
    expect((await world.sh('exit 42')).exit).toMatchObject({ code: 42, signal: null })
    expect((await world.sh('kill -SEGV $$')).exit).toMatchObject({ code: 139 })
    expect((await world.one(['no-such-program'])).exit).toMatchObject({ code: 127 })
  })

  it('is never left to a worker thread, with which it would end', async () => {
    const code = `
      const { workerData } = require('node:worker_threads')
      import(workerData.module).then(({ openSandbox }) => openSandbox({ root: workerData.spec.root }).start(workerData.spec))`
    const module = new URL('../../src/engines/process/sandbox/open-sandbox.ts', import.meta.url).href
    const worker = new Worker(code, { eval: true, workerData: { module, spec: world.spec(['true']) } })
    const [error] = await once(worker, 'error')
    expect(String(error)).toContain('started by the main thread')
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

const cgroupsOf = (pid: number): string[] => globSync(`/sys/fs/cgroup/{*/,}toolwright-${pid}-*`)

async function until(holds: () => boolean): Promise<void> {
  const last = performance.now() + 20_000
  while (!holds()) {
    if (performance.now() > last) throw new Error('It did not come to that')
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}
