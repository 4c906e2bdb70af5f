import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { symlinkSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Engines } from '../../src/engines/engines.ts'
import type { AnyTool } from '../../src/kernel/contract.ts'
import { inputSchema, outputSchema } from '../../src/kernel/json-schema.ts'
import { createMcpServer } from '../../src/mcp.ts'
import { fakeFixes } from '../../src/testing/fake-fixes.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { CONTRACT_IDS, loadContract } from '../../src/toolkit.ts'
import { connect, connectTo, type ConnectOptions } from './connect.ts'

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({ 'a.txt': 'one\ntwo\n' })
})
afterEach(() => workspace.remove())

const namesOf = async (args: readonly string[]): Promise<string[]> => {
  await using server = await connect(workspace, { args })
  return (await server.client.listTools()).tools.map(tool => tool.name)
}

const isList = (tool: AnyTool<Engines>): boolean => outputSchema(tool)['type'] === 'array'

const CONTRACTS = await Promise.all(CONTRACT_IDS.map(async id => ({ id, tools: (await loadContract(id)).tools })))

const isLong = process.env['TOOLWRIGHT_LONG'] === '1'

/** The tools whose answers are objects, with examples that need no network. */
const ANSWERING = CONTRACTS.flatMap(({ id, tools }) =>
  tools
    .map(tool => ({
      id,
      tool,
      name: tool.name,
      examples: tool.examples.filter(({ web }) => !web).slice(0, isLong ? undefined : 1),
    }))
    .filter(({ tool, examples }) => !isList(tool) && examples.length > 0),
)

describe('what is listed', () => {
  it.each(CONTRACT_IDS)('is exactly the tools of %s, with their schemas and hints', async id => {
    const { tools } = await loadContract(id)
    // Where the session names no task, a call may: see below.
    const kit = await workspace.open({ contract: id, task: 'Own' })
    await using server = await connectTo(await createMcpServer(kit))
    const listed = (await server.client.listTools()).tools
    expect(listed.map(tool => tool.name)).toEqual(tools.map(tool => tool.name))
    for (const [at, tool] of tools.entries()) {
      const { properties, required } = inputSchema(tool)
      expect(Object.keys(listed[at]?.inputSchema.properties ?? {})).toEqual(Object.keys(Object(properties)))
      expect(listed[at]?.inputSchema.required ?? []).toEqual(required ?? [])
      if (id !== 'toolwright') expect(listed[at]?.inputSchema).toEqual(JSON.parse(JSON.stringify(inputSchema(tool))))
      // An answer that is a list has no place in MCP but the text.
      expect(listed[at]?.outputSchema?.['type']).toBe(isList(tool) ? undefined : 'object')
      const changesNothing = tool.onlyReads ?? tool.effects.every(effect => effect === 'read')
      expect(listed[at]?.annotations?.readOnlyHint ?? false).toBe(changesNothing)
      if (id !== 'toolwright') expect(listed[at]?.title).toMatch(/^[A-Z][a-z ]+$/)
    }
  })

  it('SC-14: has a component that a call can name, where the command names none', async () => {
    const args = ['--contract', 'superconnect']
    await using server = await connect(workspace, { args })
    for (const { inputSchema: schema } of (await server.client.listTools()).tools) {
      expect(schema.properties).toHaveProperty('component')
      expect(schema.required ?? []).not.toContain('component')
    }
    const input = { query: { type: 'listAll' } }
    for (const component of ['Link', 'Link', undefined])
      expect(await server.call('queryIndex', { ...input, ...(component && { component }) })).toMatchObject({
        isError: false,
      })
    const told = (component: string) =>
      workspace.read(`superconnect/${component}/tool-metrics.jsonl`).trim().split('\n').length
    expect([told('Link'), told('default')]).toEqual([2, 1])
    expect(await server.call('queryIndex', { ...input, component: 3 })).toMatchObject({ isError: true })
    expect(await server.call('queryIndex', { ...input, component: '../x' })).toMatchObject({ isError: true })
    await using named = await connect(workspace, { args: [...args, '--component', 'Own'] })
    const [tool] = (await named.client.listTools()).tools
    expect(tool?.inputSchema.properties).not.toHaveProperty('component')
  })

  it('is the tools of every contract that the command is given, whose stored forms are those of the sources', async () => {
    const contracts = await Promise.all(CONTRACT_IDS.map(id => loadContract(id)))
    await using command = await connect(workspace, { args: CONTRACT_IDS.flatMap(id => ['--contract', id]) })
    const { tools: stored } = await command.client.listTools()
    expect(stored.map(tool => tool.name)).toEqual(
      contracts.flatMap(({ id, tools }) => tools.map(({ name }) => `${id}_${name}`)),
    )
    await using library = await connectTo(await createMcpServer(await workspace.open(), { contracts: CONTRACT_IDS }))
    expect(stored).toEqual((await library.client.listTools()).tools)
  })

  it('has prefixed names where several contracts are mounted, and they can be called', async () => {
    await using server = await connect(workspace, { args: ['--contract', 'sage', '--contract', 'cli-agent'] })
    const names = (await server.client.listTools()).tools.map(tool => tool.name)
    expect(names).toEqual(expect.arrayContaining(['sage_Read', 'cli-agent_read_file']))
    expect(names.every(name => /^(sage|cli-agent)_/.test(name))).toBe(true)
    expect((await server.call('sage_Read', { file: 'a.txt' })).structured.data.content).toBe('one\ntwo\n')
    expect((await server.call('cli-agent_read_file', { path: 'a.txt' })).structured.success).toBe(true)
    await expect(server.call('Read', { file: 'a.txt' })).rejects.toThrow("no tool 'Read' here")
  })

  it('is what changes nothing with --read-only, and nothing else can be called', async () => {
    await using server = await connect(workspace, { args: ['--read-only'] })
    const { tools } = await server.client.listTools()
    expect(tools.map(tool => tool.name)).toContain('read')
    expect(tools.every(tool => tool.annotations?.readOnlyHint)).toBe(true)
    expect(server.client.getInstructions()).not.toContain('before you change it')
    await expect(server.call('delete', { path: 'a.txt' })).rejects.toThrow("no tool 'delete' here")
    expect(workspace.read('a.txt')).toBe('one\ntwo\n')
  })

  it('leaves out what the configuration denies as a whole', async () => {
    workspace.write('../deny.json', JSON.stringify({ policy: { rules: [{ verdict: 'deny', action: 'write' }] } }))
    const names = await namesOf(['--config', `${workspace.base}/deny.json`, '--allow', 'fs:write:**'])
    expect(names).toContain('read')
    expect(names).not.toContain('write')
    expect(names).not.toContain('undo')
  })
})

