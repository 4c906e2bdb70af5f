// oxlint-disable vitest/no-standalone-expect -- some tests are given by `needs`, which the rule does not see
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it, vi } from 'vitest'
import { z } from 'zod'
import { inTransaction } from '../../../src/contracts.ts'
import {
  createBashTool,
  createEditTool,
  createReadTool,
  createWriteTool,
  defineTool,
  GraphQuery,
  sage,
  ToolRegistry,
  type BashToolInput,
  type BashToolOutput,
  type EditToolInput,
  type EditToolOutput,
  type GraphQueryToolInput,
  type GraphQueryToolOutput,
  type ReadToolInput,
  type ReadToolOutput,
  type SecretProvider,
  type Tool,
  type ToolContext,
  type ToolDefinition,
  type ToolLog,
  type ToolResult,
  type ToolSchema,
  type WriteToolInput,
  type WriteToolOutput,
} from '../../../src/documents/sage.ts'
import { fakeGraph, fakeJournal, fakeSecrets, temporaryWorkspace } from '../../../src/testing/index.ts'
import { needs } from '../../needs.ts'

const served = needs('bubblewrap')
const read = createReadTool()
const write = createWriteTool()
const edit = createEditTool()
const bash = createBashTool()
const TOOLS = [read, write, edit, bash, GraphQuery]
const PATCH = '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-export const a = 1\n+export const a = 2\n'
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const META = {
  startedAt: expect.stringMatching(ISO),
  endedAt: expect.stringMatching(ISO),
  durationMs: expect.any(Number),
}
const TOKEN = 'tok-7f3a9c51e2d84b60'
const secretProvider = fakeSecrets({ GITHUB_API_KEY: TOKEN })

const workspace = temporaryWorkspace({ 'src/a.ts': 'export const a = 1\n', '.sage/memory.json': '{}' })
beforeAll(() => {
  // The tools find the user's state and configuration by the environment of the process.
  for (const name of ['TOOLWRIGHT_STATE', 'TOOLWRIGHT_CONFIG_HOME']) vi.stubEnv(name, workspace.env[name])
  vi.stubEnv('PRIVATE_VALUE', 'of-the-process')
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await workspace.remove()
})
const cwd = workspace.path
const isThere = (path: string) => existsSync(join(cwd, path))
const all = (more: Partial<ToolContext> = {}): ToolContext => ({
  cwd,
  permissions: ['fs:read', 'fs:write', 'exec'],
  ...more,
})
const logOf = async (work: (ctx: ToolContext) => Promise<unknown>): Promise<ToolLog[]> => {
  const logged: ToolLog[] = []
  await work(all({ logger: event => logged.push(event) }))
  return logged
}
/** A host's own tool, with the differences from one that answers 1. */
const own = (more: Partial<ToolDefinition> = {}) =>
  defineTool({ name: 'Own', description: 'Answers', parameters: z.object({}), implementation: async () => 1, ...more })
const slow = (more: Partial<ToolDefinition> = {}) =>
  own({ implementation: () => pause(60_000, undefined, { ref: false }), ...more })

describe('Type Safety', () => {
  it('printed: inputs are validated by Zod and described by JSON Schema', () => {
    expect(() => read.validate({ file: 1 })).toThrow(/'file'/)
    expect(read.schema).toMatchObject({ type: 'object', properties: { file: { type: 'string' } }, required: ['file'] })
  })

  it('printed: outputs are validated', async () => {
    expect((await own({ implementation: async () => 10n }).execute({}, all())).error?.code).toBe('ERUNTIME')
  })

  it('printed: the compiler refuses a wrong input', () => {
    // @ts-expect-error a file is a string
    const wrong: ReadToolInput = { file: 1 }
    expect(() => read.validate(wrong)).toThrow(/file/)
  })

  it('printed: an invalid input does not reach the implementation', async () => {
    const seen: unknown[] = []
    const tool = own({ parameters: z.object({ name: z.string() }), implementation: async args => seen.push(args) })
    expect((await tool.execute({ name: 1 }, all())).error?.code).toBe('EVALIDATION')
    expect(seen).toEqual([])
  })
})

