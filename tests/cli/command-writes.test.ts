// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { useCli } from './rig.ts'

const it = needs('bubblewrap')

describe('what a command changed, on the command line', () => {
  const cli = useCli({ 'a.txt': 'one\n', 'b.txt': 'two\n', 'src/main.ts': 'one\n' })
  const call = (contract: string, tool: string, command: string, ...more: string[]) =>
    cli.call(tool, { command }, '--contract', contract, ...more)
  const SRC = ['--allow', 'exec', '--allow', 'fs:read', '--allow', 'fs:write:src/**']

  it('SG-07: lands in src with fs:write:src/**, and nowhere else', async () => {
    const before = cli.workspace.snapshot()
    for (const line of ['echo x > a.txt', 'rm b.txt', 'mv src/main.ts main.ts', 'mkdir new', 'chmod 755 a.txt'])
      expect((await call('sage', 'Bash', line, ...SRC)).result).toMatchObject({
        ok: false,
        data: { exitCode: 0 },
        error: { code: 'EPERMISSION', message: expect.stringContaining('fs:') },
      })
    expect(cli.workspace.snapshot()).toEqual(before)
    expect((await call('sage', 'Bash', 'echo x > src/main.ts', ...SRC)).result).toMatchObject({ ok: true })
    expect(cli.workspace.read('src/main.ts')).toBe('x\n')
  })

  it('SG-07: is not shown without fs:read where reading is denied, and neither created nor deleted with exec alone', async () => {
    cli.configure({ policy: { defaults: { read: 'deny' } } })
    const before = cli.workspace.snapshot()
    const some = await call('sage', 'Bash', 'ls; cat a.txt b.txt', '--allow', 'exec', '--allow', 'fs:read:b*')
    expect(some.result.data.stdout).toBe('b.txt\ntwo\n')
    const none = await call('sage', 'Bash', 'ls -A; rm -rf a.txt src', '--allow', 'exec')
    expect(none.result).toMatchObject({ ok: true, data: { stdout: '' } })
    expect(none.result.meta.warnings.join()).toContain('fs:read')
    const made = await call('sage', 'Bash', 'echo x > made', '--allow', 'exec')
    expect(made.result).toMatchObject({ ok: false, error: { code: 'EPERMISSION' } })
    expect(cli.workspace.snapshot()).toEqual(before)
  })

  it('is refused in each contract’s own form if no one can be asked, with a plan that lands it', async () => {
    const line = 'echo out; date +%s%N > a.txt'
    const agent = await call('cli-agent', 'run_in_terminal', line, '--allow', 'exec')
    expect(agent).toMatchObject({
      code: 3,
      result: {
        success: false,
        output: expect.stringMatching(/^Error: [^]*Command output:\nout\n$/),
        error: { code: 'not_approved', suggestion: expect.stringContaining('--plan plan-') },
        metadata: { exit_code: 0, stdout_lines: 1 },
      },
    })
    const sage = await call('sage', 'Bash', line, '--allow', 'exec')
    expect(sage.result).toMatchObject({
      ok: false,
      data: { stdout: 'out\n', stderr: '', exitCode: 0 },
      error: { code: 'EPERMISSION', message: expect.stringContaining('--plan plan-') },
    })
    const own = await call('toolwright', 'run', line, '--allow', 'exec')
    expect(own.result).toMatchObject({
      ok: false,
      error: { code: 'rejected', details: { exitCode: 0, stdout: 'out\n', diff: expect.stringContaining('-one') } },
    })
    expect(cli.workspace.read('a.txt')).toBe('one\n')
    const { plan, diff } = own.result.error.details
    const landed = await call('toolwright', 'run', line, '--allow', 'exec', '--allow', 'fs:write', '--plan', plan)
    expect(landed.result).toMatchObject({ ok: true, data: { stdout: 'out\n' } })
    expect(diff).toContain(`+${cli.workspace.read('a.txt')}`)
  })

  it('is named by doctor and policy for rules that allow a command and do not say what it writes', async () => {
    const allow = ['npm test', 'git log', 'ls', { command: 'npm run format', writes: ['src/**'] }]
    cli.configure({ policy: { commands: { allow } } })
    const line = `'npm test' (user:allow npm test) run without a question, but their changes are asked about`
    expect((await cli.run(['doctor'])).out).toContain(line)
    const { out } = await cli.run(['policy'])
    expect(out).toContain(`user:allow npm test: changes by 'npm test' are asked about`)
    for (const silent of ['git log', "'ls'", 'format']) expect(out).not.toContain(silent)
    cli.configure({ policy: { defaults: { write: 'allow' }, commands: { allow } } })
    expect((await cli.run(['policy'])).out).not.toContain('asked about')
  })
})
