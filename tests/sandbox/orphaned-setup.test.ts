// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { execFileSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { playing } from './played.ts'
import { openWorld, worldNames, type Played, type World } from './world.ts'

const it = needs('bubblewrap', 'strace')

describe.each(worldNames)('a sandbox whose launcher is killed while it is set up (%s)', name => {
  let world: World
  let slow: Played
  beforeAll(() => {
    world = openWorld(name)
    slow = slowBubblewrap(world.base)
  })
  afterAll(() => world.close())

  it('waits for ever, until our next process ends it', async () => {
    const child = world.start({ specs: [world.spec(['true'])] }, slow)
    const { launcher, inner } = await settingUp(child.pid ?? 0)
    child.kill('SIGKILL')
    await once(child, 'exit')
    // The tracer would keep the one that was killed for the rest of the delay.
    for (const pid of [launcher, parentOf(launcher)]) process.kill(pid, 'SIGKILL')
    await until(() => parentOf(inner) !== launcher)
    expect(isAlive(inner)).toBe(true)

    await ending(world.start({ specs: [world.spec(['true'])] }))
    expect(isAlive(inner)).toBe(false)
  })

  it('is left alone while the process that started it lives', async () => {
    const child = world.start({ specs: [world.spec(['true'])] }, slow)
    const { launcher, inner } = await settingUp(child.pid ?? 0)
    await ending(world.start({ specs: [world.spec(['true'])] }))
    expect(isAlive(inner)).toBe(true)
    for (const pid of [inner, launcher, parentOf(launcher)]) process.kill(pid, 'SIGKILL')
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
})

/** A machine on which bubblewrap's launcher takes its time before it lets its child go on. */
function slowBubblewrap(base: string): Played {
  const installed = execFileSync('which', ['bwrap'], { encoding: 'utf8' }).trim()
  const [real, slow] = [join(base, 'bwrap'), join(base, 'slow-bwrap')]
  copyFileSync(installed, real)
  const delayed = 'strace -o /dev/null -e trace=write -e inject=write:delay_enter=20000000'
  writeFileSync(slow, `#!/bin/sh\n[ "$1" = --version ] && exec ${real} "$@"\nexec ${delayed} ${real} "$@"\n`)
  for (const file of [real, slow]) chmodSync(file, 0o755)
  return playing(`mount --bind ${slow} ${installed}`)
}

/** bubblewrap's two processes below one of ours, once both are there. */
async function settingUp(ours: number): Promise<{ readonly launcher: number; readonly inner: number }> {
  let inner: number | undefined
  await until(() => {
    inner = bubblewraps().find(pid => bubblewraps().includes(parentOf(pid)) && isBelow(pid, ours))
    return inner !== undefined
  })
  return { launcher: parentOf(inner ?? 0), inner: inner ?? 0 }
}

const bubblewraps = (): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter(pid => status(pid).startsWith('Name:\tbwrap\n'))

function isBelow(pid: number, ancestor: number): boolean {
  for (let at = pid; at > 1; at = parentOf(at)) if (at === ancestor) return true
  return false
}

const parentOf = (pid: number): number => Number(/^PPid:\t(\d+)/m.exec(status(pid))?.[1] ?? 0)

/** One that is over stays listed until its parent asks for it. */
const isAlive = (pid: number): boolean => /^State:\t[^ZX]/m.test(status(pid))

function status(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}

async function ending(child: ChildProcess): Promise<void> {
  child.stdin?.end()
  await once(child, 'exit')
}

async function until(holds: () => boolean): Promise<void> {
  const last = performance.now() + 20_000
  while (!holds()) {
    if (performance.now() > last) throw new Error('It did not come to that')
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}