describe('Principle of Least Power', () => {
  it('printed: tools act by explicit permissions', async () => {
    expect((await read.execute({ file: 'src/a.ts' }, { cwd, permissions: [] })).error?.code).toBe('EPERMISSION')
  })

  it('printed: each tool has one purpose', () => {
    expect(sage.tools.map(({ name }) => name)).toEqual(['Read', 'Write', 'Edit', 'Bash', 'GraphQuery'])
  })

  it('printed: what changes something is opted in to', async () => {
    expect((await write.execute({ file: 'b', content: 'b' }, { cwd })).error?.code).toBe('EPERMISSION')
    expect((await bash.execute({ command: 'true' }, { cwd })).error?.code).toBe('EPERMISSION')
  })

  it('printed: access is controlled in detail', async () => {
    const ctx = { cwd, permissions: ['fs:write:lib/**'] }
    expect(await write.execute({ file: 'lib/b.ts', content: 'b' }, ctx)).toMatchObject({ ok: true })
    expect((await write.execute({ file: 'src/b.ts', content: 'b' }, ctx)).error?.code).toBe('EPERMISSION')
  })
})

describe('Auditability', () => {
  served('printed: a call leaves a transcript with arguments, duration and exit status', async () => {
    expect(await logOf(ctx => bash.execute({ command: 'exit 3' }, ctx))).toMatchObject([
      { tool: 'sage/Bash', input: { command: 'exit 3' }, durationMs: expect.any(Number), exitCode: 3 },
    ])
  })

  served('printed: it has timing, resources and errors', async () => {
    const [ran] = await logOf(ctx => bash.execute({ command: 'true' }, ctx))
    expect(ran).toMatchObject({ durationMs: expect.any(Number), resources: { cpuMs: expect.any(Number) } })
    const [failed] = await logOf(ctx => read.execute({ file: 'none' }, ctx))
    expect(failed).toMatchObject({ ok: false, code: 'not_found' })
  })

  it('printed: all calls are logged, refused ones too', async () => {
    const logged = await logOf(async ctx => {
      await read.execute({ file: 'src/a.ts' }, ctx)
      await read.execute({ file: '../out' }, ctx)
      await read.execute(JSON.parse('{}'), ctx)
    })
    expect(logged.map(({ ok }) => ok)).toEqual([true, false, false])
  })
})

describe('Deterministic Interfaces', () => {
  it('printed: each tool has a semantic version', () => {
    for (const { version } of TOOLS) expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  })

  it('printed: the version of a call is in its transcript', async () => {
    expect(await logOf(ctx => read.execute({ file: 'src/a.ts' }, ctx))).toMatchObject([{ version: read.version }])
  })
})

describe('Tool Interface', () => {
  it('printed: a tool has name, description, schema, validate, execute and version', () => {
    for (const tool of TOOLS)
      expect(Object.keys(tool).toSorted()).toEqual(['description', 'execute', 'name', 'schema', 'validate', 'version'])
    expectTypeOf<Tool<number, string>['validate']>().toEqualTypeOf<(input: unknown) => number>()
    expectTypeOf<Tool<number, string>['execute']>().toEqualTypeOf<
      (input: number, ctx: ToolContext) => Promise<ToolResult<string>>
    >()
  })

  it('printed: validate gives the input', () => {
    expect(write.validate({ file: 'a', content: 'b' })).toEqual({ file: 'a', content: 'b' })
  })

  it('printed: cwd is where paths begin', async () => {
    expect((await read.execute({ file: 'a.ts' }, { cwd: join(cwd, 'src') })).data?.content).toMatch(/^export const a/)
  })

  served('printed: env is the environment of commands', async () => {
    const { data } = await bash.execute({ command: 'echo "$GREETING"' }, all({ env: { GREETING: 'hello' } }))
    expect(data?.stdout).toBe('hello\n')
  })

  it('printed: dryRun changes nothing', async () => {
    expect((await write.execute({ file: 'dry', content: '' }, all({ dryRun: true }))).ok).toBe(true)
    expect(isThere('dry')).toBe(false)
  })

  it('printed: permissions are as ["fs:read", "fs:write:src/**"]', async () => {
    const ctx = { cwd, permissions: ['fs:read', 'fs:write:src/**'] }
    expect((await write.execute({ file: 'src/p.ts', content: 'p\n' }, ctx)).ok).toBe(true)
    expect((await read.execute({ file: 'src/p.ts' }, ctx)).data).toEqual({ content: 'p\n' })
    expect((await write.execute({ file: 'p.ts', content: 'p\n' }, ctx)).ok).toBe(false)
  })

  it('printed: logger is given a ToolLog', async () => {
    expectTypeOf<ToolContext['logger']>().toEqualTypeOf<((evt: ToolLog) => void) | undefined>()
    expect(await logOf(ctx => read.execute({ file: 'src/a.ts' }, ctx))).toMatchObject([
      { type: 'call', tool: 'sage/Read', ok: true },
    ])
  })

  it('printed: secretProvider fills in placeholders', async () => {
    await write.execute({ file: 'key', content: '$ENV.GITHUB_API_KEY' }, all({ secretProvider }))
    expect(workspace.read('key')).toBe(TOKEN)
  })

  it('printed: a result has ok, data and meta with startedAt, endedAt and durationMs', async () => {
    const result = await read.execute({ file: 'src/a.ts' }, { cwd })
    expect(result).toStrictEqual({ ok: true, data: { content: expect.any(String) }, meta: META })
  })

  it('printed: a failure has ok, error with code and message, and meta', async () => {
    const result = await read.execute({ file: 'none' }, { cwd })
    expect(result).toStrictEqual({ ok: false, error: { code: 'ERUNTIME', message: expect.any(String) }, meta: META })
  })
})

