import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import {
  createEditTool,
  createReadTool,
  createWriteTool,
  defineTool,
  sage,
  ToolRegistry,
  type EditToolInput,
  type EditToolOutput,
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
} from '../../src/contracts.ts'
import { failureOf } from '../../src/contracts/sage/failure.ts'
import type { Effect } from '../../src/kernel/claim.ts'
import { ToolError } from '../../src/kernel/error.ts'
import { wireForm } from '../../src/kernel/wire-forms.ts'
import { useProject } from './directory.ts'

const project = useProject({ 'src/a.ts': 'export const a = 1\n' })

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const META = {
  startedAt: expect.stringMatching(ISO),
  endedAt: expect.stringMatching(ISO),
  durationMs: expect.any(Number),
}

describe('the schema of answers', () => {
  it('SG-03: is the ToolResult of the document, with the output of the tool as data', () => {
    for (const tool of sage.tools)
      expect(wireForm(tool, 'mcp', sage)).toMatchObject({
        outputSchema: {
          properties: {
            ok: { type: 'boolean' },
            data: { type: 'object' },
            error: { required: ['code', 'message'] },
            meta: { required: ['startedAt', 'endedAt', 'durationMs'] },
          },
          required: ['ok', 'meta'],
        },
      })
  })
})

describe('Tool', () => {
  it('SG-01: has a name, a description, a JSON Schema, validate, execute and a version, and nothing else', () => {
    for (const [tool, name] of [
      [createReadTool(), 'Read'],
      [createWriteTool(), 'Write'],
      [createEditTool(), 'Edit'],
    ] as const) {
      expect(Object.keys(tool).toSorted()).toEqual(['description', 'execute', 'name', 'schema', 'validate', 'version'])
      expect(tool).toMatchObject({
        name,
        description: expect.any(String),
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      })
    }
  })

  it('SG-01, SG-06: is typed as the document types it', () => {
    expectTypeOf(createReadTool).returns.toEqualTypeOf<Tool<ReadToolInput, ReadToolOutput>>()
    expectTypeOf(createWriteTool).returns.toEqualTypeOf<Tool<WriteToolInput, WriteToolOutput>>()
    expectTypeOf(createEditTool).returns.toEqualTypeOf<Tool<EditToolInput, EditToolOutput>>()
    expectTypeOf<Tool<ReadToolInput, ReadToolOutput>['execute']>().returns.resolves.toEqualTypeOf<
      ToolResult<ReadToolOutput>
    >()
    expectTypeOf<Parameters<Tool<WriteToolInput, WriteToolOutput>['execute']>[0]>().toEqualTypeOf<WriteToolInput>()
    expectTypeOf<EditToolInput['strategy']>().toEqualTypeOf<'apply' | 'check' | undefined>()
    expectTypeOf<EditToolOutput['diff']>().toEqualTypeOf<string | undefined>()
    expectTypeOf(createReadTool().validate).returns.toEqualTypeOf<ReadToolInput>()
    // @ts-expect-error a file is a string
    const wrong: ReadToolInput = { file: 1 }
    expect(() => createReadTool().validate(wrong)).toThrow(/file/)
  })

  it('SG-02: the context takes cwd and every optional field of the document', () => {
    expectTypeOf<ToolContext>().toHaveProperty('cwd').toEqualTypeOf<string>()
    expectTypeOf<ToolContext['env']>().toEqualTypeOf<Record<string, string> | undefined>()
    expectTypeOf<ToolContext['dryRun']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<ToolContext['permissions']>().toEqualTypeOf<string[] | undefined>()
    expectTypeOf<ToolContext['logger']>().toEqualTypeOf<((evt: ToolLog) => void) | undefined>()
    expectTypeOf<ToolContext['secretProvider']>().toEqualTypeOf<SecretProvider | undefined>()
    expectTypeOf<SecretProvider['get']>().toEqualTypeOf<(key: string) => Promise<string | undefined>>()
  })

  it('SG-03: a result is ok, data and meta with three fields, and nothing else', async () => {
    const result = await createReadTool().execute({ file: 'src/a.ts' }, { cwd: project.cwd })
    expect(result).toStrictEqual({ ok: true, data: { content: 'export const a = 1\n' }, meta: META })
  })

  it('SG-03: a failure is ok, error with code and message, and meta, and nothing else', async () => {
    const result = await createReadTool().execute({ file: 'nope.ts' }, { cwd: project.cwd })
    expect(result).toStrictEqual({ ok: false, error: { code: 'ERUNTIME', message: expect.any(String) }, meta: META })
  })

  it('SG-03: also where the context itself is wrong', async () => {
    const read = createReadTool()
    const nowhere = await read.execute({ file: 'a' }, { cwd: `${project.cwd}/nowhere` })
    expect(nowhere).toStrictEqual({
      ok: false,
      error: { code: 'EVALIDATION', message: expect.stringContaining('nowhere') },
      meta: META,
    })
    const garbled = await read.execute({ file: 'src/a.ts' }, { cwd: project.cwd, permissions: ['fs:reed'] })
    expect(garbled).toStrictEqual({
      ok: false,
      error: { code: 'EVALIDATION', message: expect.stringMatching(/fs:reed.*fs:read/s) },
      meta: META,
    })
  })

  it('SG-06: checks the input at run time, names what is wrong and what is expected', async () => {
    const write = createWriteTool()
    const input: unknown = { file: 'a.txt', contnt: 'x' }
    expect(() => write.validate(input)).toThrow(/Missing parameter 'content'.*Unknown parameter 'contnt'/)
    const result = await write.execute(input as WriteToolInput, { cwd: project.cwd, permissions: ['fs:write'] })
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'EVALIDATION', message: expect.stringMatching(/'contnt'.*Parameters of Write: file, content/) },
    })
    expect(write.validate({ file: 'a', content: 'b' })).toEqual({ file: 'a', content: 'b' })
  })

  it('SG-06: checks the output at run time', async () => {
    const loop = defineTool({
      name: 'Deep',
      description: 'Answers with what JSON cannot hold',
      parameters: z.object({}),
      implementation: async () => 10n,
    })
    expect(await loop.execute({}, { cwd: project.cwd })).toMatchObject({ ok: false, error: { code: 'ERUNTIME' } })
  })

  it('SG-25: the JSON Schema comes from the Zod definition', () => {
    expect(createEditTool().schema).toEqual({
      type: 'object',
      properties: {
        file: { type: 'string', description: expect.any(String) },
        patch: { type: 'string', minLength: 1, description: expect.any(String) },
        strategy: { type: 'string', enum: ['apply', 'check'], description: expect.any(String) },
      },
      required: ['file', 'patch'],
      additionalProperties: false,
    })
  })
})

