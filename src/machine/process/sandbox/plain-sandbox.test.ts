import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSandbox } from './open-sandbox.ts'
import type { SandboxSpec } from './types.ts'

const limits = {
  wallMs: 10_000,
  cpuSeconds: 10,
  memoryBytes: 2 ** 30,
  processes: 200,
  fileBytes: 2 ** 20,
  outputBytes: 2 ** 20,
  tmpBytes: 2 ** 20,
  writtenBytes: 2 ** 31,
}

describe('commands with the sandbox turned off', () => {
  let root: string
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-test-')))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  const start = (line: string, more: Partial<SandboxSpec> = {}) => {
    const started = openSandbox({ root, off: true }).start({
      root,
      argv: ['/bin/sh', '-c', line],
      cwd: '.',
      env: { GIVEN: 'given' },
      tree: { kind: 'direct' },
      readOnly: [],
      hidden: [],
      network: undefined,
      limits,
      stdin: 'none',
      ...more,
    })
    let stdout = ''
    started.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    started.stderr.resume()
    return { started, stdout: () => stdout }
  }

  it('are reported in strong words', () => {
    const report = openSandbox({ root, off: true }).report()
    expect(report).toMatchObject({ usable: true, situation: 'none', overlay: false })
    expect(report.words[0]).toMatch(/THE SANDBOX IS OFF/)
  })

  it('run as they are, with the environment they were given', async () => {
    const { started, stdout } = start('echo "$GIVEN $SECRET_OF_OURS"; pwd; echo x > written; exit 3')
    expect(await started.exit).toMatchObject({ code: 3, signal: null })
    expect(stdout()).toBe(`given \n${root}\n`)
    expect(readFileSync(join(root, 'written'), 'utf8')).toBe('x\n')
  })

  it('SG-24: get the same random numbers and time again in deterministic mode, and leave no seeds', async () => {
    const outputs = ['', '']
    for (const round of outputs.keys()) {
      const argv = ['/bin/bash', '-c', 'echo $RANDOM $RANDOM $EPOCHSECONDS $BASH_ENV ${LD_PRELOAD:-none}']
      const { started, stdout } = start('', { argv, fixed: true })
      expect(await started.exit).toMatchObject({ code: 0 })
      outputs[round] = stdout()
    }
    const [first = [], second = []] = outputs.map(output => output.trim().split(' '))
    expect(first.slice(0, 3)).toEqual(second.slice(0, 3))
    expect(first[2]).toBe('315532800')
    // libfaketime would leave files in the /dev/shm of this machine.
    expect(first[4]).toBe('none')
    expect([first[3], second[3]].map(file => existsSync(file ?? root))).toEqual([false, false])
  })

  it('end with all that they started, in other sessions too', async () => {
    const { started, stdout } = start(
      '(setsid sh -c "trap : TERM; sleep 62 & echo \\$!; wait" &); trap "" TERM; sleep 62',
      {
        limits: { ...limits, wallMs: 700 },
      },
    )
    expect(await started.exit).toMatchObject({ code: null, signal: 'SIGKILL', ended: 'wall' })
    expect(Number(stdout())).toBeGreaterThan(0)
    expect(isRunning(Number(stdout()))).toBe(false)
  })

  it('cannot see a staged tree', () => {
    const tree = { kind: 'overlay', lower: [root], upper: root, work: root } as const
    expect(() => start('true', { tree })).toThrow('cannot see a staged tree')
  })

  it('keep the limits of the kernel', async () => {
    const { started, stdout } = start('ulimit -c; ulimit -t; head -c 3000000 /dev/zero > big; stat -c %s big')
    await started.exit
    expect(stdout()).toBe('0\n10\n1048576\n')
  })
})

/** A process that was not reaped yet is no longer running. */
function isRunning(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== ''
  } catch {
    return false
  }
}