describe('Tool Registry', () => {
  const filled = () => {
    const registry = new ToolRegistry()
    registry.register(read)
    registry.register(write)
    return registry
  }

  it('printed: register takes a tool, and get gives it by its name', () => {
    expect(filled().get('Read')).toBe(read)
  })

  it('printed: getToolSchemas gives the schema of every tool', () => {
    const schemas: ToolSchema[] = filled().getToolSchemas()
    expect(schemas.map(({ name, parameters }) => [name, parameters])).toEqual([
      ['Read', read.schema],
      ['Write', write.schema],
    ])
  })

  it('printed: has tells whether a tool is registered', () => {
    expect([filled().has('Read'), filled().has('Edit')]).toEqual([true, false])
  })

  it('printed: remove takes one tool out', () => {
    const registry = filled()
    registry.remove('Read')
    expect([registry.has('Read'), registry.has('Write')]).toEqual([false, true])
  })

  it('printed: clear takes all tools out', () => {
    const registry = filled()
    registry.clear()
    expect(registry.getToolSchemas()).toEqual([])
  })
})

describe('Standard Tools', () => {
  describe('Read Tool', () => {
    it('printed: createReadTool gives a tool from file to content', async () => {
      expectTypeOf(createReadTool()).toEqualTypeOf<Tool<ReadToolInput, ReadToolOutput>>()
      expectTypeOf<ReadToolOutput>().toEqualTypeOf<{ content: string }>()
      expect((await read.execute({ file: '.sage/memory.json' }, all())).data).toStrictEqual({ content: '{}' })
    })
  })

  describe('Write Tool', () => {
    it('printed: createWriteTool gives a tool from file and content to written', async () => {
      expectTypeOf(createWriteTool()).toEqualTypeOf<Tool<WriteToolInput, WriteToolOutput>>()
      expectTypeOf<WriteToolInput>().toEqualTypeOf<{ file: string; content: string }>()
      expect((await write.execute({ file: 'w.txt', content: 'w\n' }, all())).data).toStrictEqual({ written: true })
      expect(workspace.read('w.txt')).toBe('w\n')
    })
  })

  describe('Edit Tool', () => {
    it('printed: strategy is apply or check', () => {
      expectTypeOf<EditToolInput['strategy']>().toEqualTypeOf<'apply' | 'check' | undefined>()
      expect(edit.schema).toMatchObject({ properties: { strategy: { enum: ['apply', 'check'] } } })
    })

    it('printed: check applies nothing, and gives the diff', async () => {
      const { data } = await edit.execute({ file: 'src/a.ts', patch: PATCH, strategy: 'check' }, all())
      expect(data).toStrictEqual({ applied: false, diff: expect.stringContaining('+export const a = 2') })
      expect(workspace.read('src/a.ts')).toBe('export const a = 1\n')
    })

    it('printed: createEditTool gives a tool from file and unified diff to applied and diff', async () => {
      expectTypeOf(createEditTool()).toEqualTypeOf<Tool<EditToolInput, EditToolOutput>>()
      workspace.write('src/e.ts', 'export const a = 1\n')
      const input = { file: 'src/e.ts', patch: PATCH.replaceAll('a.ts', 'e.ts') }
      const { data } = await edit.execute(input, all())
      expect(data).toStrictEqual({ applied: true, diff: expect.stringContaining('-export const a = 1') })
      expect(workspace.read('src/e.ts')).toBe('export const a = 2\n')
    })
  })

  describe('Bash Tool', () => {
    served('printed: createBashTool gives a tool from command to stdout, stderr and exitCode', async () => {
      expectTypeOf(createBashTool()).toEqualTypeOf<Tool<BashToolInput, BashToolOutput>>()
      const { data } = await bash.execute({ command: 'echo out; echo err >&2; exit 4' }, all())
      expect(data).toStrictEqual({ stdout: 'out\n', stderr: 'err\n', exitCode: 4 })
    })

    served('printed: args are the arguments of a program', async () => {
      const { data } = await bash.execute({ command: 'echo', args: ['a  b', '$HOME'] }, all())
      expect(data?.stdout).toBe('a  b $HOME\n')
    })
  })

  describe('GraphQuery Tool', () => {
    it('printed: GraphQuery is a tool from query, params and commit to results', async () => {
      expectTypeOf(GraphQuery).toEqualTypeOf<Tool<GraphQueryToolInput, GraphQueryToolOutput>>()
      const graph = fakeGraph(() => [{ name: 'ann' }])
      const input = { query: 'MATCH (f:Function) RETURN f.name', params: { name: 'ann' }, commit: 'HEAD' }
      expect((await GraphQuery.execute(input, all({ graph }))).data).toStrictEqual({ results: [{ name: 'ann' }] })
      expect(graph.asked).toEqual([input])
    })
  })
})

