import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useCli } from './rig.ts'

const cli = useCli({ 'src/empty/.keep': '', 'read me.txt': 'Hello\n' })

/** Runs a line as a person pastes it into a shell. */
function pasted(line: string, cwd = '.') {
  const { path, env } = cli.workspace
  const { status, stderr } = spawnSync('/bin/sh', ['-c', line], {
    cwd: join(path, cwd),
    env: { ...env, PATH: process.env['PATH'] },
    encoding: 'utf8',
  })
  return { line, status, stderr }
}

const started = async (cwd: string, ...args: string[]): Promise<string> =>
  (await cli.run(['tour', ...args], { cwd, env: { npm_lifecycle_event: 'start' } })).out

const linesAfter = (out: string): readonly string[] =>
  [...(out.split('What next\n')[1] ?? '').matchAll(/^ {2}(node .*?) {3}/gm)].map(([, line = '']) => line)

async function expectToWork(cwd: string, ...args: string[]): Promise<void> {
  const ran = linesAfter(await started(cwd, ...args)).map(line => pasted(line, cwd))
  expect(ran).toHaveLength(6)
  expect(ran.filter(({ status }) => status !== 0)).toEqual([])
}

describe('the lines that toolwright tour prints in a clone', () => {
  const argv = process.argv[1]
  beforeEach(() => void (process.argv[1] = join(import.meta.dirname, '../../dist/cli.cjs')))
  afterEach(() => void (process.argv[1] = argv ?? ''))

  it.each(['.', 'src'])('work as printed at the end, in %s', async cwd => {
    await expectToWork(cwd)
  })

  it('work as printed at the end of a tour in another directory, without a file to show', async () => {
    await expectToWork('.', '--root', join(cli.workspace.path, 'src/empty'))
  })

  it('name the program of the clone in every step', async () => {
    const steps = [...(await started('.')).matchAll(/^\d\. .*\n {2}(.*)$/gm)].map(([, line = '']) => line)
    expect(steps).toHaveLength(7)
    const wrong = steps.map(line => pasted(line)).filter(({ status }) => ![0, 1, 3].includes(status ?? -1))
    expect(wrong).toEqual([])
  })
})
