import { describe, expect, it } from 'vitest'
import type { StoredApproval } from '../../../src/machine/state/approvals.ts'
import { compilePattern } from '../../../src/guards/approval/pattern.ts'
import { useCli } from '../../cli/rig.ts'
import { useAgent } from './rig.ts'

const cli = useCli({ 'test.txt': 'old\n' })
const agent = useAgent({ 'test.txt': 'old\n' })
const HOUR = 3_600_000

describe('the prompt', () => {
  it('CA-14: shows tool, parameters, files, risk, and asks', async () => {
    const call = ['call', 'create_file', JSON.stringify({ path: 'hello.py', content: 'x'.repeat(20) })]
    const { code, err } = await cli.run([...call, '--contract', 'cli-agent'], { person: ['y'] })
    expect(code).toBe(0)
    const lines = err.replaceAll('\r', '').trimStart().split('\n')
    expect(lines.slice(0, 6)).toEqual([
      'Tool: create_file',
      'Parameters:',
      '  path: hello.py',
      '  content: <20 bytes>',
      'Files affected: hello.py',
      'Risk level: safe_write',
    ])
    expect(lines.at(-3)).toBe('')
    expect(lines.at(-2)).toContain('Approve? (y/n/always): ')
    expect(cli.workspace.read('hello.py')).toBe('x'.repeat(20))
  })

  it('CA-14: long content is shown by its size, and a no changes nothing', async () => {
    const content = 'x'.repeat(5000)
    const call = ['call', 'create_file', JSON.stringify({ path: 'big.txt', content })]
    const before = cli.workspace.snapshot()
    const { code, err, out } = await cli.run([...call, '--contract', 'cli-agent', '--json'], { person: ['n'] })
    expect(code).toBe(3)
    expect(err).toContain('  content: <5000 bytes>\n')
    expect(JSON.parse(out)).toMatchObject({ tool: 'create_file', success: false, error: { code: 'not_approved' } })
    expect(cli.workspace.snapshot()).toEqual(before)
  })

  it('CA-14: always is remembered: the next call of the kind asks nobody', async () => {
    const call = (path: string) => [
      'call',
      'create_file',
      JSON.stringify({ path, content: '' }),
      '--contract',
      'cli-agent',
    ]
    const first = await cli.run(call('src/one.py'), { person: ['always'] })
    expect(first).toMatchObject({ code: 0, err: expect.stringContaining('Risk level: safe_write') })
    const { code, err } = await cli.run(call('src/two.py'), { person: [] })
    expect([code, err]).toEqual([0, ''])
  })

  it('CA-14: a replacement shows dangerous, and the web its address', async () => {
    const input = JSON.stringify({ path: 'test.txt', old_string: 'old', new_string: 'new' })
    const { err } = await cli.run(['call', 'replace_string_in_file', input, '--contract', 'cli-agent'], {
      person: ['n'],
    })
    expect(err).toContain('Risk level: dangerous')
    const web = JSON.stringify({ url: 'https://example.com/x' })
    const fetched = await cli.run(['call', 'fetch_webpage', web, '--contract', 'cli-agent'], { person: ['n'] })
    expect(fetched.err).toContain('  url: https://example.com/x\n')
    expect(fetched.err).toContain('Files affected: none\nRisk level: dangerous\n')
  })
})

describe('rules', () => {
  const rule = (more: Partial<StoredApproval> = {}): Omit<StoredApproval, 'id'> => ({
    tool: 'cli-agent/create_directory',
    pattern: String.raw`^{"path":".*\.txt"}$`,
    scope: 'workspace',
    by: 'ada',
    at: new Date(Date.now() - HOUR).toISOString(),
    expiresAt: new Date(Date.now() + HOUR).toISOString(),
    enabled: true,
    ...more,
  })
  /** Makes the call with nobody there to ask: only the rule can say yes. */
  async function passes(more: Partial<StoredApproval>, input: unknown = { path: 'test2.txt' }): Promise<boolean> {
    const kit = await agent.open({ permissions: [] })
    kit.workplace.approvals.workspace.add({ ...rule(more), workspace: kit.state.key })
    return Object(await kit.call('create_directory', input)).success
  }

  it('CA-15: matches by exact tool name and an expression over the serialized parameters', async () => {
    expect(await passes({})).toBe(true)
  })

  it.each([
    ['another tool', { tool: 'cli-agent/create_file' }],
    ['a tool by part of its name', { tool: 'cli-agent/create' }],
    ['an expression that does not fit', { pattern: String.raw`^{"path":".*\.md"}$` }],
    ['a rule that has expired', { expiresAt: new Date(Date.now() - 1).toISOString() }],
    ['a rule that is disabled', { enabled: false }],
  ])('CA-15: does not match %s', async (_what, more) => {
    expect(await passes(more)).toBe(false)
  })

  it('CA-15: the whole of the parameters must match', async () => {
    expect(await passes({ pattern: String.raw`{"path":"test` })).toBe(false)
    expect(await passes({}, { path: 'test.txt/../x' })).toBe(false)
  })

  it('CA-15: an expression that is none is refused when it is loaded', () => {
    expect(() => compilePattern('(')).toThrow(/pattern/i)
  })
})