describe('Security & Sandboxing', () => {
  describe('Process Isolation', () => {
    served('printed: a command has a restricted environment and the working directory', async () => {
      const { data } = await bash.execute({ command: 'pwd; env' }, all())
      expect(data?.stdout.split('\n')[0]).toBe(cwd)
      expect(data?.stdout).not.toContain('of-the-process')
    })

    served('printed: calls are isolated, and temporary files are removed', async () => {
      const left = `/tmp/left-by-${process.pid}`
      const first = await bash.execute({ command: `echo kept > ${left}; cat ${left}` }, all())
      expect(first.data?.stdout).toBe('kept\n')
      expect((await bash.execute({ command: `cat ${left}` }, all())).data).toMatchObject({ stdout: '', exitCode: 1 })
      expect(existsSync(left)).toBe(false)
    })
  })

  describe('Allow/Deny Lists', () => {
    const denied = { ok: false, error: { code: 'EPERMISSION', message: expect.stringMatching(/\bsed\b/) } }

    served('printed: a list of one tool', async () => {
      const tool = createBashTool({ allow: ['echo'] })
      expect(await tool.execute({ command: 'echo one' }, all())).toMatchObject({ ok: true })
      expect(await tool.execute({ command: 'sed p src/a.ts' }, all())).toMatchObject(denied)
    })

    it('printed: a list of one call', async () => {
      const result = await bash.execute({ command: 'sed p src/a.ts' }, all({ commands: { deny: ['sed'] } }))
      expect(result).toMatchObject(denied)
    })

    served('printed: a command has no network', async () => {
      const { data } = await bash.execute({ command: 'cat /proc/net/dev | tail -n +3 | cut -d: -f1' }, all())
      expect(data?.stdout.trim()).toBe('lo')
    })
  })

  describe('I/O Quotas', () => {
    served.each([
      ['the bytes of stdout and stderr', { outputBytes: 100_000 }, 'yes', 'EQUOTA', /100000 bytes/],
      ['the time', { timeoutMs: 4000 }, 'sleep 60', 'ETIMEOUT', / 4 s/],
      ['the processor time', { cpuSeconds: 1 }, 'while :; do :; done', 'EQUOTA', /processor time/],
      ['the size of files', { fileBytes: 5000 }, 'head -c 9000 /dev/zero > large; true', 'EQUOTA', /5000 bytes/],
    ])('printed: %s has a limit, which ends a command with what it printed', async (_, quotas, line, code, words) => {
      const { data, error } = await bash.execute({ command: `echo begun; ${line}` }, all({ quotas }))
      expect(error).toEqual({ code, message: expect.stringMatching(words) })
      expect(data?.stdout).toMatch(/^begun\n/)
      expect(data?.stdout.length).toBeLessThanOrEqual('outputBytes' in quotas ? quotas.outputBytes : 100)
    })
  })

  describe('Path Policies', () => {
    it.each(['../out.txt', '/etc/out.txt', 'src/../../out.txt'])(
      'printed: %s is outside and not written',
      async file => {
        expect((await write.execute({ file, content: 'x' }, all())).error?.code).toBe('EPERMISSION')
      },
    )

    it.each(['.sage/memory.json', 'src/../.sage/new', './/.sage/new'])('printed: %s is protected', async file => {
      expect((await write.execute({ file, content: 'x' }, all())).error).toEqual({
        code: 'EPERMISSION',
        message: expect.stringContaining('.sage'),
      })
      expect(workspace.read('.sage/memory.json')).toBe('{}')
    })
  })

  describe('Dry-run Mode', () => {
    it('printed: it gives the diff, changes nothing, and says that it was one', async () => {
      const before = workspace.snapshot()
      const result = await write.execute({ file: 'src/dry.ts', content: 'dry\n' }, all({ dryRun: true }))
      expect(result).toMatchObject({
        ok: true,
        data: { written: false },
        meta: { dryRun: true, diff: expect.stringContaining('+dry') },
      })
      expect(workspace.snapshot()).toEqual(before)
    })
  })
})

