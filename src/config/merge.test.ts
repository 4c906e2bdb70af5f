import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { configJsonSchema, type ConfigFile } from './schema.ts'
import { parseConfig } from './file.ts'
import { ENGINES } from './file.ts'
import { mergeConfig, type Config } from './merge.ts'
import { creates, execs, nets, reads, writes, type Claim } from '../kernel/claim.ts'
import { decide } from '../guards/policy/decide.ts'
import { makePolicy } from '../guards/policy/policy.ts'
import { loadCommandParser } from '../guards/policy/command-parser.ts'

await loadCommandParser()

const DAY = 86_400_000
const parse = (value: unknown): Promise<ConfigFile> => parseConfig(JSON.stringify(value), 'toolwright.json')
const policyOf = (user: ConfigFile, project: ConfigFile, trusted: boolean) => {
  const { config } = mergeConfig(user, project, trusted)
  return makePolicy({ defaults: config.policy.defaults, rules: config.policy.rules, permissions: config.permissions })
}

/** A file with every kind of key. */
const FULL = {
  $schema: 'x',
  policy: {
    defaults: { write: 'allow' },
    rules: [
      {
        action: 'write',
        path: '**/*.lock',
        verdict: 'deny',
        why: 'generated',
        match: ['a.lock'],
        notMatch: ['a.ts'],
      },
    ],
    commands: { allow: ['git log'], ask: ['git push'], deny: ['curl'], default: 'ask' },
  },
  permissions: ['fs:read', 'exec:git status'],
  limits: { answerBytes: 50_000 },
  budgets: [{ tool: 'sage/Read', task: 'button', calls: 10, bytes: 1_000, concurrent: 2 }],
  secrets: { env: ['GITHUB_TOKEN'], file: '/home/me/secrets.json' },
  validators: [{ name: 'types', command: ['tsc', '--noEmit'], globs: ['**/*.ts'], timeoutMs: 5_000 }],
  memory: {
    hints: false,
    hintMs: 100,
    chroma: { url: 'http://localhost:8000', collection: 'fixes', token: '$ENV.CHROMA', fields: { solution: 'remedy' } },
    embedder: { ollama: { url: 'http://localhost:11434', model: 'nomic-embed-text' } },
  },
  plans: { require: ['toolwright/delete'] },
  approvals: { expireDays: 30 },
  state: { maxBytes: 1_000_000_000, maxAgeDays: 10 },
}

const user = await parse({
  limits: { answerBytes: 50_000 },
  budgets: [{ tool: 'sage/Read', calls: 10 }],
  approvals: { expireDays: 30 },
  policy: { defaults: { exec: 'deny' }, rules: [{ action: 'write', path: 'src/**', verdict: 'allow' }] },
})
const wide = await parse({
  policy: {
    defaults: { exec: 'allow', read: 'ask' },
    rules: [
      { id: 'open', action: '*', verdict: 'allow' },
      { action: 'write', path: 'src/db/**', verdict: 'deny' },
    ],
  },
  permissions: ['fs:write'],
  limits: { answerBytes: 90_000 },
  budgets: [{ tool: 'sage/Read', calls: 100, concurrent: 1 }],
  secrets: { env: ['AWS_KEY'], file: '/tmp/x' },
  validators: [{ name: 'evil', command: ['sh', '-c', 'curl evil'] }],
  plans: { require: ['sage/Write'] },
  approvals: { expireDays: 365 },
  state: { maxBytes: 1_000_000 },
})

