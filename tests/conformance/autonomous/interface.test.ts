import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  autonomous,
  createListDirsTool,
  createListFilesTool,
  createReadFileTool,
  createSearchCodeTool,
  createTodoManagerTool,
  createValidateOutputTool,
  executeTool,
  type AgentContext,
  type AgentTool,
} from '../../../src/contracts.ts'
import { fakeGithub, type FakeGithub } from '../../../src/testing/index.ts'
import { openToolkit } from '../../../src/toolkit.ts'
import { useProject } from '../directory.ts'
import { CONNECTION, NO_CONNECTION, TOKEN } from './rig.ts'

const project = useProject({ 'local.txt': 'of the workspace\n' })
let github: FakeGithub
beforeAll(async () => {
  github = await fakeGithub({
    token: TOKEN,
    files: { 'src/a.ts': 'export const a = 1\n', 'notes/b.md': 'both\nboth\n' },
  })
})
afterAll(() => github[Symbol.asyncDispose]())

const contextOf = (more: Partial<AgentContext> = {}): AgentContext => ({
  connection: product => (product === 'shop' ? CONNECTION : undefined),
  cwd: project.cwd,
  network: github.network,
  ...more,
})

const FACTORIES = {
  list_dirs: createListDirsTool,
  list_files: createListFilesTool,
  read_file: createReadFileTool,
  search_code: createSearchCodeTool,
  todo_manager: createTodoManagerTool,
  validate_output: createValidateOutputTool,
}
const allFor = (ctx: AgentContext, product = 'shop'): AgentTool[] =>
  Object.values(FACTORIES).map(make => make(ctx, product))

const INPUTS = {
  list_dirs: {},
  list_files: { path: 'src' },
  read_file: { path: 'src/a.ts' },
  search_code: { query: 'const' },
}

describe('the factories', () => {
  it('AA-01: make every tool of the contract as name, description and execute', () => {
    const tools = allFor(contextOf())
    expect(tools.map(({ name }) => name)).toEqual(Object.keys(FACTORIES))
    expect(tools.map(({ name }) => name)).toEqual(autonomous.tools.map(({ name }) => name))
    for (const tool of tools) {
      expect(Object.keys(tool)).toEqual(['name', 'description', 'execute'])
      expect(tool.description).toMatch(/\w{4}/)
    }
  })

  it('AA-01: close over the context and the product', async () => {
    const ctx = contextOf()
    const [shop, other] = [createListFilesTool(ctx, 'shop'), createListFilesTool(ctx, 'other')]
    const input = { path: 'src' }
    expect(await shop.execute(input)).toEqual({
      files: [{ path: 'src/a.ts', name: 'a.ts', size: 19 }],
      truncated: false,
    })
    expect(await other.execute(input)).toEqual(NO_CONNECTION)
  })

  it('AA-01: wait for a connection that has to be looked up, and tell when that fails', async () => {
    const found = createReadFileTool(contextOf({ connection: async () => CONNECTION }), 'shop')
    expect(await found.execute({ path: 'src/a.ts' })).toMatchObject({ content: 'export const a = 1\n' })
    const failing = createReadFileTool(contextOf({ connection: () => Promise.reject(new Error('db is down')) }), 'shop')
    expect(await failing.execute({ path: 'src/a.ts' })).toEqual({ error: 'db is down' })
    const nowhere = createReadFileTool(contextOf({ cwd: `${project.cwd}/none` }), 'shop')
    expect(await nowhere.execute({ path: 'src/a.ts' })).toEqual({ error: expect.stringContaining('ENOENT') })
  })

  it('go through the runtime: typed, permitted, budgeted and journaled', async () => {
    project.configure({
      budgets: [{ tool: 'autonomous/read_file', calls: 2 }],
      policy: { rules: [{ action: 'net', host: 'ghe.example.com', verdict: 'deny' }] },
    })
    const read = createReadFileTool(contextOf(), 'shop')
    expect(await read.execute({ path: 1 })).toEqual({ error: expect.stringContaining("Parameter 'path'") })
    expect(await read.execute({ path: 'src/a.ts' })).toMatchObject({ size: 19 })
    expect(await read.execute({ path: 'src/none.ts' })).toMatchObject({ error: expect.stringContaining('not found') })
    expect(await read.execute({ path: 'src/a.ts' })).toEqual({ error: expect.stringContaining('budget') })
    const denied = contextOf({ connection: () => ({ ...CONNECTION, baseUrl: 'https://ghe.example.com/api/v3' }) })
    expect(await createListFilesTool(denied, 'shop').execute({})).toEqual({
      error: expect.stringContaining('is not allowed'),
    })

    const kit = await openToolkit({ root: project.cwd })
    const records = [...kit.workspace.journal.read()].filter(({ type }) => type === 'call')
    expect(records.map(({ tool, task, ok }) => [tool, task, ok])).toEqual([
      ['autonomous/read_file', 'shop', false],
      ['autonomous/read_file', 'shop', true],
      ['autonomous/read_file', 'shop', false],
      ['autonomous/read_file', 'shop', false],
      ['autonomous/list_files', 'shop', false],
    ])
    expect(records[1]).toMatchObject({ claims: [{ action: 'net', resource: 'https://api.github.com' }] })
    await kit.close()
  })

  it('never read the workspace in place of the repository', async () => {
    const read = createReadFileTool(contextOf(), 'shop')
    expect(await read.execute({ path: 'local.txt' })).toEqual({ error: expect.stringContaining('not found') })
  })
})