describe('ToolRegistry', () => {
  it('SG-04: registers, gets, lists, tells and removes', () => {
    const registry = new ToolRegistry()
    const read = createReadTool()
    registry.register(read)
    registry.register(createWriteTool())
    expect(registry.get('Read')).toBe(read)
    expect([registry.has('Read'), registry.has('Edit')]).toEqual([true, false])
    const schemas: ToolSchema[] = registry.getToolSchemas()
    expect(schemas).toEqual([
      { name: 'Read', description: read.description, version: read.version, parameters: read.schema },
      expect.objectContaining({ name: 'Write' }),
    ])
    registry.remove('Read')
    expect(registry.has('Read')).toBe(false)
    registry.clear()
    expect(registry.getToolSchemas()).toEqual([])
  })

  it('SG-04, SG-22: a duplicate, an unknown name and what is no tool are clear errors, with a code of the document', () => {
    const registry = new ToolRegistry()
    registry.register(createReadTool())
    const duplicate = expect.objectContaining({
      code: 'EVALIDATION',
      message: expect.stringContaining("A tool named 'Read' is already registered"),
    })
    const unknown = expect.objectContaining({
      code: 'EVALIDATION',
      message: expect.stringMatching(/^No tool named 'Raed'.*Read/),
    })
    expect(() => registry.register(createReadTool())).toThrow(duplicate)
    expect(() => registry.get('Raed')).toThrow(unknown)
    expect(() => registry.remove('Raed')).toThrow(unknown)
    const invalid = expect.objectContaining({ code: 'EVALIDATION', message: expect.stringContaining('defineTool') })
    for (const nothing of [null, undefined, 'Read', {}, { name: 'Half', schema: {} }])
      expect(() => registry.register(nothing as never)).toThrow(invalid)
    expect(registry.getToolSchemas()).toHaveLength(1)
  })

  it('SG-05, SG-22: what a read-only registry closes is EPERMISSION', () => {
    const registry = new ToolRegistry({ readOnly: true })
    registry.register(createWriteTool())
    expect(() => registry.get('Write')).toThrow(expect.objectContaining({ code: 'EPERMISSION' }))
  })

  it('SG-22: what the operating system refuses is EPERMISSION', () => {
    for (const errno of ['EACCES', 'EPERM', 'EROFS']) {
      const refused = new ToolError('io', `'a.txt' is not accessible to this user`, { details: { errno } })
      expect(failureOf(refused, sage.codes).error.code).toBe('EPERMISSION')
    }
    const full = new ToolError('io', 'no space', { details: { errno: 'ENOSPC' } })
    expect(failureOf(full, sage.codes).error.code).toBe('ERUNTIME')
  })

  it('SG-22: execute never throws, whatever it is given', async () => {
    for (const input of [undefined, null, 5, 'a.txt', [], { file: 5 }, { file: 'a.txt', extra: 1 }])
      for (const tool of [createReadTool(), createWriteTool(), createEditTool()])
        expect(await tool.execute(input as never, { cwd: project.cwd })).toMatchObject({
          ok: false,
          error: { code: 'EVALIDATION' },
        })
  })

  it('SG-05: opened read-only, it neither lists nor hands out what can change something', () => {
    const registry = new ToolRegistry({ readOnly: true })
    const look = { name: 'Look', description: 'Only looks', parameters: z.object({}), implementation: async () => 1 }
    for (const tool of [
      createReadTool(),
      createWriteTool(),
      createEditTool(),
      defineTool({ ...look, name: 'Unknown' }),
      defineTool({ ...look, effects: ['read'] }),
    ])
      registry.register(tool)
    expect(registry.getToolSchemas().map(({ name }) => name)).toEqual(['Read', 'Look'])
    for (const name of ['Write', 'Edit', 'Unknown']) {
      expect(registry.has(name)).toBe(false)
      expect(() => registry.get(name)).toThrow(/read-only/)
    }
  })

  it('SG-05: a tool that was not made here counts as one that can change anything', () => {
    const registry = new ToolRegistry({ readOnly: true })
    registry.register({ ...createReadTool(), name: 'Foreign' })
    expect(registry.has('Foreign')).toBe(false)
  })
})

