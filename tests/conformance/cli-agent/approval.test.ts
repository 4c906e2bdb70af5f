import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it, vi } from 'vitest'
import type { StoredApproval } from '../../../src/machine/state/approvals.ts'
import { workspaceState } from '../../../src/machine/state/directory.ts'
import { compilePattern } from '../../../src/guards/approval/pattern.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { fakePages } from '../../../src/testing/fake-web.ts'
import { fakePerson } from '../../../src/testing/fakes.ts'
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

  it('CA-14: always is remembered: the next call of the kind does not ask', async () => {
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
    made: { major: 1, effects: ['create'] },
    ...more,
  })
  /** Makes the call where no one can be asked: only the rule can approve. */
  async function passes(more: Partial<StoredApproval>, input: unknown = { path: 'test2.txt' }): Promise<boolean> {
    const kit = await agent.open({ permissions: [] })
    kit.workspace.approvals.workspace.add({ ...rule(more), workspace: kit.state.key })
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

describe('a rule that is added', () => {
  const add = (tool: string, pattern: string) => cli.run(['policy', 'add', `cli-agent/${tool}`, `--pattern=${pattern}`])
  const call = async (tool: string, json: string): Promise<boolean> =>
    (await cli.run(['call', tool, json, '--contract', 'cli-agent'])).code === 0

  it('CA-15: matches the parameters as they were given: decoded, in the order of the schema, without defaults', async () => {
    const kit = await agent.open({ permissions: [] })
    const rule = { tool: 'cli-agent/fetch_webpage', pattern: String.raw`^{"url":"http://absent.invalid/"}$` }
    kit.workspace.approvals.workspace.add({
      ...rule,
      scope: 'workspace',
      workspace: kit.state.key,
      by: 'ada',
      at: new Date().toISOString(),
      enabled: true,
      made: { major: 1, effects: ['net'] },
    })
    const isAsked = async (input: object) =>
      Object(await kit.call('fetch_webpage', input)).error?.code === 'not_approved'
    expect(await isAsked({ url: 'http://absent.invalid/' })).toBe(false)
    expect(await isAsked({ url: 'http://absent.invalid/', timeout_seconds: 10 })).toBe(true)
    expect(await isAsked({ url: 'http://absent.invalid/x' })).toBe(true)
    expect((await add('create_file', '^{"path":"[a-z]*.txt","content":"x"}$')).code).toBe(0)
    expect(await call('create_file', String.raw`{"content":"\u0078","path":"\u0061.txt"}`)).toBe(true)
    expect(await call('create_file', '{"content":"y","path":"b.txt"}')).toBe(false)
  })

  it.each([
    ['create_file', String.raw`^{"path":".*\.txt"}$`, "leaves out 'content'"],
    ['create_file', '^{"content":"x","path":"a"}$', 'another order'],
    ['create_directory', '^{"directory":"a"}$', "no parameter 'directory'"],
    ['run_in_terminal', 'npm test', 'does not begin with {'],
    ['run_in_terminal', '^{"command":"npm test"$', 'does not end with }'],
    ['create_file', '^(a+)+$', 'does not begin with {'],
    ['run_in_terminal', '^{"command": "echo q"}$', 'no spaces between names and values'],
    ['run_in_terminal', '^{"command": "echo q"}$', 'without spaces, such as {"command":"…"}'],
    ['create_directory', '^{"path":5}$', "'path' never has such a value"],
    ['create_directory', '^{"path":["a"]}$', "'path' never has such a value"],
    ['run_in_terminal', '^{"command":"ls","timeout_seconds":"5"}$', "'timeout_seconds' never has such a value"],
  ])('CA-15: is refused for %s where it is %s, which can never match', async (tool, pattern, why) => {
    const { code, out, err } = await add(tool, pattern)
    expect([code, out + err]).toEqual([2, expect.stringContaining(why)])
    expect((await cli.run(['policy', 'list', '--json'])).out).toBe('[]\n')
  })

  it('CA-15: is not met by a call with a key twice, whichever of the two is meant', async () => {
    await add('create_directory', '^{"path":"a"}$')
    const before = cli.workspace.snapshot()
    for (const json of [
      '{"path":"b","path":"a"}',
      '{"path":"a","path":"b"}',
      String.raw`{"path":"b","\u0070ath":"a"}`,
    ]) {
      const { code, err } = await cli.run(['call', 'create_directory', json, '--contract', 'cli-agent'])
      expect([code, err]).toEqual([2, expect.stringContaining('the key "path" twice')])
      const input = `{"tool":"create_directory","input":${json}}`
      const { out } = await cli.run(['call', '--jsonl', '--contract', 'cli-agent'], { input })
      expect(out).toContain('twice')
    }
    expect(cli.workspace.snapshot()).toEqual(before)
    expect(await call('create_directory', '{"path":"a"}')).toBe(true)
  })

  it.each(['(.*)', '.{1,}', '[ -~]*', '[^;]*', String.raw`\w.*`])(
    'CA-15: is warned of with the wildcard %s over a whole command line',
    async any => {
      const { code, err } = await add('run_in_terminal', `^{"command":"${any}"}$`)
      expect([code, err]).toEqual([0, expect.stringContaining("Warning: it lets any value of 'command' through")])
    },
  )

  it('CA-15: is warned of where it fixes only the beginning of a command line', async () => {
    const { code, err } = await add('run_in_terminal', '^{"command":"git .*"}$')
    expect([code, err]).toEqual([0, "Warning: it covers every command that begins with 'git '\n"])
    expect((await add('run_in_terminal', '^{"command":"git log"}$')).err).toBe('')
  })

  it('CA-15: is named by policy check for the calls that it approves', async () => {
    const check = async (...requests: readonly object[]) => {
      const input = requests.map(request => JSON.stringify({ contract: 'cli-agent', ...request })).join('\n')
      const { out } = await cli.run(['policy', 'check', '--jsonl'], { input })
      return out
        .trim()
        .split('\n')
        .map(line => JSON.parse(line))
    }
    const directory = (path: string) => ({ tool: 'create_directory', input: { path } })
    const command = (line: string) => ({ tool: 'run_in_terminal', input: { command: line } })
    await add('create_directory', '^{"path":"okk"}$')
    await add('run_in_terminal', '^{"command":"make .*"}$')
    await add('create_directory', '^{"path":"[.]vscode"}$')
    const rules = JSON.parse((await cli.run(['policy', 'list', '--json'])).out)
    const [okk, make] = rules.map(({ id }: { readonly id: string }) => id)
    const before = cli.workspace.snapshot()
    const asked = { verdict: 'ask', rule: null }
    const approved = (rule: string) => ({
      verdict: 'allow',
      rule,
      why: expect.stringContaining(`the remembered answer ${rule} approves it, so no one is asked before it runs`),
    })
    expect(
      await check(directory('okk'), directory('other'), command('make all'), command('make all; rm x'), {
        ...directory('okk'),
        contract: 'nope',
      }),
    ).toMatchObject([approved(okk), asked, approved(make), asked, asked])
    expect(await check(directory('.vscode'))).toMatchObject([{ verdict: 'ask' }])
    expect(cli.workspace.snapshot()).toEqual(before)
    expect(JSON.parse((await cli.run(['policy', 'list', '--json'])).out)).toEqual(rules)
    expect(await call('create_directory', '{"path":"okk"}')).toBe(true)
    await cli.run(['policy', 'disable', okk])
    expect(await check(directory('okk'))).toMatchObject([asked])
  })

  it('CA-15: is warned of without anchors, and matched as a whole', async () => {
    const { code, err } = await add('create_directory', '{"path":"a[0-9]"}')
    expect([code, err]).toEqual([0, expect.stringContaining('not between ^ and $')])
    expect(await call('create_directory', '{"path":"a1"}')).toBe(true)
    expect(await call('create_directory', '{"path":"a12"}')).toBe(false)
  })
})

describe('an approval', () => {
  const fetches = { url: 'https://example.com/' }

  it('CA-15: of a dry run does not cover the call itself', async () => {
    const person = fakePerson('always')
    await using web = await fakePages({ [fetches.url]: 'a page' })
    const kit = await agent.open({ permissions: [], approve: person, network: web.network })
    await kit.call('fetch_webpage', fetches, { dryRun: true })
    expect(person.asked.map(({ card }) => card.proposal)).toEqual([undefined])
    await kit.call('fetch_webpage', fetches)
    expect(person.asked).toHaveLength(2)
    await kit.call('fetch_webpage', fetches)
    expect(person.asked).toHaveLength(2)
  })

  it('CA-15: is of the tool as it was: its major version and effects are remembered', async () => {
    await using web = await fakePages({ [fetches.url]: 'a page' })
    const kit = await agent.open({ permissions: [], approve: fakePerson('always'), network: web.network })
    await kit.call('fetch_webpage', fetches)
    expect(kit.workspace.approvals.workspace.list()).toMatchObject([{ made: { major: 1, effects: ['net'] } }])
    await cli.run(['policy', 'add', 'cli-agent/create_directory', '--pattern=^{"path":"a"}$'])
    const added = JSON.parse((await cli.run(['policy', 'list', '--json'])).out)
    expect(added).toMatchObject([{ made: { major: 1, effects: ['create'] } }])
  })

  it('CA-15: of an older version, which did not note the tool, is asked again, and says why', async () => {
    const person = fakePerson('always')
    const kit = await agent.open({ permissions: [], approve: person })
    const old = kit.workspace.approvals.workspace.add({
      tool: 'cli-agent/create_directory',
      pattern: '^{"path":"[a-z]"}$',
      scope: 'workspace',
      workspace: kit.state.key,
      by: 'ada',
      at: new Date().toISOString(),
      enabled: true,
    })
    const why = `the remembered answer ${old.id} no longer counts: an older version of Toolwright stored it`
    const alone = await agent.open({ permissions: [] })
    expect(await alone.call('create_directory', { path: 'a' })).toMatchObject({
      success: false,
      error: { code: 'not_approved', message: expect.stringContaining(why) },
    })
    expect(await kit.call('create_directory', { path: 'a' })).toMatchObject({ success: true })
    expect(person.asked.map(({ card }) => card.why)).toEqual([expect.stringContaining(why)])
    expect(await kit.call('create_directory', { path: 'a' })).toMatchObject({ success: true })
    expect(person.asked).toHaveLength(1)
  })

  it('CA-15: that an older version stored is listed as one that counts no longer', async () => {
    await cli.run(['policy', 'add', 'cli-agent/create_directory', '--pattern=^{"path":"a"}$'])
    const { approvals } = workspaceState(cli.workspace.path, cli.workspace.env)
    const { rules } = JSON.parse(readFileSync(approvals, 'utf8'))
    const old = rules.map(({ made: _made, ...rule }: StoredApproval) => rule)
    writeFileSync(approvals, JSON.stringify({ version: 1, rules: old }))
    expect((await cli.run(['policy', 'list'])).out).toContain('no longer applies: stored by an older version')
  })

  it('CA-15: that has expired stays so when the clock is set back', async () => {
    const kit = await agent.open({ permissions: [] })
    const at = new Date(Date.now() - 2 * HOUR).toISOString()
    const expiresAt = new Date(Date.now() + HOUR).toISOString()
    kit.workspace.approvals.workspace.add({
      tool: 'cli-agent/create_directory',
      pattern: '^{"path":"[a-z]"}$',
      scope: 'workspace',
      workspace: kit.state.key,
      by: 'ada',
      at,
      expiresAt,
      enabled: true,
      made: { major: 1, effects: ['create'] },
    })
    const approves = async (path: string) => {
      const again = await agent.open({ permissions: [] })
      return Object(await again.call('create_directory', { path })).success
    }
    expect(await approves('a')).toBe(true)
    const later = vi.spyOn(systemClock, 'now').mockReturnValue(Date.now() + 2 * HOUR)
    // Does not ask, and leaves a record.
    await kit.call('list_dir', {})
    later.mockRestore()
    expect(await approves('b')).toBe(false)
    expect(kit.workspace.approvals.workspace.list()).toMatchObject([{ expired: true }])
  })
})
