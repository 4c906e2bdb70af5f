// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { useCli } from './rig.ts'

const it = needs('bubblewrap')

describe('commands on the command line', () => {
  const cli = useCli({ 'a.txt': 'one\n', '.env': 'TOP=hidden\n' })

  it('CA-10, CA-16: --dry-run shows the diff that a command would make, and changes nothing', async () => {
    const before = cli.workspace.snapshot()
    const line = JSON.stringify({ command: 'sed -i s/one/two/ a.txt; echo new > b.txt' })
    const args = ['call', 'run_in_terminal', line, '--contract', 'cli-agent', '--dry-run']
    const { code, out } = await cli.run([...args, '--allow', 'exec'])
    expect(code).toBe(0)
    for (const part of ['Would do: ', '-one', '+two', '+new']) expect(out).toContain(part)
    expect(cli.workspace.snapshot()).toEqual(before)
    expect((await cli.run(args)).code).not.toBe(0)
  })

  it('CA-16, CA-10: the ✗ form has the document’s sentence, and what was printed until then', async () => {
    const call = (contract: string, tool: string, input: object) =>
      cli.run(['call', tool, JSON.stringify(input), '--contract', contract, '--allow', 'exec'])
    const late = { command: 'echo out; sleep 20', timeout_seconds: 1 }
    expect((await call('cli-agent', 'run_in_terminal', late)).out).toMatch(
      /^✗ Command timed out after 1 seconds\n  Give it more time with timeout_seconds.*\n  Time: .*\n\nCommand output:\nout\n$/,
    )
    const own = await call('toolwright', 'run', { command: 'echo out; sleep 20', timeoutMs: 1000 })
    expect(own.out).toMatch(/^✗ The command took longer than 1 s and was ended\n  Give it .*\n  Time: .*\n\nout\n$/)
  })

  it('doctor tells what holds commands, in red where the sandbox is off', async () => {
    const good = await cli.run(['doctor'])
    expect([good.code, good.out]).toEqual([0, expect.stringContaining('✓ Commands: bubblewrap')])
    cli.configure({ sandbox: 'off', policy: { rules: [{ action: 'read', path: '**/.env*', verdict: 'deny' }] } })
    const off = await cli.run(['doctor'])
    expect([off.code, off.out]).toEqual([1, expect.stringContaining('✗ Commands: THE SANDBOX IS OFF')])
  })

  it('doctor says that a denied path is in the history', async () => {
    const { run } = cli
    const init =
      'git init -q && git add -Af && git -c user.name=a -c user.email=b commit -qm x && git rm -q --cached .env'
    const made = await run(['call', 'run', JSON.stringify({ command: init }), '--allow', 'exec'])
    expect(made.code).toBe(0)
    cli.configure({ policy: { rules: [{ action: 'read', path: '**/.env*', verdict: 'deny' }] } })
    expect((await run(['doctor'])).out).toContain('! History: .env must not be read, but was committed once')
  })
})
