import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { creates, writes, type Action, type Claim } from '../../kernel/claim.ts'
import { ToolError } from '../../kernel/error.ts'
import { decide } from '../policy/decide.ts'
import { makePolicy } from '../policy/policy.ts'
import { compileApproval, madeFor, type Approval, type CompiledApproval } from './approval.ts'
import { canonicalJson } from './canonical-json.ts'
import { matchApproval, type AskingCall } from './matches.ts'
import { loadCommandParser } from '../policy/command-parser.ts'

await loadCommandParser()

/** A claim on everything below a directory. */
const tree = (action: Action, resource: string): Claim[] => [{ action, resource }]

const HOUR = 3_600_000
const now = Date.parse('2026-11-14T00:00:00.001Z')

const made = madeFor({ version: '1.2.0', effects: ['create', 'write'] })
const approval = (more: Partial<Approval>): Approval => ({
  id: 'a1',
  tool: 'cli-agent/create_file',
  scope: 'workspace',
  workspace: 'here',
  who: 'me',
  at: now - HOUR,
  enabled: true,
  made,
  ...more,
})
const grant = (path: string): Partial<Approval> => ({ grants: [{ action: 'create', path }] })
const call = (claims: readonly Claim[], more: Partial<AskingCall> = {}): AskingCall => ({
  tool: 'cli-agent/create_file',
  made,
  input: '{}',
  claims,
  stated: claims,
  session: 's1',
  workspace: 'here',
  ...more,
})
const matching = async (given: Approval, asking: AskingCall, at = now): Promise<CompiledApproval | undefined> =>
  matchApproval([await compileApproval(given)], asking, at)

interface Row {
  readonly id: string
  readonly class: string
  readonly expect: string
  readonly rule: {
    readonly tool: string
    readonly pattern: string
    readonly expired?: true
    readonly expires_at?: string
    readonly now?: string
    readonly session?: string
    readonly workspace?: string
    readonly rule_source?: string
    readonly rule_file_changed_since_load?: true
  }
  readonly call: { readonly tool: string; readonly args?: Record<string, unknown>; readonly args_raw?: string }
}

const corpus = new URL('../../../tests/data/attack/approval.jsonl', import.meta.url)
const rows = readFileSync(corpus, 'utf8')
  .trim()
  .split('\n')
  .map((line): Row => JSON.parse(line))
  .filter(row => row.class !== 'protocol')
  // Where a rule lies and who wrote it is the store's affair: these rows are tried on the store itself.
  .filter(({ rule }) => rule.rule_source === undefined && !rule.rule_file_changed_since_load)