describe('Secret Management (Vault-Warden Protocol)', () => {
  describe('Secret Resolver Middleware', () => {
    const echo = own({
      parameters: z.object({ list: z.array(z.string()) }),
      implementation: async ({ list }) => ({ first: list[0], length: String(list[0]).length }),
    })

    it('printed: $ENV.GITHUB_API_KEY is filled in before execute, in any string, and redacted after it', async () => {
      const result = await echo.execute({ list: ['$ENV.GITHUB_API_KEY'] }, all({ secretProvider }))
      expect(result.data).toEqual({ first: '[redacted:GITHUB_API_KEY]', length: TOKEN.length })
    })

    it('printed: without a secretProvider nothing is filled in', async () => {
      const list = ['$ENV.OTHER_KEY']
      expect((await echo.execute({ list }, all())).data).toMatchObject({ first: '$ENV.OTHER_KEY' })
    })

    served('printed: stdout and stderr are redacted', async () => {
      const { data } = await bash.execute(
        { command: 'sh', args: ['-c', 'echo "$0"; echo "$0" >&2', '$ENV.GITHUB_API_KEY'] },
        all({ secretProvider }),
      )
      expect(data).toMatchObject({ stdout: '[redacted:GITHUB_API_KEY]\n', stderr: '[redacted:GITHUB_API_KEY]\n' })
    })
  })

  describe('Secret Provider Interface', () => {
    it('printed: get takes the key, and gives a value', async () => {
      expectTypeOf<SecretProvider>().toEqualTypeOf<{ get(key: string): Promise<string | undefined> }>()
      const asked: string[] = []
      const provider: SecretProvider = { get: async key => (asked.push(key), 'a-value-of-some-length') }
      await write.execute({ file: 's', content: '$ENV.GITHUB_API_KEY' }, all({ secretProvider: provider }))
      expect(asked).toEqual(['GITHUB_API_KEY'])
    })

    it('printed: get gives undefined for an unknown key', async () => {
      const { error } = await write.execute({ file: 'u', content: '$ENV.NONE' }, all({ secretProvider }))
      expect(error).toEqual({ code: 'EVALIDATION', message: expect.stringContaining("'NONE'") })
    })
  })
})

