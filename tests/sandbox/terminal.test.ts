// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { openSandbox } from '../../src/machine/process/sandbox/open-sandbox.ts'
import type { Started } from '../../src/machine/process/sandbox/types.ts'
import { needs } from '../needs.ts'
import { limits, noneLeft, openWorld, worldNames, type World, type WorldName } from './world.ts'

const it = needs('bubblewrap')
const here: readonly WorldName[] = worldNames.filter(name => name !== 'user' || process.getuid?.() !== 0)

describe.each(here)('a terminal in the sandbox (%s)', name => {
  let world: World
  beforeAll(() => {
    world = openWorld(name)
  })
  afterAll(() => world.close())

  const start = (line: string, more = {}): { started: Started; shown: () => string } => {
    const spec = world.spec(['/bin/bash', '-c', line], { terminal: { columns: 91, rows: 33 }, ...more })
    const started = openSandbox({ root: world.root }).start(spec)
    let output = ''
    started.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    return { started, shown: () => output }
  }

  it('is a terminal, of the size that was asked for, and the command has control of it', async () => {
    const { started, shown } = start(
      'test -t 0 && test -t 1 && test -t 2 && stty size && echo to it > /dev/tty; exit 3',
    )
    expect(await started.exit).toMatchObject({ code: 3 })
    expect(shown()).toContain('33 91')
    expect(shown()).toContain('to it')
  })

  it('takes what is typed, and tells a change of its size', async () => {
    const { started, shown } = start(
      'trap "stty size" WINCH; echo ready; while read -r line; do echo "got $line"; [ "$line" = end ] && exit; done',
    )
    await until(() => shown().includes('ready'))
    started.resize?.(120, 40)
    await until(() => {
      started.stdin?.write('more\n')
      return shown().includes('40 120')
    })
    started.stdin?.write('end\n')
    expect(await started.exit).toMatchObject({ code: 0 })
    expect(shown()).toContain('got end')
  })

  it('has job control: a job is stopped, taken up again and interrupted', async () => {
    const { started, shown } = start('exec bash --norc -i')
    const typed = async (text: string, then: RegExp) => {
      started.stdin?.write(text)
      await until(() => then.test(shown()))
    }
    await typed('echo rea""dy\n', /ready/)
    await typed('sh -c "echo runn""ing; sleep 61"\n', /running/)
    await typed('\x1a', /Stopped/)
    await typed('jobs; echo lis""ted\n', /\[1\]\+ +Stopped[^]*listed/)
    await typed('fg; echo co""de $?\n', /listed[^]*sh -c/)
    await typed('\x03', /\^C/)
    started.stdin?.write('exit 4\n')
    expect(await started.exit).toMatchObject({ code: 4 })
  })

  it('is as closed as without one', async () => {
    const { started, shown } = start(
      'grep -E "CapEff|CapBnd|NoNewPrivs|^Seccomp:" /proc/self/status; ls /proc/self/fd; cat /etc/shadow; id -u',
    )
    await started.exit
    expect(shown()).toMatch(/CapEff:\s0{16}\s+CapBnd:\s0{16}\s+NoNewPrivs:\s1\s+Seccomp:\s2/)
    expect(shown()).toContain('/etc/shadow: No such file')
  })

  it('ends with everything that was started in it', async () => {
    const mark = `mark${Math.random().toString(36).slice(2)}`
    const { started } = start(`trap '' HUP TERM; setsid sh -c ": ${mark}; sleep 61" & : ${mark}; sleep 61`, {
      limits: { ...limits, wallMs: 600 },
    })
    expect(await started.exit).toMatchObject({ ended: 'wall' })
    expect(await noneLeft(mark)).toEqual([])
  })
})

async function until(holds: () => boolean): Promise<void> {
  const last = performance.now() + 20_000
  while (!holds()) {
    if (performance.now() > last) throw new Error('It did not come to that')
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
