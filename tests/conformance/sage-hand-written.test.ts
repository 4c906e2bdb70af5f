import { describe, expect, it } from 'vitest'
import { ToolRegistry, type Tool, type ToolContext, type ToolLog, type ToolResult } from '../../src/contracts.ts'
import { fakeSecrets } from '../../src/testing/index.ts'
import { useProject } from './directory.ts'

const project = useProject({ 'a.txt': 'one\n' })
const TOKEN = 'tok-7f3a9c51e2d84b60'

interface Greeting {
  readonly name: string
}

/** Written against the document's interface alone, as a class. */
class Greet implements Tool<Greeting, unknown> {
  name = 'Greet'
  description = 'Greets somebody'
  version = '2.1.0'
  readonly seen: unknown[] = []
  readonly answer: (input: Greeting) => ToolResult<unknown> | Promise<ToolResult<unknown>>

  constructor(answer: Greet['answer'] = ({ name }) => ({ ok: true, data: { text: `Hello, ${name}!` } })) {
    this.answer = answer
  }

  get schema(): Tool<Greeting, unknown>['schema'] {
    return { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
  }

  validate(input: unknown): Greeting {
    const { name } = Object(input)
    if (typeof name !== 'string') throw new TypeError('name must be a string')
    return { name }
  }

  async execute(input: Greeting, ctx: ToolContext): Promise<ToolResult<unknown>> {
    this.seen.push(input, ctx.cwd)
    return this.answer(input)
  }
}

const registered = (tool: Tool<Greeting, unknown>): Tool<Greeting, unknown> => {
  const registry = new ToolRegistry()
  registry.register(tool)
  return registry.get('Greet')
}

describe('a hand-written tool in a registry', () => {
  it('SG-01, SG-04: keeps its name, description, version and schema', () => {
    const registry = new ToolRegistry()
    const tool = new Greet()
    registry.register(tool)
    const { name, description, version, schema } = tool
    expect(registry.getToolSchemas()).toEqual([{ name, description, version, parameters: schema }])
    expect(registry.get('Greet')).toMatchObject({ name, description, version, schema })
  })

  it('SG-06, SG-22: is validated before it is called, by its own check', async () => {
    const tool = new (class extends Greet {
      override get schema() {
        return { type: 'object', properties: {}, required: [] }
      }
    })()
    const input = JSON.parse('{"name":7}')
    expect(await registered(tool).execute(input, { cwd: project.cwd })).toMatchObject({
      ok: false,
      error: { code: 'EVALIDATION', message: 'name must be a string' },
    })
    expect(() => registered(tool).validate(input)).toThrow(expect.objectContaining({ code: 'EVALIDATION' }))
    expect(tool.seen).toEqual([])
  })

  it.each([
    ['{"name":7}', /^Parameter 'name': .*expected string/],
    ['{}', /^Missing parameter 'name'/],
    ['{"name":"Ann","tone":"loud"}', /^Parameter 'tone': .*"warm"/],
    ['{"name":"Ann","to":["a",3]}', /^Parameter 'to\.1': .*expected string/],
    ['7', /expected object/],
  ])(
    'SG-06, SG-08, SG-22: %s does not match its JSON Schema, and its own check is not asked',
    async (given, message) => {
      const asked: unknown[] = []
      const tool = new (class extends Greet {
        override get schema() {
          const to = { type: 'array', items: { type: 'string' } }
          const properties = { name: { type: 'string' }, tone: { enum: ['warm', 'cool'] }, to }
          return { type: 'object', properties, required: ['name'] }
        }

        override validate(input: unknown): Greeting {
          asked.push(input)
          return Object(input)
        }
      })()
      const logged: ToolLog[] = []
      const context = { cwd: project.cwd, logger: (event: ToolLog) => logged.push(event) }
      const input = JSON.parse(given)
      expect((await registered(tool).execute(input, context)).error).toEqual({
        code: 'EVALIDATION',
        message: expect.stringMatching(message),
      })
      expect(() => registered(tool).validate(input)).toThrow(expect.objectContaining({ code: 'EVALIDATION' }))
      expect([asked, tool.seen]).toEqual([[], []])
      expect(logged).toMatchObject([{ tool: 'sage/Greet', ok: false }])
      expect((await registered(tool).execute({ name: 'Ann' }, context)).ok).toBe(true)
    },
  )

  it('SG-06: a schema without a type that names properties is one of an object', () => {
    const tool: Tool<Greeting, unknown> = new Greet()
    const untyped = { properties: { name: { type: 'string' } }, required: ['name'] }
    Object.defineProperty(tool, 'schema', { value: untyped })
    for (const input of [{ name: 7 }, {}, 'Ann'])
      expect(() => registered(tool).validate(input)).toThrow(/expected|Missing/)
    expect(registered(tool).validate({ name: 'Ann' })).toEqual({ name: 'Ann' })
  })

  it('SG-06: a schema that cannot be checked is refused with its tool', () => {
    const tool: Tool<Greeting, unknown> = new Greet()
    Object.defineProperty(tool, 'schema', { value: { type: 'object', if: { required: ['name'] } } })
    expect(() => registered(tool)).toThrow(/^The JSON Schema of 'Greet' cannot be checked: .*if/)
  })

  it('SG-20, SG-21: gets secrets just before execute, and shows none', async () => {
    const tool = new Greet()
    const logged: ToolLog[] = []
    const input = { name: '$ENV.TOKEN' }
    const result = await registered(tool).execute(input, {
      cwd: project.cwd,
      secretProvider: fakeSecrets({ TOKEN }),
      logger: event => logged.push(event),
    })
    expect(tool.seen).toEqual([{ name: TOKEN }, project.cwd])
    expect(result).toMatchObject({ ok: true, data: { text: 'Hello, [redacted:TOKEN]!' } })
    expect(JSON.stringify([result, logged])).not.toContain(TOKEN)
    expect(Object.isFrozen(input)).toBe(false)
  })

  it('SG-03, SG-08: leaves one record with its arguments, version, duration and resources, and has times', async () => {
    const logged: ToolLog[] = []
    const result = await registered(new Greet()).execute(
      { name: 'Ada' },
      { cwd: project.cwd, logger: event => logged.push(event) },
    )
    expect(result.meta).toMatchObject({ startedAt: expect.any(String), durationMs: expect.any(Number) })
    expect(logged).toMatchObject([
      {
        type: 'call',
        tool: 'sage/Greet',
        version: '2.1.0',
        input: { name: 'Ada' },
        output: { text: 'Hello, Ada!' },
        ok: true,
        resources: { cpuMs: expect.any(Number) },
      },
    ])
  })

  it('SG-22: a failure keeps its code, its message and what it gives besides', async () => {
    const refused = new Greet(() => ({ ok: false, data: { half: 1 }, error: { code: 'EQUOTA', message: 'too many' } }))
    expect(await registered(refused).execute({ name: 'Ada' }, { cwd: project.cwd })).toMatchObject({
      ok: false,
      data: { half: 1 },
      error: { code: 'EQUOTA', message: 'too many' },
    })
    const own = new Greet(() => ({ ok: false, error: { code: 'EBUSY', message: 'later' } }))
    expect((await registered(own).execute({ name: 'Ada' }, { cwd: project.cwd })).error).toEqual({
      code: 'EBUSY',
      message: 'later',
    })
  })

  it.each<[string, Greet['answer'], RegExp]>([
    ['throws', () => Promise.reject(new RangeError('no such name')), /no such name/],
    ['answers something else', () => JSON.parse('"hello"'), /returned no result/],
    ['answers nothing', () => JSON.parse('null'), /returned no result/],
  ])('SG-22: one that %s is ERUNTIME', async (_, answer, words) => {
    expect(await registered(new Greet(answer)).execute({ name: 'Ada' }, { cwd: project.cwd })).toMatchObject({
      ok: false,
      error: { code: 'ERUNTIME', message: expect.stringMatching(words) },
    })
  })

  it('SG-07: is not called where the context grants nothing', async () => {
    const tool = new Greet()
    expect(await registered(tool).execute({ name: 'Ada' }, { cwd: project.cwd, permissions: [] })).toMatchObject({
      ok: false,
      error: { code: 'EPERMISSION' },
    })
    expect(tool.seen).toEqual([])
  })
})