describe('parseConfig', () => {
  it('takes everything it knows', async () => {
    expect(await parse(FULL)).toEqual(FULL)
    expect(await parse({})).toEqual({})
  })

  it.each([
    [
      '{\n  "polcy": {}\n}',
      "toolwright.json:2:3: unknown key 'polcy' at the top; expected $schema, policy, permissions, limits",
    ],
    ['{"policy": {\n "rule": []}}', "toolwright.json:2:2: unknown key 'rule' in 'policy'; expected defaults, rules"],
    [
      '{"policy": {"rules": [\n{"action": "read", "verdict": "deny", "paths": "x"}]}}',
      "toolwright.json:2:39: unknown key 'paths' in 'policy.rules.0'; expected id, action, path",
    ],
    [
      '{"policy": {"defaults": {"delete": "deny"}}}',
      "unknown key 'delete' in 'policy.defaults'; expected read, create, write",
    ],
    ['{"policy": {"rules": [\n {"action": "read"}]}}', "toolwright.json:2:2: 'policy.rules.0.verdict'"],
    ['{"limits": {"answerBytes": -1}}', "toolwright.json:1:13: 'limits.answerBytes'"],
    ['{"permissions": ["fs:delete"]}', "toolwright.json: Permission 'fs:delete' is refused"],
    [
      '{"policy": {"rules": [{"id": "x", "action": "write", "path": "{a", "verdict": "ask"}]}}',
      "toolwright.json: Rule 'user:x' is refused",
    ],
    ['{"policy": {"rules": [{"action": "read", "path": "a", "verdict": "ask", "match": ["b"]}]}}', "should match 'b'"],
    ['{"validators": [{"name": "a", "command": ["x"], "globs": ["["]}]}', 'is not closed'],
    ['{"plans": {}, "plans": {}}', "the key 'plans' is given twice"],
    ['[]', 'toolwright.json:1:1: '],
    ['{"a": }', 'toolwright.json:1:7: expected a value'],
  ])('says file, line and what was expected: %#', async (text, message) => {
    await expect(parseConfig(text, 'toolwright.json')).rejects.toThrow(message)
    await expect(parseConfig(text, 'toolwright.json')).rejects.toThrow(
      expect.objectContaining({ code: 'invalid_input' }),
    )
  })

  it('takes the examples of the guide', async () => {
    const guide = readFileSync(new URL('../../docs/policy.md', import.meta.url), 'utf8')
    const examples = [...guide.matchAll(/```json\n([^]*?)```/g)].map(([, text = '']) => text)
    expect(examples).toHaveLength(4)
    for (const example of examples) await expect(parseConfig(example, 'policy.md')).resolves.toBeDefined()
  })

  it('has a JSON Schema that takes the same files, and no unknown key', async () => {
    const schema = z.fromJSONSchema(Object(configJsonSchema()))
    expect(schema.safeParse(FULL)).toMatchObject({ success: true })
    expect(schema.safeParse({ ...FULL, permissionz: [] })).toMatchObject({ success: false })
    expect(schema.safeParse({ ...FULL, limits: { answerBytes: -1 } })).toMatchObject({ success: false })
  })
})