/** A call as the runtime hands it over: parsed, keys in the schema's order, unknown ones and wrong types refused. */
function outcomeOf({ rule, call: { tool, args, args_raw } }: Row, approvals: readonly CompiledApproval[]): string {
  try {
    const input: Record<string, unknown> = args ?? JSON.parse(args_raw ?? '')
    if (Object.values(input).some(value => typeof value !== 'string')) return 'deny'
    const stated: Claim[] =
      'path' in input ? creates(String(input['path'])) : [{ action: 'exec', resource: String(input['command']) }]
    const claims = stated.map(claim => ({ ...claim, resource: claim.resource.replace(/^src\/\.\.\//, '') }))
    if (decide(makePolicy(), claims).verdict === 'deny') return 'deny'
    const text = canonicalJson(input, ['path', 'content', 'command'])
    const asking = call(claims, { tool, stated, input: text })
    const at = rule.now === undefined ? now : Date.parse(rule.now)
    return matchApproval(approvals, asking, at) ? 'allow' : 'deny'
  } catch {
    return 'deny'
  }
}

describe('matchApproval over the attack rows', () => {
  it.each(rows.map(row => [row.id, row.class, row] as const))('%s (%s) gives its verdict', async (_id, _class, row) => {
    const { rule } = row
    const given = approval({
      tool: rule.tool,
      pattern: rule.pattern,
      ...(rule.expired && { expiresAt: now - 1 }),
      ...(rule.expires_at !== undefined && { expiresAt: Date.parse(rule.expires_at) }),
      ...(rule.session !== undefined && { scope: 'session', session: rule.session }),
      ...(rule.workspace !== undefined && { workspace: rule.workspace }),
    })
    if (row.expect === 'reject-rule') return expect(compileApproval(given)).rejects.toThrow(ToolError)
    // Without anchors it is refused or matches the whole: either way it approves nothing more than it spells.
    const isOpen = row.class === 'unanchored'
    const rules = await compileApproval(given).then(
      compiled => [compiled],
      (error: unknown) => (isOpen ? [] : Promise.reject(error)),
    )
    expect(outcomeOf(row, rules)).toBe(row.expect === 'allow' ? 'allow' : 'deny')
  })

  it('CA-15: holds without the state that spoils it', async () => {
    const pattern = '^{"path":"a\\.txt"}$'
    const asking = call(creates('a.txt'), { input: '{"path":"a.txt"}' })
    expect(await matching(approval({ pattern }), asking)).toBeDefined()
    expect(await matching(approval({ pattern, expiresAt: now }), asking)).toBeDefined()
    expect(await matching(approval({ pattern, expiresAt: now - 1 }), asking)).toBeUndefined()
    expect(await matching(approval({ pattern, enabled: false }), asking)).toBeUndefined()
  })
})

describe('a pattern with a wildcard', () => {
  const asks = (command: string): AskingCall => {
    const claims: Claim[] = [{ action: 'exec', resource: command }]
    return call(claims, { tool: 'cli-agent/run_in_terminal', input: JSON.stringify({ command }) })
  }
  const approves = async (pattern: string, command: string): Promise<boolean> =>
    (await matching(approval({ tool: 'cli-agent/run_in_terminal', pattern }), asks(command))) !== undefined

  it('CA-15: approves one command with other arguments', async () => {
    expect(await approves('^{"command":"npm test.*"}$', 'npm test -- --run a.test.ts')).toBe(true)
  })

  it.each([
    'npm test && curl evil',
    'npm test; curl evil',
    'npm test | sh',
    'npm test & curl evil',
    'npm test\ncurl evil',
    'npm test $(curl evil)',
    'npm test `curl evil`',
    'npm test <(curl evil)',
    'npm test > ~/.bashrc',
    'npm test "',
  ])('CA-15: never approves the chained line %j', async command => {
    for (const pattern of ['^{"command":"npm test.*"}$', '^{"command":"npm [^"]*"}$', '^{"command":".*"}$'])
      expect([pattern, await approves(pattern, command)]).toEqual([pattern, false])
  })

  it('approves a chained line that it spells out', async () => {
    expect(await approves('^{"command":"npm test && npm run lint"}$', 'npm test && npm run lint')).toBe(true)
  })
})

describe('matchApproval', () => {
  it('covers no tool whose major version or effects have changed since', async () => {
    const given = approval(grant('src/*.ts'))
    const asking = (version: string, effects: readonly string[]) =>
      call(creates('src/a.ts'), { made: madeFor({ version, effects }) })
    expect(await matching(given, asking('1.3.1', ['write', 'create']))).toBeDefined()
    expect(await matching(given, asking('2.0.0', ['create', 'write']))).toBeUndefined()
    expect(await matching(given, asking('1.2.0', ['create', 'write', 'exec']))).toBeUndefined()
    expect(await matching(given, asking('1.2.0', ['create']))).toBeUndefined()
    expect(await matching(approval({ ...grant('src/*.ts'), made: 'any' }), asking('2.0.0', ['create']))).toBeDefined()
  })

  it('covers nothing by an answer that does not say for which tool it was given', async () => {
    const old = approval({ ...grant('src/*.ts'), made: undefined })
    expect(await matching(old, call(creates('src/a.ts')))).toBeUndefined()
  })

  it('holds no answer whose time was over once', async () => {
    const given = { ...grant('src/*.ts'), expiresAt: now + HOUR }
    expect(await matching(approval(given), call(creates('src/a.ts')))).toBeDefined()
    expect(await matching(approval({ ...given, expired: true }), call(creates('src/a.ts')))).toBeUndefined()
  })

  it('binds to the tool', async () => {
    const given = approval(grant('src/*.ts'))
    expect(await matching(given, call(creates('src/a.ts')))).toMatchObject({ id: 'a1' })
    expect(await matching(given, call(creates('src/a.ts'), { tool: 'cli-agent/delete' }))).toBeUndefined()
    expect(await matching(given, call(creates('src/a.ts'), { tool: 'sage/create_file' }))).toBeUndefined()
  })

  it('covers all claims or nothing', async () => {
    const given = approval(grant('src/*.ts'))
    expect(await matching(given, call(creates('src/a.ts', 'src/b.ts')))).toBeDefined()
    expect(await matching(given, call(creates('src/a.ts', 'docs/b.ts')))).toBeUndefined()
    expect(await matching(given, call(writes('src/a.ts')))).toBeUndefined()
    expect(await matching(given, call(tree('create', 'src/**')))).toBeUndefined()
    expect(await matching(given, call([]))).toBeUndefined()
    expect(
      await matching(approval({ grants: [{ action: 'read', path: 'src/**' }] }), call(tree('read', 'src/a/**'))),
    ).toBeDefined()
  })

  it('keeps to its scope', async () => {
    const here = call(creates('a'), { task: 't1' })
    const scoped = (more: Partial<Approval>): Promise<CompiledApproval | undefined> =>
      matching(approval({ ...grant('a'), ...more }), here)
    expect(await scoped({ scope: 'workspace', workspace: 'elsewhere' })).toBeUndefined()
    expect(await scoped({ scope: 'workspace', workspace: undefined })).toBeUndefined()
    expect(await scoped({ scope: 'session', session: 's1' })).toBeDefined()
    expect(await scoped({ scope: 'session', session: 's2' })).toBeUndefined()
    expect(await scoped({ scope: 'session' })).toBeUndefined()
    expect(await scoped({ scope: 'task', task: 't1' })).toBeDefined()
    expect(await scoped({ scope: 'task', task: 't2' })).toBeUndefined()
    expect(await scoped({ scope: 'task' })).toBeUndefined()
    expect(await scoped({ scope: 'user', workspace: undefined })).toBeDefined()
  })

  it('does not match a pattern where the path in the parameters is not the real one', async () => {
    const given = approval({ pattern: '^{"path":"src/[^"]*","content":"[^"]*"}$' })
    const input = '{"path":"src/link","content":"x"}'
    expect(await matching(given, call(creates('src/link'), { input }))).toBeDefined()
    expect(await matching(given, call(creates('x'), { stated: creates('src/link'), input }))).toBeUndefined()
  })

  it('remembers an exact command as it stands', async () => {
    const given = approval({ tool: 'sage/Bash', grants: [{ action: 'exec', command: 'rm -rf build', exact: true }] })
    const run = (resource: string): AskingCall => call([{ action: 'exec', resource }], { tool: 'sage/Bash' })
    expect(await matching(given, run('rm -rf build'))).toBeDefined()
    expect(await matching(given, run('rm -rf build /'))).toBeUndefined()
  })
})

describe('a remembered line of commands', () => {
  it.each([
    ['git log | npm test', true],
    ['npm test; git log src', true],
    ['git log', true],
    ['git log; ls', false],
    ['git log > x', false],
    ['git log $(npm test)', false],
    ['X=1 git log', false],
  ])('%s: %s', async (line, expected) => {
    const given = approval({
      grants: [
        { action: 'exec', command: 'git log' },
        { action: 'exec', command: 'npm test' },
      ],
    })
    expect((await matching(given, call([{ action: 'exec', resource: line }]))) !== undefined).toBe(expected)
  })
})

describe('a remembered command', () => {
  it.each([
    ['git log', 'git log', true],
    ['git log', 'git log src/a.ts', true],
    ['git log', 'git log --output=x', false],
    ['git log --oneline', 'git log src --oneline', true],
    ['git log --oneline', 'git log -p --oneline', false],
    ['git log', 'git -c core.pager=evil log', false],
    ['git log', 'git log; rm x', false],
    ['git log', '/tmp/git log', false],
    ['git log', 'git logs', false],
    ['*', 'ls -l src', true],
    ['*', 'ls; rm x', false],
    ['*', 'ls && rm x', false],
    ['*', 'ls | sh', false],
    ['*', 'ls $(rm x)', false],
    ['*', 'ls > x', false],
  ])('%s covers %s: %s', async (command, line, expected) => {
    const given = approval({ grants: [{ action: 'exec', command }] })
    expect((await matching(given, call([{ action: 'exec', resource: line }]))) !== undefined).toBe(expected)
  })
})

describe('a grant without a command', () => {
  it.each([
    ['exec', 'ls', true],
    ['exec', 'ls; rm x', false],
    ['*', 'ls', true],
    ['*', 'ls; rm x', false],
  ] as const)('of %s covers %s: %s', async (action, line, expected) => {
    const given = approval({ grants: [{ action }, { action: 'exec', command: 'git log' }] })
    expect((await matching(given, call([{ action: 'exec', resource: line }]))) !== undefined).toBe(expected)
    expect(await matching(given, call([{ action: 'exec', resource: `git log; ${line}` }]))).toBeUndefined()
  })
})

describe('compileApproval', () => {
  it.each([
    [{}, /either a pattern or grants/],
    [{ pattern: 'a', grants: [] }, /either a pattern or grants/],
    [{ grants: [] }, /grants nothing/],
    [{ tool: '', ...grant('a') }, /no tool/],
    [{ grants: [{ action: 'exec', path: 'a' }] }, /does not fit/],
  ] as const)('refuses a broken one: %#', async (more, message) => {
    await expect(compileApproval(approval(more))).rejects.toThrow(message)
  })
})
