// oxlint-disable vitest/no-standalone-expect -- some tests are given by `needs`, which the rule does not see
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useCli } from '../../cli/rig.ts'
import { needs } from '../../needs.ts'
import { timeless, TIME } from './rig.ts'

const cli = useCli({ 'a.txt': 'a\nb\n' })
const CONTRACT = ['--contract', 'cli-agent']
const CREATE = ['create_file', JSON.stringify({ path: 'hello.py', content: 'x'.repeat(125) })]

describe('what the command line prints', () => {
  it('CA-16: people get the ✓ form with location and time', async () => {
    const { code, out } = await cli.run(['call', ...CREATE, ...CONTRACT, '--yes'])
    expect(code).toBe(0)
    const location = join(cli.workspace.path, 'hello.py')
    expect(out.split('\n').slice(0, 3)).toEqual([
      '✓ Created file: hello.py (125 bytes)',
      `  Location: ${location}`,
      expect.stringMatching(/^ {2}Time: [\d.]+ms$/),
    ])
  })

  it.each([
    ['create_file', { path: 'n/deep/hello.py', content: 'x' }, 'n/deep/hello.py'],
    ['create_file', { path: './m/hello.py', content: 'x' }, 'm/hello.py'],
    ['create_directory', { path: 'd/e/f' }, 'd/e/f'],
  ])('CA-16: the location of %s %j is the one that it names', async (tool, input, place) => {
    const call = ['call', tool, JSON.stringify(input), ...CONTRACT]
    for (const more of ['--dry-run', '--yes']) {
      const { code, out } = await cli.run([...call, more])
      const locations = out.split('\n').filter(line => line.startsWith('  Location: '))
      expect([code, locations]).toEqual([0, [`  Location: ${join(cli.workspace.path, place)}`]])
    }
  })

  it('CA-16: --json gives tool and result exactly as printed', async () => {
    const { code, out } = await cli.run(['call', ...CREATE, ...CONTRACT, '--yes', '--json'])
    expect(code).toBe(0)
    const answer = JSON.parse(out)
    expect(Object.keys(answer)).toEqual(['tool', 'success', 'output', 'files_affected', 'execution_time_ms'])
    expect(timeless(answer)).toStrictEqual({
      tool: 'create_file',
      success: true,
      output: 'Created file: hello.py (125 bytes)',
      files_affected: ['hello.py'],
      execution_time_ms: TIME,
    })
  })

  it('CA-16: a dry run says so, in both forms, and changes nothing', async () => {
    const dryRun = ['call', ...CREATE, ...CONTRACT, '--dry-run']
    const { code, out } = await cli.run([...dryRun, '--json'])
    expect(code).toBe(0)
    expect(timeless(JSON.parse(out))).toStrictEqual({
      tool: 'create_file',
      success: true,
      output: 'Dry run, nothing was changed: Created file: hello.py (125 bytes)',
      files_affected: ['hello.py'],
      execution_time_ms: TIME,
    })
    expect((await cli.run(dryRun)).out).toContain('✓ Would do: Created file: hello.py (125 bytes)\n')
    expect(cli.workspace.snapshot()).not.toHaveProperty('hello.py')
  })

  it('CA-16: a failure is told the same way', async () => {
    const read = ['call', 'read_file', '{"path":"missing.txt"}', ...CONTRACT]
    const { code, out } = await cli.run([...read, '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      tool: 'read_file',
      success: false,
      output: "Error: File 'missing.txt' not found",
      error: { code: 'file_not_found' },
    })
    expect((await cli.run(read)).out).toMatch(/^✗ .*missing\.txt.*\n {2}.*\n {2}Time: [\d.]+ms\n$/)
  })

  it('CA-16: lines of calls name the tool of their contract, whichever it is', async () => {
    const input = [
      '{"tool":"list_dir","input":{}}',
      '{"tool":"Read","input":{"file":"a.txt"},"contract":"sage"}',
      '{"tool":"read","input":{"path":"a.txt"},"contract":"toolwright"}',
    ].join('\n')
    const { out } = await cli.run(['call', '--jsonl', ...CONTRACT], { input })
    const [first, second, third] = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(first).toMatchObject({ tool: 'list_dir', success: true, output: 'Contents of .:\n  a.txt\n' })
    expect(second).toMatchObject({ ok: true, data: { content: 'a\nb\n' } })
    expect(second).not.toHaveProperty('tool')
    expect(third).not.toHaveProperty('tool')
  })

  it('CA-16: what was read or found stands below', async () => {
    const { out } = await cli.run(['call', 'read_file', '{"path":"a.txt"}', ...CONTRACT])
    expect(out).toMatch(/^✓ Contents of a\.txt \(lines 1-2\):\n {2}Time: [\d.]+ms\n\na\nb\n$/)
  })
})

describe('a validator that does not pass', () => {
  const LINT = { name: 'lint', command: ['/bin/sh', '-c', 'echo LINT REPORT line 3; exit 1'] }
  const REPLACE = ['replace_string_in_file', JSON.stringify({ path: 'a.txt', old_string: 'a', new_string: 'c' })]
  const MESSAGE = "Nothing was committed: 'lint' did not pass"

  needs('bubblewrap').each([CREATE, REPLACE])('CA-16, SG-22: %s answers with its report', async (...call) => {
    cli.configure({ validators: [LINT] })
    const args = ['call', ...call, ...CONTRACT, '--yes']
    const { success, output, error } = JSON.parse((await cli.run([...args, '--json'])).out)
    expect({ success, output, error }).toEqual({
      success: false,
      output: `Error: ${MESSAGE}\n\nlint reports:\nLINT REPORT line 3`,
      error: { code: 'conflict', message: MESSAGE, suggestion: expect.stringMatching(/^Fix what the validator/) },
    })
    expect((await cli.run(args)).out).toMatch(
      /^✗ Nothing was committed: .*\n[^]*lint reports:\n\s*LINT REPORT line 3\n/,
    )
  })

  needs('bubblewrap')('SG-22: our own contract shows people its report, the end of it where that is long', async () => {
    const LONG = { name: 'types', command: ['/bin/sh', '-c', 'seq 9000; exit 1'] }
    const FINE = { name: 'fine', command: ['/bin/sh', '-c', 'echo nothing to say'] }
    cli.configure({ validators: [LINT, LONG, FINE] })
    const input = { path: 'new.txt', content: 'x', expect: 'absent' }
    const { code, out } = await cli.run(['call', 'write', JSON.stringify(input), '--yes'])
    expect(code).toBe(1)
    expect(out).toMatch(/^✗ Nothing was committed: 'lint', 'types' did not pass\n/)
    expect(out).toMatch(/✗ lint\n {2}LINT REPORT line 3\n✗ types\n {2}…[^]*\n {2}9000\n/)
    expect(out).not.toMatch(/nothing to say|\n {2}1000\n/)
  })
})
