// oxlint-disable vitest/no-standalone-expect -- some tests are given by `needs`, which the rule does not see
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  createBashTool,
  createEditTool,
  GraphQuery,
  createReadTool,
  createWriteTool,
  defineTool,
  ToolFailure,
  type SecretProvider,
  type ToolContext,
  type ToolLog,
} from '../../src/contracts.ts'
import { openToolkit } from '../../src/index.ts'
import { fakeGraph, fakeJournal, fakeSecrets, temporaryWorkspace } from '../../src/testing/index.ts'
import { useProject } from './directory.ts'
import { needs } from '../needs.ts'

const PATCH = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n'
const project = useProject({ 'src/a.ts': 'export const a = 1\n' })
const read = createReadTool()
const write = createWriteTool()
const edit = createEditTool()
const all = (more: Partial<ToolContext> = {}): ToolContext => ({
  cwd: project.cwd,
  permissions: ['fs:read', 'fs:write'],
  ...more,
})
/** Every byte that is kept of this project outside of it, but for the files themselves that undo needs. */
const kept = () => {
  const state = join(project.cwd, '../state')
  return readdirSync(state, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter(entry => entry.isFile() && !/\/(commits|transactions)(\/|$)/.test(entry.parentPath))
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}
const journal = (): ToolLog[] => {
  const state = join(project.cwd, '../state')
  const files = readdirSync(state, { recursive: true, encoding: 'utf8' })
    .filter(name => /journal\/.*\.jsonl$/.test(name))
    .toSorted()
  return files.flatMap(name => readFileSync(join(state, name), 'utf8').trim().split('\n')).map(line => JSON.parse(line))
}

describe('the context', () => {
  it('SG-02: cwd, permissions, dryRun and logger have their effect, each by itself', async () => {
    const input = { file: 'src/new.ts', content: 'new\n' }
    const isWritten = () => existsSync(join(project.cwd, 'src/new.ts'))
    const { cwd } = project
    expect(await read.execute({ file: 'a.ts' }, { cwd: join(cwd, 'src') })).toMatchObject({
      data: { content: 'export const a = 1\n' },
    })
    expect(await write.execute(input, { cwd })).toMatchObject({ ok: false, error: { code: 'EPERMISSION' } })
    const dry = await write.execute(input, { cwd, permissions: ['fs:write:src/**'], dryRun: true })
    expect(dry).toMatchObject({ ok: true, data: { written: false }, meta: { dryRun: true } })
    expect(isWritten()).toBe(false)
    const logged: string[] = []
    const logger = ({ tool }: ToolLog) => void logged.push(tool)
    expect(await write.execute(input, { cwd, permissions: ['fs:write:src/**'], logger })).toMatchObject({ ok: true })
    expect([isWritten(), logged]).toEqual([true, ['sage/Write']])
  })

  needs('bubblewrap')('SG-02: env and secretProvider have their effect, each by itself', async () => {
    const stdoutWith = async (command: string, more: Partial<ToolContext>) =>
      (await createBashTool().execute({ command }, { cwd: project.cwd, permissions: ['exec'], ...more })).data?.stdout
    expect(await stdoutWith('echo "[$GIVEN]"', {})).toBe('[]\n')
    expect(await stdoutWith('echo "[$GIVEN]"', { env: { GIVEN: 'by the context' } })).toBe('[by the context]\n')
    const secretProvider = { get: async () => 'a-value-of-some-length' }
    expect(await stdoutWith("printf %s '$ENV.KEY' | wc -c", {})).toBe('8\n')
    expect(await stdoutWith('printf %s "$ENV.KEY" | wc -c', { secretProvider })).toBe('22\n')
  })
})

describe('audit', () => {
  it('SG-08, SG-x3: every call leaves arguments, duration, status, size and permission checks; the logger sees the same', async () => {
    const logged: ToolLog[] = []
    const context = all({ logger: event => logged.push(event) })
    await write.execute({ file: 'src/b.ts', content: 'b\n' }, context)
    await read.execute({ file: 'nope' }, context)
    await read.execute({ file: '../out' }, context)
    await write.execute({ file: 'x', content: 'x' }, { ...context, permissions: ['fs:read'] })
    await write.execute(JSON.parse('{"file":1}'), context)
    expect(logged.map(({ ok, code }) => (ok ? 'ok' : code))).toEqual([
      'ok',
      'not_found',
      'outside_workspace',
      'denied',
      'invalid_input',
    ])
    expect(logged[0]).toMatchObject({
      type: 'call',
      tool: 'sage/Write',
      version: '1.0.0',
      input: { file: 'src/b.ts', content: 'b\n' },
      claims: [{ action: 'write', resource: 'src/b.ts' }],
      verdict: { verdict: 'allow' },
      output: { written: true },
      durationMs: expect.any(Number),
      bytes: expect.any(Number),
      changed: ['src/b.ts'],
    })
    expect(logged[3]).toMatchObject({ verdict: { verdict: 'deny', why: expect.stringContaining('write x') } })
    const records = journal()
      .filter(({ type }) => type === 'call')
      .map(({ seq: _seq, time: _time, prev: _prev, hash: _hash, ...record }) => record)
    expect(records).toEqual(JSON.parse(JSON.stringify(logged)))
  })

  it('SG-08: Read, Write, Edit, GraphQuery and refused calls leave the processor time that they took', async () => {
    const logged: ToolLog[] = []
    const context = all({ logger: event => logged.push(event) })
    const patch = '@@ -1 +1 @@\n-b\n+c\n'
    await write.execute({ file: 'src/b.ts', content: 'b\n' }, context)
    await read.execute({ file: 'src/b.ts' }, context)
    await edit.execute({ file: 'src/b.ts', patch }, context)
    await GraphQuery.execute({ query: 'MATCH (f:File) RETURN f.path' }, context)
    await read.execute({ file: '../out' }, context)
    expect(logged.map(({ ok, resources }) => [ok, resources])).toEqual(
      [true, true, true, true, false].map(ok => [ok, { cpuMs: expect.any(Number) }]),
    )
    expect(logged.every(({ resources }) => Number(Object(resources).cpuMs) > 0)).toBe(true)
    const fixed: ToolLog[] = []
    await read.execute({ file: 'src/b.ts' }, all({ deterministic: true, logger: event => fixed.push(event) }))
    expect(fixed[0]).not.toHaveProperty('resources')
  })

  it('SG-08: a command leaves its exit status and the resources that it used', async () => {
    project.configure({ sandbox: 'off' })
    const logged: ToolLog[] = []
    const context = all({ permissions: ['exec'], logger: event => logged.push(event) })
    await createBashTool().execute({ command: 'sleep 0.5; exit 3' }, context)
    expect(logged).toMatchObject([
      { exitCode: 3, resources: { cpuMs: expect.any(Number), maxRssBytes: expect.any(Number) } },
    ])
  })

  needs('bubblewrap').each(['on', 'off'])(
    'SG-08: so does one that is over at once, with the sandbox %s',
    async sandbox => {
      project.configure({ sandbox })
      const logged: ToolLog[] = []
      const context = all({ permissions: ['exec'], logger: event => logged.push(event) })
      for (let count = 0; count < 5; count++) await createBashTool().execute({ command: 'true' }, context)
      expect(logged).toHaveLength(5)
      for (const record of logged)
        expect(record).toMatchObject({
          exitCode: 0,
          resources: { cpuMs: expect.any(Number), maxRssBytes: expect.any(Number) },
        })
    },
  )

  it('SG-08: a logger that throws does not harm the call', async () => {
    const context = all({
      logger() {
        throw new Error('the disk of the logger is full')
      },
    })
    expect((await write.execute({ file: 'src/b.ts', content: 'b' }, context)).ok).toBe(true)
  })
})

describe('secrets', () => {
  const TOKEN = 'tok-7f3a9c51e2d84b60'
  const secretProvider = fakeSecrets({ TOKEN, OTHER: 'another-secret-value' })

  it('SG-20: placeholders in string inputs are filled in just before execute, at any depth', async () => {
    const seen: unknown[] = []
    const call = defineTool({
      name: 'Call',
      description: 'Calls somebody',
      parameters: z.object({ headers: z.array(z.object({ value: z.string() })), count: z.number() }),
      implementation: async args => void seen.push(args),
    })
    const input = { headers: [{ value: 'Bearer $ENV.TOKEN' }, { value: '$ENV.OTHER/$ENV.TOKEN' }], count: 1 }
    expect((await call.execute(input, all({ secretProvider }))).ok).toBe(true)
    expect(seen).toEqual([
      { headers: [{ value: `Bearer ${TOKEN}` }, { value: `another-secret-value/${TOKEN}` }], count: 1 },
    ])
    expect(input.headers[0]?.value).toBe('Bearer $ENV.TOKEN')
    await write.execute({ file: 'conf', content: 'key=$ENV.TOKEN' }, all({ secretProvider }))
    expect(project.read('conf')).toBe(`key=${TOKEN}`)
  })

  it('SG-20: a path is no place for one, and the answer says so', async () => {
    const result = await write.execute({ file: 'dir/$ENV.TOKEN', content: 'x' }, all({ secretProvider }))
    expect(result.error).toMatchObject({ code: 'EVALIDATION', message: expect.stringContaining('part of a path') })
    expect((await write.execute({ file: 'dir/$ENV.TOKEN', content: 'x' }, all())).ok).toBe(true)
  })

  it.each([
    ['Read', () => read.execute({ file: 'dir/$ENV.TOKEN' }, all({ secretProvider }))],
    ['Write', () => write.execute({ file: 'dir/$ENV.TOKEN', content: 'x' }, all({ secretProvider }))],
    ['Edit', () => edit.execute({ file: 'dir/$ENV.TOKEN', patch: PATCH }, all({ secretProvider }))],
  ])(
    'SG-20: a placeholder in the path of %s is EVALIDATION, whether or not there is such a file',
    async (_name, call) => {
      for (const exists of [false, true]) {
        if (exists) project.write('dir/$ENV.TOKEN', 'a\n')
        const { error } = await call()
        expect(error).toEqual({
          code: 'EVALIDATION',
          message:
            "A secret cannot be part of a path: 'dir/$ENV.TOKEN'. " +
            'Write the path out; $ENV.NAME is not replaced in paths. \\$ENV.NAME is the literal text',
        })
      }
      expect(project.read('dir/$ENV.TOKEN')).toBe('a\n')
    },
  )

  it('SG-20: without a provider they are literal text', async () => {
    await write.execute({ file: 'conf', content: 'key=$ENV.TOKEN' }, all())
    expect(project.read('conf')).toBe('key=$ENV.TOKEN')
  })

  it('SG-20: an unknown key is an error that names it, and nothing happens', async () => {
    expect(await write.execute({ file: 'conf', content: '$ENV.NOPE' }, all({ secretProvider }))).toMatchObject({
      ok: false,
      error: { code: 'EVALIDATION', message: expect.stringContaining("'NOPE'") },
    })
    expect(existsSync(join(project.cwd, 'conf'))).toBe(false)
  })

  it('SG-20: the provider is asked for what is named, and for nothing else', async () => {
    const asked: string[] = []
    const provider: SecretProvider = { get: async key => (asked.push(key), 'a-value-of-some-length') }
    await write.execute({ file: 'x', content: 'no placeholder' }, all({ secretProvider: provider }))
    await write.execute({ file: 'y', content: '$ENV.ONE' }, all({ secretProvider: provider }))
    expect(asked).toEqual(['ONE'])
  })

  it('SG-21: their values are in no result, error, log or transcript, also of later calls', async () => {
    const logged: ToolLog[] = []
    const context = all({ secretProvider, logger: event => logged.push(event) })
    const results: unknown[] = [
      await write.execute({ file: 'conf', content: 'key=$ENV.TOKEN\n' }, context),
      await read.execute({ file: 'conf' }, context),
      await read.execute({ file: 'conf' }, all({ logger: event => logged.push(event) })),
      await edit.execute(
        { file: 'conf', patch: `@@ -1 +1 @@\n-key=${TOKEN}\n+key=none\n`, strategy: 'check' },
        context,
      ),
      await read.execute({ file: `nope-${TOKEN}` }, context),
      await write.execute({ file: 'conf', content: 'key=$ENV.TOKEN again\n' }, { ...context, dryRun: true }),
    ]
    const echo = defineTool({
      name: 'Echo',
      description: 'Fails with what it was given',
      parameters: z.object({ text: z.string() }),
      implementation: async ({ text }) => {
        throw new Error(`cannot use ${text} or ${Buffer.from(text).toString('base64')}`)
      },
    })
    results.push(await echo.execute({ text: '$ENV.TOKEN' }, context))
    for (const text of [JSON.stringify(results), JSON.stringify(logged), JSON.stringify(journal()), kept()]) {
      expect(text).toContain('[redacted:TOKEN]')
      expect(text).not.toContain(TOKEN)
      expect(text).not.toContain(Buffer.from(TOKEN).toString('base64'))
    }
  })
})

describe('errors', () => {
  it('SG-22: EVALIDATION says which parameter, and which there are', async () => {
    const { error } = await read.execute(JSON.parse('{"path":"a"}'), all())
    expect(error).toStrictEqual({
      code: 'EVALIDATION',
      message: "Missing parameter 'file'; Unknown parameter 'path'. Parameters of Read: file, offset?, limit?",
    })
  })

  it('SG-22: validate throws the code of the document, with the words of the answer', async () => {
    for (const tool of [read, write, edit, createBashTool()]) {
      const { error } = await Object(tool).execute({ path: 'a' }, all())
      let thrown: unknown
      try {
        tool.validate({ path: 'a' })
      } catch (cause) {
        thrown = cause
      }
      expect(thrown).toBeInstanceOf(ToolFailure)
      expect(thrown).toMatchObject({ code: 'EVALIDATION', message: error?.message })
    }
    const parameters = z.object({ name: z.string() })
    const own = defineTool({ name: 'Own', description: 'Own', parameters, implementation: async () => 1 })
    expect(() => own.validate({})).toThrow(expect.objectContaining({ code: 'EVALIDATION' }))
  })

  it.each<[string, unknown, RegExp]>([
    ['no context', undefined, /^The context is missing\. Pass an object with `cwd`/],
    ['a context that is text', 'x', /^The context is missing\. Pass an object with `cwd`/],
    ['a context without cwd', {}, /^The working directory is missing\. Pass the path of an existing directory$/],
    ['a cwd that is no text', { cwd: 7 }, /^The working directory is missing\. Pass the path/],
    [
      'a cwd that does not exist',
      { cwd: '/none/here' },
      /^The working directory '\/none\/here' cannot be opened \(ENOENT\)\. Pass/,
    ],
    ['a permission of no known form', { cwd: '.', permissions: ['fs:nope'] }, /^Permission 'fs:nope' is refused/],
  ])('SG-22: execute of every kind of tool answers %s with EVALIDATION, and never throws', async (_what, ctx, why) => {
    const mine = defineTool({
      name: 'mine',
      description: 'Answers',
      parameters: z.object({}),
      implementation: async () => 'answer',
    })
    const tools = [read, write, edit, createBashTool(), GraphQuery, mine]
    const execute = (tool: object): Promise<unknown> =>
      Reflect.apply(Reflect.get(tool, 'execute'), tool, [{ file: 'src/a.ts' }, ctx])
    for (const tool of tools)
      expect(await execute(tool)).toEqual({
        ok: false,
        error: { code: 'EVALIDATION', message: expect.stringMatching(why) },
        meta: { startedAt: expect.any(String), endedAt: expect.any(String), durationMs: expect.any(Number) },
      })
  })

  it.each([undefined, 5, {}, { name: 'x', parameters: {}, implementation: () => {} }])(
    'SG-22, SG-27: defineTool throws EVALIDATION for what defines no tool: %j',
    definition => {
      const failure = {
        code: 'EVALIDATION',
        message: expect.stringContaining('This does not define a tool. defineTool takes'),
      }
      expect(() => Reflect.apply(defineTool, undefined, [definition])).toThrow(expect.objectContaining(failure))
    },
  )

  it('SG-22: EPERMISSION says which permission is missing, and that a place is protected', async () => {
    const { error } = await write.execute({ file: 'src/a.ts', content: 'x' }, { cwd: project.cwd })
    expect(error).toMatchObject({ code: 'EPERMISSION', message: expect.stringContaining('fs:write:src/a.ts') })
    expect((await write.execute({ file: '.git/config', content: 'x' }, all())).error).toMatchObject({
      code: 'EPERMISSION',
      message: expect.stringMatching(/\.git is protected.*No permission opens this/),
    })
  })

  it('SG-22: ERUNTIME says what failed and what to do', async () => {
    const { error } = await read.execute({ file: 'src/b.ts' }, all())
    expect(error).toMatchObject({ code: 'ERUNTIME', message: expect.stringContaining('src/b.ts') })
  })

  it('SG-22: ETIMEOUT says after how long, and the time can be set for each tool', async () => {
    const slow = defineTool({
      name: 'Slow',
      description: 'Takes its time',
      parameters: z.object({}),
      implementation: () => pause(60_000, undefined, { ref: false }),
      timeoutMs: 40,
    })
    expect((await slow.execute({}, all())).error).toMatchObject({
      code: 'ETIMEOUT',
      message: expect.stringMatching(/'Slow' took longer than 0\.04 s/),
    })
  })

  it('SG-17, SG-22: EQUOTA says which limit was passed: the size of a file, the calls of a task', async () => {
    project.configure({ budgets: [{ tool: 'sage/Write', calls: 1 }] })
    project.write('large.txt', 'x'.repeat(1_100_000))
    expect((await read.execute({ file: 'large.txt' }, all())).error).toMatchObject({
      code: 'EQUOTA',
      message: expect.stringMatching(/large\.txt.*1100000.*1048576/s),
    })
    await write.execute({ file: 'one', content: '1' }, all())
    expect((await write.execute({ file: 'two', content: '2' }, all())).error).toMatchObject({
      code: 'EQUOTA',
      message: expect.stringMatching(/1 of 1 calls used/),
    })
    expect(existsSync(join(project.cwd, 'two'))).toBe(false)
  })
})

describe('transaction boundary', () => {
  const open = () => openToolkit({ root: project.cwd, contract: 'sage', permissions: ['fs:read', 'fs:write'] })

  needs('bubblewrap')('SG-23: Edit and Write stage, and the commit is atomic after the validators passed', async () => {
    project.configure({ validators: [{ name: 'pair', command: ['/bin/sh', '-c', 'test -e one && test -e two'] }] })
    await using cleanup = { kit: await open(), [Symbol.asyncDispose]: () => cleanup.kit.close() }
    const { kit } = cleanup
    expect(await kit.call('Write', { file: 'one', content: '1' })).toMatchObject({ ok: false })
    expect(existsSync(join(project.cwd, 'one'))).toBe(false)
    await kit.transaction(async session => {
      expect(await session.call('Write', { file: 'one', content: '1' })).toMatchObject({
        ok: true,
        data: { written: true },
      })
      expect(existsSync(join(project.cwd, 'one'))).toBe(false)
      await session.call('Write', { file: 'two', content: '2' })
    })
    expect([project.read('one'), project.read('two')]).toEqual(['1', '2'])
  })

  needs('bubblewrap')('SG-23: a failure rolls everything back and says why', async () => {
    project.configure({
      validators: [{ name: 'types', command: ['/bin/sh', '-c', 'echo "a.ts(1,7): bad type" >&2; exit 2'] }],
    })
    await using cleanup = { kit: await open(), [Symbol.asyncDispose]: () => cleanup.kit.close() }
    const before = project.snapshot()
    const work = cleanup.kit.transaction(async session => {
      await session.call('Write', { file: 'src/a.ts', content: 'x' })
      await session.call('Write', { file: 'src/b.ts', content: 'y' })
    })
    await expect(work).rejects.toMatchObject({
      message: expect.stringContaining("'types'"),
      details: { validators: [{ passed: false, output: 'a.ts(1,7): bad type\n' }] },
    })
    expect(project.snapshot()).toEqual(before)
    const single = await write.execute({ file: 'src/a.ts', content: 'x' }, all())
    expect(single).toMatchObject({
      ok: false,
      error: { code: 'ERUNTIME', message: expect.stringContaining("'types'") },
    })
    expect(project.snapshot()).toEqual(before)
  })

  needs('bubblewrap')('SG-22: a failed validator shows what it reports, the end of it where that is long', async () => {
    const validators = [
      { name: 'types', command: ['/bin/sh', '-c', 'echo "a.ts(1,7): bad type" >&2; exit 2'] },
      { name: 'lint', command: ['/bin/sh', '-c', 'seq 9000; exit 1'] },
      { name: 'fine', command: ['/bin/sh', '-c', 'echo nothing to say'] },
    ]
    project.configure({ validators })
    const { error } = await write.execute({ file: 'src/a.ts', content: 'x' }, all())
    expect(error?.message).toMatch(
      /'types', 'lint' did not pass.*\n\ntypes reports:\na\.ts\(1,7\): bad type\n\nlint reports:\n….*\n9000$/s,
    )
    expect(error?.message).not.toMatch(/nothing to say|\n1000\n/)
  })
})

describe('deterministic mode', () => {
  it('SG-24: the same calls on the same files give the same answers, ids and times included', async () => {
    const answers = async () => {
      await using workspace = temporaryWorkspace({ 'a.txt': 'one\n' })
      const seen: object[] = []
      const kit = await workspace.open({
        contract: 'sage',
        deterministic: true,
        permissions: ['fs:read', 'fs:write'],
        onRecord: record => seen.push(record),
      })
      const results = [
        await kit.call('Read', { file: 'a.txt' }),
        await kit.call('Write', { file: 'b.txt', content: 'two\n' }),
        await kit.call('Edit', { file: 'a.txt', patch: '@@ -1 +1 @@\n-one\n+uno\n' }),
        await kit.call('Read', { file: 'nope' }),
        await kit.call('Write', { file: 'b.txt', content: 'three\n' }, { dryRun: true }),
      ]
      return { results, seen, tree: workspace.snapshot() }
    }
    const first = await answers()
    expect(await answers()).toEqual(first)
    expect(first.results[1]).toMatchObject({ ok: true, meta: { startedAt: '1980-01-01T00:00:00.000Z', durationMs: 0 } })
  })

  it('SG-24: two deterministic sessions can work on one workspace after another', async () => {
    await using workspace = temporaryWorkspace()
    for (const content of ['1', '2', '3']) {
      const kit = await workspace.open({ deterministic: true, permissions: ['fs:read', 'fs:write'] })
      await kit.call('read', { path: 'n.txt' })
      expect(await kit.call('write', { path: 'n.txt', content })).toMatchObject({ ok: true })
      await kit.close()
    }
    expect(workspace.read('n.txt')).toBe('3')
    const kit = await workspace.open({ permissions: ['fs:write'] })
    for (const before of ['2', '1']) {
      expect(await kit.call('undo', {})).toMatchObject({ ok: true })
      expect(workspace.read('n.txt')).toBe(before)
    }
  })
})

describe('the testing kit', () => {
  it('SG-26: mounts a temporary workspace, takes fakes, compares before and after, and leaves nothing', async () => {
    let path = ''
    {
      await using workspace = temporaryWorkspace({ 'src/a.ts': 'a' })
      path = workspace.base
      const before = workspace.snapshot()
      const kit = await workspace.open({
        contract: 'sage',
        permissions: ['fs:write', 'secret:*'],
        secrets: fakeSecrets({ KEY: 'value-of-the-key' }),
      })
      await kit.call('Write', { file: 'src/b.ts', content: '$ENV.KEY' })
      const after = workspace.snapshot()
      expect(Object.keys(after).filter(name => after[name] !== before[name])).toEqual(['src/b.ts'])
      expect(workspace.read('src/b.ts')).toBe('value-of-the-key')
    }
    expect(existsSync(path)).toBe(false)
  })

  it('SG-26: injects a graph, in a session and in a context', async () => {
    await using workspace = temporaryWorkspace({ 'src/a.ts': 'export const a = 1\n' })
    const graph = fakeGraph((_, { params }) => [{ name: params['name'] ?? 'nobody' }])
    const kit = await workspace.open({ contract: 'sage', graph })
    const query = 'MATCH (f:Function) RETURN f.name'
    expect(await kit.call('GraphQuery', { query, params: { name: 'ann' } })).toMatchObject({
      ok: true,
      data: { results: [{ name: 'ann' }] },
    })
    expect(await GraphQuery.execute({ query, commit: 'HEAD~1' }, all({ graph }))).toMatchObject({
      ok: true,
      data: { results: [{ name: 'nobody' }] },
    })
    expect(graph.asked).toEqual([
      { query, params: { name: 'ann' }, commit: undefined },
      { query, params: {}, commit: 'HEAD~1' },
    ])
    const broken = fakeGraph(() => {
      throw new Error('the graph is gone')
    })
    expect((await GraphQuery.execute({ query }, all({ graph: broken }))).error).toMatchObject({
      code: 'ERUNTIME',
      message: expect.stringContaining('the graph is gone'),
    })
  })

  it('SG-26: injects a journal; what it does not take does not happen', async () => {
    const taken = fakeJournal()
    await write.execute({ file: 'src/b.ts', content: 'b' }, all({ journal: taken }))
    await read.execute({ file: 'nope' }, all({ journal: taken }))
    expect(taken.records).toMatchObject([
      { type: 'intent', tool: 'sage/Write', changed: ['src/b.ts'] },
      { type: 'call', tool: 'sage/Write', ok: true },
      { type: 'call', tool: 'sage/Read', ok: false, code: 'not_found' },
    ])
    expect(journal().filter(({ type }) => type === 'call')).toEqual([])
    const before = project.snapshot()
    const full = fakeJournal({ fails: ({ type }) => type === 'intent' })
    expect(await write.execute({ file: 'src/c.ts', content: 'c' }, all({ journal: full }))).toMatchObject({
      ok: false,
      error: { code: 'ERUNTIME', message: expect.stringContaining('journal could not be written') },
    })
    expect(project.snapshot()).toEqual(before)
  })
})