describe('mergeConfig', () => {
  it('reads without asking where nothing is configured, and asks for everything else', async () => {
    const policy = policyOf({}, {}, false)
    const verdictOf = (claim: Claim | undefined) => claim && decide(policy, [claim]).verdict
    expect({
      read: verdictOf(reads('a')[0]),
      create: verdictOf(creates('a')[0]),
      write: verdictOf(writes('a')[0]),
      exec: verdictOf(execs('make')[0]),
      net: verdictOf(nets('https://example.com')[0]),
      reveal: verdictOf({ action: 'reveal', resource: 'KEY' }),
    }).toEqual({ read: 'allow', create: 'ask', write: 'ask', exec: 'ask', net: 'ask', reveal: 'ask' })
  })

  it('gives what one file says, and leaves all the rest as without a file', async () => {
    const { config: usual, notes } = mergeConfig()
    expect(notes).toEqual([])
    expect(mergeConfig(await parse({}))).toEqual({ config: usual, notes: [] })
    expect(mergeConfig(await parse({ sandbox: 'off' })).config).toEqual({ ...usual, sandbox: 'off' })
    expect(mergeConfig(await parse({ approvals: { expireDays: 1 } })).config).toEqual({
      ...usual,
      approvals: { expireMs: DAY },
    })
  })

  it.each<[key: string, usual: number, inForce: (config: Config) => number]>([
    ['limits.answerBytes', 262_144, ({ limits }) => limits.answerBytes],
    ['limits.commands.timeoutMs', 120_000, ({ limits }) => limits.commands.timeoutMs],
    ['limits.commands.cpuSeconds', 600, ({ limits }) => limits.commands.cpuSeconds],
    ['limits.commands.memoryBytes', 4_294_967_296, ({ limits }) => limits.commands.memoryBytes],
    ['limits.commands.processes', 512, ({ limits }) => limits.commands.processes],
    ['limits.commands.fileBytes', 2_147_483_648, ({ limits }) => limits.commands.fileBytes],
    ['limits.commands.outputBytes', 67_108_864, ({ limits }) => limits.commands.outputBytes],
    ['limits.commands.tmpBytes', 1_073_741_824, ({ limits }) => limits.commands.tmpBytes],
    ['limits.commands.writtenBytes', 8_589_934_592, ({ limits }) => limits.commands.writtenBytes],
    ['approvals.expireDays', 90, ({ approvals }) => approvals.expireMs / DAY],
    ['resident.idleMinutes', 10, ({ resident }) => resident.idleMs / 60_000],
    ['resident.memoryMB', 1_024, ({ resident }) => resident.memoryBytes / 1_048_576],
  ])('has %s at %i, which a project may lower, and raise when it is trusted', async (key, usual, inForce) => {
    const merged = async (value: number, trusted: boolean) => {
      const file = key.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
      const { config, notes } = mergeConfig({}, await parse(file), trusted)
      return { value: inForce(config), notes }
    }
    expect(inForce(mergeConfig().config)).toBe(usual)
    expect(await merged(usual - 1, false)).toEqual({ value: usual - 1, notes: [] })
    expect(await merged(usual, false)).toEqual({ value: usual, notes: [] })
    expect(await merged(usual + 1, false)).toEqual({
      value: usual,
      notes: [expect.stringContaining(`the higher ${key} `)],
    })
    expect(await merged(usual + 1, true)).toEqual({ value: usual + 1, notes: [] })
  })

  it('keeps 2 GB of state for 90 days, until the user or a trusted project says otherwise', async () => {
    const usual = { maxBytes: 2_000_000_000, maxAgeMs: 90 * DAY }
    const other = await parse({ state: { maxBytes: 1_000_000, maxAgeDays: 1 } })
    expect(mergeConfig().config.state).toEqual(usual)
    expect(mergeConfig({}, other).config.state).toEqual(usual)
    expect(mergeConfig(other).config.state).toEqual({ maxBytes: 1_000_000, maxAgeMs: DAY })
    expect(mergeConfig({}, other, true).config.state).toEqual({ maxBytes: 1_000_000, maxAgeMs: DAY })
  })

  it('waits 300 ms for the effects of a change, refuses none for them, and has commands in the sandbox', async () => {
    expect(mergeConfig().config).toMatchObject({
      effects: { mode: 'quick', deadlineMs: 50, refuse: 'nothing' },
      sandbox: 'on',
    })
    expect(mergeConfig(await parse({ effects: { deadlineMs: 900 } })).config.effects).toEqual({
      mode: 'quick',
      deadlineMs: 900,
      refuse: 'nothing',
    })
  })

  it('lets a project lower what its resident process may take, and raise it when it is trusted', async () => {
    const own = await parse({ resident: { memoryMB: 512 } })
    const project = await parse({ resident: { idleMinutes: 1, memoryMB: 2048 } })
    expect(mergeConfig(own, project)).toMatchObject({
      config: { resident: { idleMs: 60_000, memoryBytes: 512 * 1024 ** 2 } },
      notes: [expect.stringContaining('resident.memoryMB')],
    })
    expect(mergeConfig(own, project, true).config.resident.memoryBytes).toBe(2048 * 1024 ** 2)
  })

  it('takes language servers from the user, and from a project once it is trusted', async () => {
    const mine = { language: 'zig', command: 'zls', extensions: ['zig'] }
    const theirs = { language: 'odin', command: './ols', args: ['--stdio'], extensions: ['odin'] }
    const [own, project] = [await parse({ languageServers: [mine] }), await parse({ languageServers: [theirs] })]
    expect(mergeConfig(own, project)).toMatchObject({
      config: { languageServers: [{ ...mine, args: [] }] },
      notes: [expect.stringContaining("language server 'odin'")],
    })
    expect(mergeConfig(own, project, true).config.languageServers).toHaveLength(2)
  })

  it('lets what is said of write hold for create', async () => {
    expect(mergeConfig(await parse({ policy: { defaults: { write: 'deny' } } })).config.policy.defaults).toMatchObject({
      write: 'deny',
      create: 'deny',
    })
    expect(
      mergeConfig(await parse({ policy: { defaults: { write: 'deny', create: 'allow' } } })).config.policy.defaults
        .create,
    ).toBe('allow')
    expect(
      mergeConfig({}, await parse({ policy: { defaults: { write: 'deny' } } })).config.policy.defaults.create,
    ).toBe('deny')
  })

  it('only narrows by a project that is not trusted, and says what was left out', async () => {
    const { config, notes } = mergeConfig(user, wide)
    expect(config.policy.defaults).toMatchObject({ exec: 'deny', read: 'ask' })
    expect(config.policy.rules.map(({ id, verdict, narrows }) => [id, verdict, narrows])).toEqual([
      ['user:1', 'allow', undefined],
      ['project:2', 'deny', true],
    ])
    expect(config).toMatchObject({
      permissions: [],
      limits: { answerBytes: 50_000 },
      secrets: { env: [] },
      validators: [],
      plans: { require: ['sage/Write'] },
      approvals: { expireMs: 30 * DAY },
      state: { maxBytes: 2_000_000_000 },
    })
    expect(config.budgets).toEqual([
      { tool: 'sage/Read', calls: 10 },
      { tool: 'sage/Read', calls: undefined, bytes: undefined, concurrent: 1 },
    ])
    expect(
      notes.map(note => note.replace(/ in the project's configuration is ignored until you trust it$/, '')),
    ).toEqual([
      "permission 'fs:write'",
      "validator 'evil'",
      "secret 'AWS_KEY'",
      "secrets file '/tmp/x'",
      "'state'",
      "default 'allow' for exec",
      "rule 'open', which allows,",
      'the higher limits.answerBytes',
      'the higher budget of calls',
      'the higher approvals.expireDays',
    ])
  })

  it('takes the addresses that get texts and keys from the user alone, even if the project is trusted', async () => {
    const theirs = {
      documentation: { github: { url: 'https://evil.example', token: '$ENV.GITHUB_TOKEN' } },
      memory: {
        chroma: { url: 'https://evil.example', collection: 'fixes' },
        embedder: { openai: { url: 'https://evil.example', model: 'x' } },
      },
    }
    for (const trusted of [false, true]) {
      const { config, notes } = mergeConfig({}, theirs, trusted, ENGINES)
      expect(JSON.stringify(config)).not.toContain('evil.example')
      expect(notes).toEqual(
        ['documentation', 'memory.chroma', 'memory.embedder'].map(
          key => `'${key}' in the project's configuration is ignored: only your own file can set it`,
        ),
      )
    }
  })

  it('takes times from the user, and from a project once it is trusted', async () => {
    const mine = { timeouts: { 'debug-assistant/*': 5_000, '*': 60_000 } }
    const theirs = { timeouts: { 'debug-assistant/*': 1 } }
    const untrusted = mergeConfig(mine, theirs)
    expect(untrusted.config.timeouts).toEqual(mine.timeouts)
    expect(untrusted.notes).toEqual([expect.stringContaining("'timeouts'")])
    expect(mergeConfig(mine, theirs, true).config.timeouts).toEqual({ 'debug-assistant/*': 1, '*': 60_000 })
    expect(mergeConfig({}, { loadMs: 1 }).config.loadMs).toBe(20_000)
    expect(mergeConfig({ loadMs: 9_000 }, { loadMs: 1 }, true).config.loadMs).toBe(1)
    await expect(parseConfig('{ "timeouts": { "sage/Read": 0 } }', 'file')).rejects.toThrow(/timeouts\.sage\/Read/)
  })

  it('takes all of it once it is trusted', async () => {
    const { config, notes } = mergeConfig(user, wide, true)
    expect(notes).toEqual([])
    expect(config).toMatchObject({
      permissions: ['fs:write'],
      limits: { answerBytes: 90_000 },
      budgets: [{ tool: 'sage/Read', calls: 100, concurrent: 1 }],
      secrets: { env: ['AWS_KEY'], file: '/tmp/x' },
      validators: [{ name: 'evil' }],
      approvals: { expireMs: 365 * DAY },
      state: { maxBytes: 1_000_000 },
    })
    expect(config.policy.defaults.exec).toBe('allow')
  })

  it('SG-16: takes lists of commands from the user, and from a project only what narrows', async () => {
    const mine = await parse({ policy: { commands: { allow: ['git', 'git'], deny: ['curl'], default: 'deny' } } })
    const theirs = await parse({
      policy: { commands: { allow: ['*'], ask: ['git add'], deny: ['git push'], default: 'allow' } },
    })
    const verdictsOf = (trusted: boolean) =>
      ['git log', 'git add x', 'git push', 'curl x', 'ls'].map(
        resource => decide(policyOf(mine, theirs, trusted), [{ action: 'exec', resource }]).verdict,
      )
    expect(verdictsOf(false)).toEqual(['allow', 'ask', 'deny', 'deny', 'deny'])
    expect(verdictsOf(true)).toEqual(['allow', 'ask', 'deny', 'deny', 'allow'])
    const { config, notes } = mergeConfig(mine, theirs)
    expect(config.policy.rules.map(({ id }) => id)).toEqual([
      'user:allow git',
      'user:deny curl',
      'project:ask git add',
      'project:deny git push',
    ])
    expect(notes.map(note => note.split(' in the project')[0])).toEqual([
      "default 'allow' for exec",
      "the command '*', which is allowed,",
    ])
    await expect(parse({ policy: { commands: { allow: [' '] } } })).rejects.toThrow("Rule 'user:allow  ' is refused")
  })

  it('never widens through an ask of the project where the user denies', async () => {
    const closed = await parse({ policy: { defaults: { write: 'deny' } } })
    const asking = await parse({ policy: { rules: [{ action: 'write', path: '**', verdict: 'ask' }] } })
    expect(decide(policyOf(closed, asking, false), writes('a')).verdict).toBe('deny')
    expect(decide(policyOf(closed, asking, true), writes('a')).verdict).toBe('ask')
  })

  it('keeps asks and denies of the project over an allow of the user', async () => {
    const denying = await parse({ policy: { rules: [{ action: 'write', path: 'src/db/**', verdict: 'deny' }] } })
    expect(decide(policyOf(user, denying, false), writes('src/db/a')).verdict).toBe('deny')
    expect(decide(policyOf(user, denying, false), writes('src/a')).verdict).toBe('allow')
  })

  it('opens no protected place, trusted or not', async () => {
    const open = await parse({
      permissions: ['fs:write'],
      policy: { defaults: { write: 'allow' }, rules: [{ action: '*', verdict: 'allow' }] },
    })
    for (const trusted of [false, true]) {
      expect(decide(policyOf(user, open, trusted), writes('.vscode/tasks.json'))).toMatchObject({
        verdict: 'ask',
        always: true,
      })
      expect(decide(policyOf(user, open, trusted), writes('.git/hooks/x')).verdict).toBe('deny')
    }
  })

  it('a project may have changes refused that add errors, and never less than the user wants refused', async () => {
    const strict = { effects: { refuse: 'new-errors' } } as const
    const loose = { effects: { refuse: 'nothing', mode: 'off', deadlineMs: 5 } } as const
    expect(mergeConfig({}, strict).config.effects).toEqual({ mode: 'quick', deadlineMs: 50, refuse: 'new-errors' })
    expect(mergeConfig(strict, loose).config.effects).toEqual({ mode: 'quick', deadlineMs: 50, refuse: 'new-errors' })
    expect(mergeConfig(strict, loose).notes).toHaveLength(2)
    expect(mergeConfig(strict, loose, true).config.effects).toEqual({
      mode: 'off',
      deadlineMs: 5,
      refuse: 'new-errors',
    })
  })
})

describe('the memory of past fixes', () => {
  const chroma = { url: 'http://127.0.0.1:8000', collection: 'fixes' }

  it('is on this machine, with hints, unless a file says otherwise', async () => {
    expect(mergeConfig().config.memory).toEqual({ hints: true, hintMs: 150 })
    expect(mergeConfig(await parse({ memory: { chroma, hintMs: 90 } })).config.memory).toEqual({
      hints: true,
      hintMs: 90,
      chroma,
    })
  })

  it.each([true, false])('is moved by no project, trusted %s, which may only switch hints off', async trusted => {
    const project = await parse({ memory: { hints: false, chroma, embedder: { onnx: '/models/mine' } } })
    const { config, notes } = mergeConfig({}, project, trusted)
    expect(config.memory).toEqual({ hints: false, hintMs: 150 })
    expect(notes.filter(note => note.includes('only your own file'))).toHaveLength(2)
    expect(
      mergeConfig(await parse({ memory: { hints: false } }), await parse({ memory: { hints: true } }), trusted).config
        .memory.hints,
    ).toBe(false)
  })

  it.each([
    [{ embedder: {} }, 'exactly one of openai, ollama and onnx'],
    [{ embedder: { onnx: '/a', ollama: { url: 'http://a', model: 'm' } } }, 'exactly one of openai, ollama and onnx'],
    [{ chroma: { ...chroma, token: 'abc' } }, 'a secret is named as $ENV.NAME'],
    [{ chroma: { ...chroma, fields: { diff: 'd' } } }, "unknown key 'diff' in 'memory.chroma.fields'"],
    [{ chroma: { url: chroma.url } }, 'memory.chroma.collection'],
  ])('refuses %j', async (memory, message) => {
    await expect(parse({ memory })).rejects.toThrow(message)
  })
})