describe('defineTool', () => {
  const parameters = z.object({ name: z.string(), times: z.int().default(1) })
  const greet = defineTool({
    name: 'Greet',
    description: 'Greets somebody',
    parameters,
    implementation: async ({ name, times }, context) => {
      expectTypeOf(name).toEqualTypeOf<string>()
      expectTypeOf(times).toEqualTypeOf<number>()
      expectTypeOf(context).toEqualTypeOf<ToolContext>()
      return { text: `Hello, ${name}!`.repeat(times), cwd: context.cwd }
    },
  })

  it('SG-27: makes a tool with inferred types', async () => {
    expectTypeOf(greet).toExtend<Tool<{ name: string; times: number }, unknown>>()
    expectTypeOf<ToolDefinition<typeof parameters>['implementation']>()
      .parameter(0)
      .toEqualTypeOf<{ name: string; times: number }>()
    expect(greet.schema).toMatchObject({ properties: { name: { type: 'string' } }, required: ['name'] })
    expect(await greet.execute({ name: 'Ada', times: 2 }, { cwd: project.cwd })).toStrictEqual({
      ok: true,
      data: { text: 'Hello, Ada!Hello, Ada!', cwd: project.cwd },
      meta: META,
    })
  })

  it('SG-27: fills in defaults, and refuses what the schema refuses', async () => {
    const result = await greet.execute(JSON.parse('{"name":"Ada"}'), { cwd: project.cwd })
    expect(result.data).toMatchObject({ text: 'Hello, Ada!' })
    expect(await greet.execute(JSON.parse('{"name":1}'), { cwd: project.cwd })).toMatchObject({
      ok: false,
      error: { code: 'EVALIDATION', message: expect.stringContaining("'name'") },
    })
  })

  it('SG-22, SG-27, SG-x2: what the implementation throws is ERUNTIME with its message; its stack is for the developer alone', async () => {
    const logged: ToolLog[] = []
    const broken = defineTool({
      name: 'Broken',
      description: 'Always fails',
      parameters: z.object({}),
      implementation: async () => {
        throw new RangeError('the index is 7, and there are 3')
      },
    })
    const result = await broken.execute({}, { cwd: project.cwd, logger: event => logged.push(event) })
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'ERUNTIME', message: expect.stringContaining('the index is 7, and there are 3') },
    })
    expect(logged).toMatchObject([{ ok: false, stack: expect.stringContaining('sage-interface.test') }])
    expect(JSON.stringify(result)).not.toMatch(/sage-interface|RangeError|\bat /)
  })

  const counting = (more: Partial<ToolDefinition> = {}) => {
    const calls: boolean[] = []
    const tool = defineTool({
      name: 'Count',
      description: 'Counts its calls',
      parameters: z.object({}),
      implementation: async (_, { dryRun = false }) => ({ times: calls.push(dryRun) }),
      ...more,
    })
    return { tool, calls }
  }

  it.each<[string, Partial<ToolDefinition>, boolean]>([
    ['declares nothing', {}, false],
    ['declares that it writes', { effects: ['write'] }, false],
    ['only reads', { effects: ['read'] }, true],
    ['simulates', { effects: ['write'], simulates: true }, true],
  ])('SG-19: a dry run of a function that %s', async (_, more, isCalled) => {
    const { tool, calls } = counting(more)
    const result = await tool.execute({}, { cwd: project.cwd, dryRun: true })
    expect(result).toMatchObject(
      isCalled
        ? { ok: true, meta: { dryRun: true } }
        : { ok: false, error: { code: 'ERUNTIME', message: expect.stringContaining('dry run') } },
    )
    expect(calls).toEqual(isCalled ? [true] : [])
  })

  it.each<[string, Partial<ToolDefinition>, RegExp]>([
    ['declares nothing', {}, /declares no effects, so it could have any/],
    ['declares that it writes', { effects: ['write', 'net'] }, /would have the effects write, net/],
  ])(
    'SG-19: a function that %s is not called in a dry run, and the answer names its effects',
    async (_, more, words) => {
      const { tool, calls } = counting(more)
      const { error } = await tool.execute({}, { cwd: project.cwd, dryRun: true })
      expect(error?.message).toMatch(words)
      expect(calls).toEqual([])
    },
  )

  it.each<[readonly Effect[]]>([[['exec']], [['read', 'net']]])(
    'SG-19: a dry run of a function with %j, which changes no file, says which effects it would have had',
    async effects => {
      const { tool, calls } = counting({ effects })
      expect(await tool.execute({}, { cwd: project.cwd, dryRun: true })).toStrictEqual({
        ok: true,
        data: undefined,
        meta: { ...META, dryRun: true, diff: '', effects },
      })
      expect(calls).toEqual([])
    },
  )

  it.each<[Partial<ToolDefinition>]>([[{}], [{ effects: ['net'] }], [{ effects: ['write'] }]])(
    'SG-19: a dry run of a function with %j calls its simulate instead, with the same arguments and checks',
    async more => {
      const simulated: unknown[] = []
      const simulate: ToolDefinition['simulate'] = async (args, { dryRun }) => simulated.push([args, dryRun])
      const { tool, calls } = counting({ ...more, simulate })
      expect(await tool.execute({}, { cwd: project.cwd, dryRun: true })).toStrictEqual({
        ok: true,
        data: 1,
        meta: { ...META, dryRun: true, diff: '' },
      })
      expect([calls, simulated]).toEqual([[], [[{}, true]]])
      expect((await tool.execute({}, { cwd: project.cwd, dryRun: true, permissions: [] })).error?.code).toBe(
        'EPERMISSION',
      )
      expect((await tool.execute({}, { cwd: project.cwd })).data).toEqual({ times: 1 })
      expect(simulated).toHaveLength(1)
    },
  )

  it.each<[Partial<ToolDefinition>, string[], boolean]>([
    [{}, [], false],
    [{}, ['fs:read'], true],
    [{ effects: [] }, [], true],
    [{ effects: ['read'] }, [], false],
    [{ effects: ['exec'] }, ['fs:read', 'fs:write'], false],
    [{ effects: ['exec'] }, ['exec:git'], false],
    [{ effects: ['exec'] }, ['exec'], true],
    [{ effects: ['create', 'net'] }, ['fs:write', 'net:*'], true],
  ])('SG-27: a function with %j and the permissions %j', async (more, permissions, isCalled) => {
    const { tool, calls } = counting(more)
    const result = await tool.execute({}, { cwd: project.cwd, permissions })
    expect(result).toMatchObject(isCalled ? { ok: true } : { ok: false, error: { code: 'EPERMISSION' } })
    expect(calls).toHaveLength(isCalled ? 1 : 0)
  })

  it('SG-27: joins a registry and is called through it', async () => {
    const registry = new ToolRegistry()
    registry.register(greet)
    expect(await registry.get('Greet').execute({ name: 'you', times: 1 }, { cwd: project.cwd })).toMatchObject({
      ok: true,
    })
  })
})