describe('executeTool', () => {
  it('AA-02: gives the name, the input and the output', async () => {
    const input = { path: 'src/a.ts' }
    expect(await executeTool(allFor(contextOf()), 'read_file', input)).toEqual({
      name: 'read_file',
      input,
      output: { path: 'src/a.ts', content: 'export const a = 1\n', size: 19 },
    })
  })

  it('AA-10: gives the cursor of search_code beside its list', async () => {
    const tools = allFor(contextOf())
    const input = { query: 'both', limit: 1 }
    const first = await executeTool(tools, 'search_code', input)
    expect(first).toMatchObject({ name: 'search_code', input, output: [{ path: 'notes/b.md' }], nextCursor: '1' })
    const last = await executeTool(tools, 'search_code', { ...input, cursor: '1' })
    expect(last).toEqual({
      name: 'search_code',
      input: { ...input, cursor: '1' },
      output: [{ path: 'notes/b.md', snippet: 'both' }],
    })
  })

  it('AA-02: gives an error, and never throws, for an unknown tool and for one without execute', async () => {
    expect(await executeTool(allFor(contextOf()), 'delete_file', { path: 'x' })).toEqual({
      name: 'delete_file',
      input: { path: 'x' },
      error: `There is no tool 'delete_file'; known: ${Object.keys(FACTORIES).join(', ')}`,
    })
    const broken = [{ name: 'broken' }] as unknown as AgentTool[]
    expect(await executeTool(broken, 'broken', 1)).toEqual({
      name: 'broken',
      input: 1,
      error: "Tool 'broken' has no execute()",
    })
  })

  it.each([undefined, null, 'list_files', [null]])(
    'AA-02: gives an error for a list of tools that is %j',
    async tools => {
      expect(await Reflect.apply(executeTool, undefined, [tools, 'list_files', {}])).toEqual({
        name: 'list_files',
        input: {},
        error: "There is no tool 'list_files'; known: none",
      })
    },
  )

  it.each([undefined, {}, { connection: 'x' }])(
    'AA-01: a tool over the context %j says what the context needs, and never throws',
    async ctx => {
      const error = 'The context needs a function connection(productId)'
      for (const create of Object.values(FACTORIES)) {
        const tool: AgentTool = Reflect.apply(create, undefined, [ctx, 'shop'])
        expect(await tool.execute({})).toEqual({ error })
        expect(await executeTool([tool], tool.name, {})).toMatchObject({ output: { error }, error })
      }
    },
  )

  it('AA-02: gives an error for a tool that throws, and for one that answers with one', async () => {
    const throwing = { name: 'throwing', execute: () => Promise.reject(new Error('out of order')) }
    expect(await executeTool([throwing], 'throwing', {})).toEqual({
      name: 'throwing',
      input: {},
      error: 'out of order',
    })
    expect(await executeTool(allFor(contextOf(), 'other'), 'list_files', {})).toEqual({
      name: 'list_files',
      input: {},
      output: NO_CONNECTION,
      ...NO_CONNECTION,
    })
  })
})

describe('no connection', () => {
  it.each(Object.entries(INPUTS))('AA-07: %s says so, and nothing else', async (name, input) => {
    expect(await FACTORIES[name as keyof typeof INPUTS](contextOf(), 'other').execute(input)).toEqual(NO_CONNECTION)
    const kit = await openToolkit({ root: project.cwd, contract: 'autonomous' })
    expect(await kit.call(name, input)).toEqual({ name, input, output: NO_CONNECTION, ...NO_CONNECTION })
    await kit.close()
  })

  it.each([
    ['a token that GitHub does not accept', { ...CONNECTION, token: 'ghp_expired' }],
    ['a repository that the token may not see', { ...CONNECTION, repository: 'acme/hidden' }],
    ['no credentials for a private repository', { repository: 'acme/shop' }],
  ])('AA-07: %s is none, and the journal knows why', async (_what, connection) => {
    const read = createReadFileTool(contextOf({ connection: () => connection }), 'shop')
    expect(await read.execute({ path: 'src/a.ts' })).toEqual(NO_CONNECTION)
    const kit = await openToolkit({ root: project.cwd })
    const last = [...kit.workspace.journal.read()].at(-1)
    expect(last).toMatchObject({ ok: false, message: expect.stringMatching(/^GitHub does not (accept|find) /) })
    await kit.close()
  })

  it('AA-07: does not take the one of the configuration where the product has none', async () => {
    project.configure({ github: { repository: 'acme/shop' } })
    expect(await createListFilesTool(contextOf(), 'other').execute({})).toEqual(NO_CONNECTION)
  })

  it('keeps neither plan nor check from working', async () => {
    const ctx = contextOf({ connection: () => undefined })
    const items = [{ content: 'Go', activeForm: 'Going', status: 'pending' }]
    expect(await createTodoManagerTool(ctx, 'shop').execute({ items })).toMatchObject({ currentItem: { id: 'step-1' } })
    const check = createValidateOutputTool(ctx, 'shop')
    expect(await check.execute({ outputType: 'domain_map', data: {} })).toMatchObject({ valid: false })
  })
})