describe('a call', () => {
  it.each<NonNullable<ConnectOptions['protocol']>>(['modern', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'is made in the protocol %s',
    async protocol => {
      await using server = await connect(workspace, { protocol })
      expect(server.client.getServerVersion()).toMatchObject({ name: 'toolwright' })
      expect(server.client.getNegotiatedProtocolVersion()).toBe(protocol === 'modern' ? '2026-07-28' : protocol)
      expect(server.client.getInstructions()).toContain(workspace.path)
      expect(server.client.getInstructions()).toContain('Read a file before you change it')
      const { structured, isError } = await server.call('read', { path: 'a.txt' })
      expect([isError, structured.ok, structured.data.content]).toEqual([false, true, 'one\ntwo\n'])
      if (protocol !== 'modern') await server.client.ping()
    },
  )

  it('of a document answers in text and in structure with the same JSON', async () => {
    await using server = await connect(workspace, { protocol: '2025-06-18', args: ['--contract', 'sage'] })
    for (const file of ['a.txt', 'nope']) {
      const { structured, text } = await server.call('Read', { file })
      expect(JSON.parse(text)).toEqual(structured)
      expect(text).not.toContain('\n')
    }
  })

  it('tells failures with their facts, and ends in the journal like any other', async () => {
    await using server = await connect(workspace)
    expect(await server.call('read', { path: 'nope' })).toMatchObject({
      isError: true,
      structured: { ok: false, error: { code: 'not_found' } },
    })
    expect(await server.call('read', { path: '../x' })).toMatchObject({
      isError: true,
      structured: { error: { code: 'outside_workspace' } },
    })
    const { isError, structured } = await server.call('read', { pth: 'a.txt' })
    expect([isError, structured.error.code, structured.error.message]).toEqual([
      true,
      'invalid_input',
      expect.stringContaining("Unknown parameter 'pth'"),
    ])
    await expect(server.call('nope', {})).rejects.toThrow("no tool 'nope' here. Tools: read")
    await server.client.close()
    const kit = await workspace.open()
    const codes = [...kit.workspace.journal.read()].map(record => Reflect.get(record, 'code'))
    expect(codes).toEqual(['not_found', 'outside_workspace', 'invalid_input', 'unknown_tool'])
  })

  it('names a link as it was written where reading what it leads to is denied', async () => {
    workspace.write('vault/plan-x.txt', 'hidden\n')
    symlinkSync('vault/plan-x.txt', `${workspace.path}/link.txt`)
    symlinkSync('vault', `${workspace.path}/folder`)
    workspace.write(
      '../config/config.json',
      JSON.stringify({ policy: { rules: [{ action: 'read', path: 'vault/**', verdict: 'deny' }] } }),
    )
    const kit = await workspace.open()
    await using server = await connectTo(await createMcpServer(kit))
    for (const [tool, input] of [
      ['read', { path: 'link.txt' }],
      ['grep', { pattern: 'hidden', path: 'folder' }],
      ['list', { path: 'folder' }],
    ] as const) {
      const { isError, structured, text } = await server.call(tool, input)
      expect([isError, structured.error.code]).toEqual([true, 'denied'])
      expect(text).toContain(`read ${input.path}`)
      expect(`${text} ${JSON.stringify(structured)}`).not.toMatch(/vault|plan-x/)
    }
  })

  it('counts for the component that was named, within its budget', async () => {
    workspace.write('../config/config.json', JSON.stringify({ budgets: [{ task: 'C', calls: 1 }] }))
    await using server = await connect(workspace, { args: ['--component', 'C'] })
    expect((await server.call('read', { path: 'a.txt' })).isError).toBe(false)
    expect((await server.call('read', { path: 'a.txt' })).structured.error.code).toBe('budget_exceeded')
  })
})

describe('the output schema', () => {
  const validators = new AjvJsonSchemaValidator()

  it.each(ANSWERING)('holds for what $id $name answers, good and bad', async ({ id, tool, examples }) => {
    for (const { input, files = {}, before = [], fixes } of examples) {
      await using place = temporaryWorkspace(files)
      const permissions = ['fs:write:**', 'exec']
      // The model that a store of its own loads takes longer than all the rest of a tool.
      const kit = await place.open({
        contract: id,
        permissions,
        ...((fixes || !isLong) && { fixes: fakeFixes(fixes) }),
      })
      await using server = await connectTo(await createMcpServer(kit))
      const listed = (await server.client.listTools()).tools.find(({ name }) => name === tool.name)
      if (!listed?.outputSchema) throw new Error(`${tool.name} has no output schema`)
      const validate = validators.getValidator({ ...listed.outputSchema, $schema: DIALECT })
      for (const step of before) await server.call(step.tool, Object(step.input))
      for (const given of [input, { nonsense: true }]) {
        const { structured, text } = await server.call(tool.name, Object(given))
        expect(validate(structured).errorMessage).toBeUndefined()
        if (id === 'toolwright') expect(untold(structured, text)).toEqual([])
        else expect(JSON.parse(text)).toEqual(structured)
      }
    }
  })
})

/** Facts of an answer, or of an error, that its text does not tell. */
function untold(
  { data, error }: { readonly data?: unknown; readonly error?: unknown },
  text: string,
): readonly string[] {
  const isTold = (fact: string) => text.includes(fact) || text.includes(JSON.stringify(fact))
  return leavesOf(error ?? data).filter(fact => !isTold(HASH.test(fact) ? fact.slice(0, 16) : fact))
}

/** Of which the first 16 digits are enough for `expect`. */
const HASH = /^[0-9a-f]{64}$/

/** Times and sources that no model asks for, its own words, what the message says, and what a line of text or a slash at the end of a name shows. */
const UNSAID: ReadonlySet<string> = new Set([
  'durationMs',
  'freshness',
  'repoHash',
  'issues',
  'old',
  'new',
  'column',
  'kind',
  'memory',
  'type',
])

/** Texts line by line, and numbers but for none. */
function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.split('\n')
  if (typeof value === 'number') return value === 0 ? [] : [String(value)]
  return Object.entries(Object(value)).flatMap(([key, each]) => (UNSAID.has(key) ? [] : leavesOf(each)))
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