describe('Error Taxonomy', () => {
  it('printed: EVALIDATION is an input that fails validation, with its details', async () => {
    const { error } = await read.execute(JSON.parse('{"path":"a"}'), all())
    expect(error).toEqual({ code: 'EVALIDATION', message: expect.stringMatching(/Missing parameter 'file'.*'path'/) })
  })

  it('printed: EPERMISSION names the permission and how to resolve it, and leaves the check in the log', async () => {
    const denied = await logOf(async ctx => {
      const { error } = await write.execute({ file: 'no.ts', content: '' }, { ...ctx, permissions: ['fs:read'] })
      expect(error).toEqual({
        code: 'EPERMISSION',
        message: expect.stringMatching(/fs:write:no\.ts: add it to the permissions/),
      })
    })
    expect(denied).toMatchObject([{ verdict: { verdict: 'deny' } }])
  })

  it('printed: ERUNTIME is a tool that throws, with its message, and its stack in the log', async () => {
    const broken = own({ implementation: () => Promise.reject(new RangeError('7 of 3')) })
    const logged = await logOf(async ctx => {
      expect((await broken.execute({}, ctx)).error).toEqual({
        code: 'ERUNTIME',
        message: expect.stringContaining('7 of 3'),
      })
    })
    expect(logged).toMatchObject([{ stack: expect.stringContaining('sage.test') }])
  })

  it('printed: ETIMEOUT is too long a time, which each tool can set, and names it', async () => {
    expect((await slow({ timeoutMs: 40 }).execute({}, all())).error).toEqual({
      code: 'ETIMEOUT',
      message: expect.stringContaining('0.04 s'),
    })
  })

  it('printed: EQUOTA is too large a file, and names the limit', async () => {
    workspace.write('large.txt', 'x'.repeat(1_100_000))
    expect((await read.execute({ file: 'large.txt' }, all())).error).toEqual({
      code: 'EQUOTA',
      message: expect.stringMatching(/1100000.*1048576/s),
    })
  })
})

describe('Patterns', () => {
  describe('Transaction Boundary', () => {
    it('printed: Edit and Write are staged, and land together', async () => {
      await inTransaction(all(), async ctx => {
        for (const file of ['t1', 't2']) await write.execute({ file, content: file }, ctx)
        expect([isThere('t1'), isThere('t2')]).toEqual([false, false])
      })
      expect([workspace.read('t1'), workspace.read('t2')]).toEqual(['t1', 't2'])
    })

    it('printed: a failure rolls back', async () => {
      const before = workspace.snapshot()
      const work = inTransaction(all(), async ctx => {
        await write.execute({ file: 't3', content: 't3' }, ctx)
        throw new RangeError('no')
      })
      await expect(work).rejects.toThrow('no')
      expect(workspace.snapshot()).toEqual(before)
    })

    served('printed: the commit waits for validators, and one that fails rolls back', async () => {
      await using checked = temporaryWorkspace({ 'a.txt': 'one\n' })
      const config = join(checked.base, 'config.json')
      const validators = [{ name: 'pair', command: ['/bin/sh', '-c', 'test -e one && test -e two'] }]
      writeFileSync(config, JSON.stringify({ validators }))
      const kit = await checked.open({ contract: 'sage', permissions: ['fs:read', 'fs:write'], config })
      const before = checked.snapshot()
      expect(await kit.call('Write', { file: 'one', content: '1' })).toMatchObject({
        ok: false,
        error: { code: 'ERUNTIME', message: expect.stringContaining("'pair'") },
      })
      expect(checked.snapshot()).toEqual(before)
      await kit.transaction(async session => {
        for (const file of ['one', 'two']) await session.call('Write', { file, content: file })
      })
      expect([checked.read('one'), checked.read('two')]).toEqual(['one', 'two'])
    })
  })

  describe('Read-only by Default', () => {
    it('printed: a registry can be read-only', () => {
      const registry = new ToolRegistry({ readOnly: true })
      for (const tool of TOOLS) registry.register(tool)
      expect(registry.getToolSchemas().map(({ name }) => name)).toEqual(['Read', 'GraphQuery'])
    })

    it('printed: without permissions a tool reads, and changes nothing', async () => {
      expect((await read.execute({ file: 'src/a.ts' }, { cwd })).ok).toBe(true)
      expect((await edit.execute({ file: 'src/a.ts', patch: PATCH }, { cwd })).error?.code).toBe('EPERMISSION')
    })
  })

  describe('Deterministic Mode', () => {
    it('printed: the same input gives the same output, times included', async () => {
      const answer = () => read.execute({ file: 'src/a.ts' }, all({ deterministic: true }))
      const first = await answer()
      expect(await answer()).toEqual(first)
      expect(first.meta).toMatchObject({ startedAt: '1980-01-01T00:00:00.000Z', durationMs: 0 })
    })

    served('printed: commands get a fixed time, no chance and no network', async () => {
      const run = (command: string) => bash.execute({ command }, all({ deterministic: true }))
      const epoch = String(Date.parse('1980-01-01T00:00:00Z') / 1000)
      const { data } = await run('echo "$SOURCE_DATE_EPOCH $PYTHONHASHSEED"; tail -n +3 /proc/net/dev | cut -d: -f1')
      expect(data?.stdout.split(/\s+/)).toEqual([epoch, '0', 'lo', ''])
    })
  })
})

