import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ensurePassed, type Validated } from '../workspace/validators.ts'
import { runValidators } from './validate.ts'

let directory: string
beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-validate-')))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const run = async (script: string, timeoutMs = 5_000): Promise<Validated> => {
  const command = ['/bin/sh', '-c', script]
  const [result] = await runValidators(directory, [{ name: 'check', command, timeoutMs }])
  if (!result) throw new Error('nothing ran')
  return result
}

/** Reports whether the process whose id was written there is still running. */
const isRunning = (file: string): boolean => {
  const pid = readFileSync(join(directory, file), 'utf8').trim()
  const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ' Z '
  return !/\) [ZX] /.test(stat) && !stat.includes(' Z ')
}

/** Ends the one that nothing else would end. */
const endChild = () => process.kill(Number(readFileSync(join(directory, 'child'), 'utf8')), 'SIGKILL')

describe('runValidators', () => {
  it('passes what ends with 0, and keeps what both streams print', async () => {
    expect(await run('pwd; echo warning >&2')).toEqual({
      name: 'check',
      passed: true,
      output: expect.stringContaining(directory),
      durationMs: expect.any(Number),
    })
    expect((await run('echo warning >&2; exit 3')).output).toBe('warning\n')
    expect((await run('exit 3')).passed).toBe(false)
    expect((await run('kill -9 $$')).passed).toBe(false)
  })

  it('SG-24: gives the same random numbers and time again in deterministic mode, and leaves no seeds', async () => {
    const command = ['/bin/bash', '-c', 'echo $RANDOM $EPOCHSECONDS $BASH_ENV']
    const again = () => runValidators(directory, [{ name: 'chance', command, timeoutMs: 5_000 }], { fixed: true })
    const [[first], [second]] = [await again(), await again()]
    const [number, time, file = directory] = first?.output.trim().split(' ') ?? []
    expect(second?.output).toMatch(new RegExp(`^${number} ${time} `))
    expect(time).toBe('315532800')
    expect(existsSync(file)).toBe(false)
  })

  it('runs all of them, so that one answer names every failure', async () => {
    const validator = (name: string, code: number) => ({
      name,
      command: ['/bin/sh', '-c', `exit ${code}`],
      timeoutMs: 60_000,
    })
    const results = await runValidators(directory, [validator('types', 1), validator('lint', 0), validator('tests', 2)])
    expect(results.map(({ name, passed }) => [name, passed])).toEqual([
      ['types', false],
      ['lint', true],
      ['tests', false],
    ])
    expect(() => ensurePassed(results)).toThrow("Nothing was committed: 'types', 'tests' did not pass")
    expect(() => ensurePassed(results.filter(({ passed }) => passed))).not.toThrow()
  })

  it('fails one that cannot be started, and says so', async () => {
    const missing = { name: 'check', command: ['no-such-program-here'], timeoutMs: 60_000 }
    expect(await runValidators(directory, [missing])).toMatchObject([
      { passed: false, output: expect.stringContaining('Could not run no-such-program-here') },
    ])
  })

  it('ends one that takes too long, together with its children', async () => {
    const started = Date.now()
    const result = await run('sleep 60 & echo $! > child; echo begun; wait', 3_000)
    expect(result).toMatchObject({ passed: false, output: 'begun\nEnded after 3 s\n' })
    expect(Date.now() - started).toBeLessThan(30_000)
    await pause(50)
    expect(isRunning('child')).toBe(false)
  })

  it('does not wait for what it leaves running behind', async () => {
    const started = Date.now()
    expect(await run('sleep 60 & echo $! > child; echo done', 30_000)).toMatchObject({ passed: true, output: 'done\n' })
    expect(Date.now() - started).toBeLessThan(30_000)
    await pause(50)
    expect(isRunning('child')).toBe(false)
  })

  it('does not wait for one that left its group and holds the output open', async () => {
    const started = Date.now()
    const result = await run('setsid sleep 60 & echo $! > child; echo done', 30_000)
    expect(result).toMatchObject({ passed: true, output: 'done\n' })
    expect(Date.now() - started).toBeLessThan(30_000)
    endChild()
    expect((await run('setsid sleep 60 & echo $! > child; sleep 60', 200)).passed).toBe(false)
    endChild()
  })

  it('keeps the end of a long output', async () => {
    const { output } = await run('i=0; while [ $i -lt 20000 ]; do echo "line $i"; i=$((i+1)); done; echo the end')
    expect(output.length).toBeLessThanOrEqual(32 * 1024)
    expect(output.endsWith('line 19999\nthe end\n')).toBe(true)
  })

  it('hands on no variable that could hold a secret', async () => {
    vi.stubEnv('GITHUB_TOKEN', 'do-not-tell')
    try {
      const { output } = await run('env')
      expect(output).toContain('PATH=')
      expect(output).not.toContain('do-not-tell')
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it('gives no input to wait for', async () => {
    expect((await run('cat; echo over')).output).toBe('over\n')
  })
})