describe('Advanced Features', () => {
  describe('LLM Integration', () => {
    it('printed: the JSON Schema of a tool is made from its Zod definition', () => {
      const parameters = z.object({ name: z.string().describe('Who'), times: z.int().max(3).optional() })
      expect(own({ parameters }).schema).toMatchObject({
        type: 'object',
        properties: { name: { type: 'string', description: 'Who' }, times: { type: 'integer', maximum: 3 } },
        required: ['name'],
      })
    })

    it('printed: reading needs no approval', async () => {
      const kit = await workspace.open({ contract: 'sage' })
      expect(await kit.call('Read', { file: 'src/a.ts' })).toMatchObject({ ok: true })
    })
  })

  describe('Testing Support', () => {
    it('printed: a temporary workspace shows what a tool changed, and is gone afterwards', async () => {
      let base = ''
      {
        await using mounted = temporaryWorkspace({ a: 'a' })
        base = mounted.base
        const kit = await mounted.open({ contract: 'sage', permissions: ['fs:write'] })
        const before = mounted.snapshot()
        await kit.call('Write', { file: 'b', content: 'b' })
        expect(Object.keys(mounted.snapshot()).filter(name => !(name in before))).toEqual(['b'])
      }
      expect(existsSync(base)).toBe(false)
    })

    it('printed: a graph and a Chronicle can be mocked', async () => {
      const [graph, journal] = [fakeGraph(() => [{ n: 1 }]), fakeJournal()]
      const { data } = await GraphQuery.execute({ query: 'MATCH (n) RETURN n' }, all({ graph, journal }))
      expect(data).toEqual({ results: [{ n: 1 }] })
      expect(journal.records).toMatchObject([{ type: 'call', tool: 'sage/GraphQuery', ok: true }])
    })
  })

  describe('Custom Tool Definition', () => {
    const parameters = z.object({ name: z.string() })

    it('printed: defineTool makes a tool of name, description, parameters and implementation', async () => {
      const greet = defineTool({
        name: 'Greet',
        description: 'Greets somebody',
        parameters,
        implementation: async ({ name }, context) => `Hello, ${name} in ${context.cwd}`,
      })
      expectTypeOf(greet).toExtend<Tool<{ name: string }, unknown>>()
      expect(greet).toMatchObject({ name: 'Greet', description: 'Greets somebody' })
      expect((await greet.execute({ name: 'Ada' }, all())).data).toBe(`Hello, Ada in ${cwd}`)
    })

    it('printed: the implementation is typed by its parameters', () => {
      type Implementation = ToolDefinition<typeof parameters>['implementation']
      expectTypeOf<Implementation>().parameter(0).toEqualTypeOf<{ name: string }>()
      expectTypeOf<Implementation>().parameter(1).toEqualTypeOf<ToolContext>()
      expect(() => own({ parameters }).validate({ name: 1 })).toThrow(/name/)
    })
  })
})

describe('Future Extensions', () => {
  served('printed: output is streamed', async () => {
    const kit = await workspace.open({ contract: 'sage', permissions: ['exec'] })
    const heard: string[] = []
    await kit.run('Bash', { command: 'echo one' }, { onOutput: ({ text }) => heard.push(text) })
    expect(heard).toEqual(['one\n'])
  })
})
