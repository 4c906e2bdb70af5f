import { beforeAll, describe, expect, expectTypeOf, it, vi } from 'vitest'
import {
  autonomous,
  createListFilesTool,
  executeTool,
  type DirEntry,
  type FileEntry,
  type Plan,
  type PlanItem,
  type ReadFileOutput,
  type SearchMatch,
  type ToolDefinition,
  type ToolResult,
  type ValidationResult,
} from '../../../src/documents/autonomous.ts'
import { mcpForm } from '../../../src/kernel/wire-forms.ts'
import { readKept } from '../../../src/machine/journal/kept-text.ts'
import type { Toolkit } from '../../../src/toolkit.ts'
import { CONNECTION, NO_CONNECTION, outputOf, useProduct } from '../autonomous/rig.ts'

const SRC = 'apps/webapp/src'
const BUTTON = 'export function Button() { ... }'
const KB = 1024

const product = useProduct({
  [`${SRC}/main.tsx`]: ''.padEnd(1_020, '/'),
  [`${SRC}/main.css`]: 'a {}\n',
  [`${SRC}/domains/sales.tsx`]: 'export const sales = 1\n',
  [`${SRC}/routes/index.ts`]: 'export const routes = []\n',
  'src/components/button.tsx': BUTTON.padEnd(2_048, '\n'),
  'src/auth/login.tsx': 'export function LoginForm() {\n}\n',
  'src/auth/login.css': 'form {}\n',
  'deep/1/2/3/file.md': 'deep\n',
  'data/most.txt': 'x'.repeat(100 * KB),
  'data/more.txt': 'x'.repeat(100 * KB + 1),
})

let kit: Toolkit
beforeAll(async () => {
  kit = await product.open()
})
const call = async (tool: string, input: object): Promise<unknown> => outputOf(await kit.call(tool, input))

/** Calls with no connection at all. */
const unconnected = async (tool: string, input: object): Promise<unknown> => {
  const bare = await product.workspace.open({ contract: 'autonomous' })
  return outputOf(await bare.call(tool, input))
}

/** The keys of an input as the table prints them: `?` where it may be left out. */
const inputOf = (name: string): readonly string[] => {
  const tool = autonomous.tools.find(one => one.name === name)
  if (!tool) throw new Error(`no tool ${name}`)
  const { properties, required } = Object(mcpForm(tool, autonomous).inputSchema)
  return Object.keys(properties).map(key => (Object(required ?? []).includes(key) ? key : `${key}?`))
}

/** What we take besides; docs/contracts.md says why. */
const OURS = new Set(['product?', 'cursor?'])
const printedInputOf = (name: string) => inputOf(name).filter(key => !OURS.has(key))

describe('Interface base', () => {
  const context = () => ({
    connection: (id: string) => (id === 'shop' ? CONNECTION : undefined),
    cwd: product.workspace.path,
    network: product.github.network,
  })
  const input = { path: SRC, pattern: '*.css' }
  let tool: ToolDefinition
  beforeAll(() => {
    // The factories find the user's state and configuration by the environment of the process.
    for (const name of ['TOOLWRIGHT_STATE', 'TOOLWRIGHT_CONFIG_HOME']) vi.stubEnv(name, product.workspace.env[name])
    tool = createListFilesTool(context(), 'shop')
    return () => vi.unstubAllEnvs()
  })

  it('printed: ToolDefinition has a name', () => {
    expect(tool.name).toBe('list_files')
    expectTypeOf<ToolDefinition['name']>().toEqualTypeOf<string>()
  })

  it('printed: ToolDefinition may have a description', () => {
    expect(tool.description).toMatch(/\w+ \w+/)
    expectTypeOf<ToolDefinition['description']>().toEqualTypeOf<string | undefined>()
  })

  it('printed: execute takes an unknown input and promises an unknown output', async () => {
    expectTypeOf<ToolDefinition['execute']>().toEqualTypeOf<(input: unknown) => Promise<unknown>>()
    const promise = tool.execute(input)
    expect(promise).toBeInstanceOf(Promise)
    expect(await promise).toHaveProperty('files')
  })

  it('printed: createListFilesTool(ctx, productId) closes over both', async () => {
    expectTypeOf(createListFilesTool).returns.toEqualTypeOf<ToolDefinition>()
    expect(await tool.execute(input)).toMatchObject({ files: [{ name: 'main.css' }] })
    expect(await createListFilesTool(context(), 'other').execute(input)).toEqual(NO_CONNECTION)
  })

  it('printed: a tool that does not exist gives a ToolResult with an error', async () => {
    const missing = { name: 'nothing', input: { a: 1 }, error: expect.stringContaining('nothing') }
    expect(await executeTool([tool], 'nothing', { a: 1 })).toEqual(missing)
    expect(await kit.call('nothing', { a: 1 })).toEqual(missing)
  })

  it('printed: a tool that does not implement execute() gives a ToolResult with an error', async () => {
    const unfinished: ToolDefinition = JSON.parse('{"name":"unfinished"}')
    expect(await executeTool([unfinished], 'unfinished', {})).toEqual({
      name: 'unfinished',
      input: {},
      error: "Tool 'unfinished' has no execute()",
    })
  })

  it('printed: ToolResult has name, input and output where the call went well', async () => {
    expectTypeOf<ToolResult['name']>().toEqualTypeOf<string>()
    expectTypeOf<ToolResult['input']>().toBeUnknown()
    expectTypeOf<ToolResult['output']>().toBeUnknown()
    const result = await executeTool([tool], 'list_files', input)
    expect(result).toEqual({ name: 'list_files', input, output: await tool.execute(input) })
  })

  it('printed: ToolResult has an error, a text, where it did not', async () => {
    expectTypeOf<ToolResult['error']>().toEqualTypeOf<string | undefined>()
    expect(await executeTool([tool], 'list_files', { path: 'none' })).toMatchObject({
      name: 'list_files',
      input: { path: 'none' },
      error: expect.stringContaining("'none'"),
    })
  })
})

describe('Contratos de tools', () => {
  it('printed: there are six tools, in the order of the table', () => {
    expect(autonomous.tools.map(({ name }) => name)).toEqual([
      'list_dirs',
      'list_files',
      'read_file',
      'search_code',
      'todo_manager',
      'validate_output',
    ])
  })

  it.each([
    ['list_dirs', ['path?', 'depth?', 'limit?']],
    ['list_files', ['path?', 'pattern?', 'limit?']],
    ['read_file', ['path']],
    ['search_code', ['query', 'filePattern?', 'limit?']],
    ['todo_manager', ['items']],
    ['validate_output', ['outputType', 'data']],
  ])('printed: the input of %s is %j', async (name, keys) => {
    expect(printedInputOf(name)).toEqual(keys)
  })

  it('printed: list_dirs gives { dirs: DirEntry[], truncated? }', async () => {
    const output = Object(await call('list_dirs', {}))
    expect(Object.keys(output)).toEqual(['dirs', 'truncated'])
    const dirs: DirEntry[] = output.dirs
    expect(dirs[0]).toEqual({ path: 'apps', depth: 1 })
  })

  it('printed: list_dirs has only directories, to a limited depth', async () => {
    const { dirs } = Object(await call('list_dirs', { depth: 3 }))
    const paths = dirs.map(({ path }: DirEntry) => path)
    expect(paths).toContain('deep/1/2')
    expect(paths).not.toContain('deep/1/2/3')
    expect(paths).not.toContain('data/most.txt')
  })

  it('printed: list_files gives { files: FileEntry[], truncated? }', async () => {
    const output = Object(await call('list_files', { path: 'data' }))
    expect(Object.keys(output)).toEqual(['files', 'truncated'])
    const files: FileEntry[] = output.files
    expect(files[0]).toEqual({ path: 'data/more.txt', name: 'more.txt', size: 102_401 })
  })

  it('printed: list_files lists one directory, not those below', async () => {
    expect(await call('list_files', { path: 'deep' })).toEqual({ files: [], truncated: false })
  })

  it('printed: read_file gives a ReadFileOutput, cut above 100KB', async () => {
    expectTypeOf<ReadFileOutput>().toEqualTypeOf<{ path: string; content: string; size: number }>()
    const { content } = Object(await call('read_file', { path: 'data/more.txt' }))
    expect(content).toHaveLength(100 * KB)
  })

  it('printed: search_code gives SearchMatch[]', async () => {
    expectTypeOf<SearchMatch>().toEqualTypeOf<{ path: string; snippet: string }>()
    expect(await call('search_code', { query: 'routes', filePattern: '*.ts' })).toEqual([
      { path: `${SRC}/routes/index.ts`, snippet: 'export const routes = []' },
    ])
  })

  it('printed: search_code searches the files that are listed, and takes no text for a pattern', async () => {
    expect(await call('search_code', { query: 'export .*' })).toEqual([])
    expect(await call('search_code', { query: 'deep' })).toEqual([{ path: 'deep/1/2/3/file.md', snippet: 'deep' }])
  })

  it('printed: todo_manager gives a Plan of at most 15 items', async () => {
    expectTypeOf<Plan['items']>().toEqualTypeOf<PlanItem[]>()
    const plan = (length: number) =>
      call('todo_manager', { items: Array.from({ length }, () => ({ content: 'Do', activeForm: 'Doing' })) })
    expect(Object(await plan(15)).items).toHaveLength(15)
    expect(await plan(16)).toEqual({ error: expect.stringContaining('at most 15 items') })
  })

  it('printed: validate_output gives a ValidationResult, which warnings do not block', async () => {
    const data = { domains: [{ title: 'sales' }], layout: {}, summary: {} }
    expect(await call('validate_output', { outputType: 'domain_map', data })).toEqual({
      valid: true,
      errors: [],
      warnings: [expect.any(String)],
    })
  })
})

describe('list_dirs', () => {
  const example = { path: SRC, depth: 2, limit: 50 }

  it('printed: the example is answered as it is printed', async () => {
    expect(await call('list_dirs', example)).toEqual({
      dirs: [
        { path: 'apps/webapp/src/domains', depth: 1 },
        { path: 'apps/webapp/src/routes', depth: 1 },
      ],
      truncated: false,
    })
  })

  it('printed: only directories are given', async () => {
    expect(Object(await call('list_dirs', { ...example, path: 'data' })).dirs).toEqual([])
  })

  it('printed: depth is at most 3', async () => {
    expect(await call('list_dirs', { depth: 3 })).toHaveProperty('dirs')
    expect(await call('list_dirs', { depth: 4 })).toEqual({
      error: expect.stringContaining('depth is at most 3'),
    })
  })
})

describe('list_files', () => {
  const example = { path: SRC, pattern: '*.tsx', limit: 50 }

  it('printed: the example is answered as it is printed', async () => {
    expect(await call('list_files', example)).toEqual({
      files: [{ path: 'apps/webapp/src/main.tsx', name: 'main.tsx', size: 1020 }],
      truncated: false,
    })
  })

  it('printed: only files of the directory itself are given', async () => {
    const { files } = Object(await call('list_files', { path: SRC }))
    expect(files.map(({ name }: FileEntry) => name)).toEqual(['main.css', 'main.tsx'])
  })

  it('printed: without an active connection it gives the error, and nothing else', async () => {
    expect(await unconnected('list_files', example)).toEqual({ error: 'No active GitHub connection found' })
  })
})

describe('read_file', () => {
  const example = { path: 'src/components/button.tsx' }

  it('printed: the example is answered with its path, content and size', async () => {
    const output = Object(await call('read_file', example))
    expect(output).toEqual({ path: example.path, content: expect.stringContaining(BUTTON), size: 2048 })
    expect(output.content.trimEnd()).toBe(BUTTON)
  })

  it('printed: content is cut where the file is larger than 100KB, and not before', async () => {
    const read = async (path: string) => Object(await call('read_file', { path }))
    expect(await read('data/most.txt')).toMatchObject({ content: 'x'.repeat(102_400), size: 102_400 })
    expect(await read('data/more.txt')).toMatchObject({ content: 'x'.repeat(102_400), size: 102_401 })
  })

  it('printed: without access to the repository it gives the error, and nothing else', async () => {
    const error = { error: 'No active GitHub connection found' }
    expect(await unconnected('read_file', example)).toEqual(error)
    const github = { ...CONNECTION, repository: 'acme/hidden' }
    expect(await product.call('read_file', example, { github })).toEqual(error)
  })
})

describe('search_code', () => {
  const example = { query: 'auth', filePattern: '*.ts', limit: 20 }

  it('printed: the example is answered as it is printed', async () => {
    expect(await call('search_code', example)).toEqual([
      { path: 'src/auth/login.tsx', snippet: 'export function LoginForm() {' },
    ])
  })

  it('printed: it searches the text of files, and runs none of it', async () => {
    expect(await call('search_code', { query: 'LoginForm()' })).toHaveLength(1)
    expect(await call('search_code', { query: '$(id)' })).toEqual([])
  })

  it('printed: without an active connection it gives the error, and nothing else', async () => {
    expect(await unconnected('search_code', example)).toEqual({ error: 'No active GitHub connection found' })
  })
})

describe('todo_manager', () => {
  const gather = { content: 'Gather context', activeForm: 'Gathering context' }
  const map = { content: 'Map domains', activeForm: 'Mapping domains' }
  const example = { items: [gather, map].map(item => ({ ...item, status: 'pending' })) }
  let plan: Plan
  beforeAll(async () => {
    plan = Object(await call('todo_manager', example))
  })

  it('printed: the items of the example have ids by their place, and the first is in progress', () => {
    expect(plan.items).toEqual([
      { id: 'step-1', ...gather, status: 'in_progress' },
      { id: 'step-2', ...map, status: 'pending' },
    ])
  })

  it('printed: maxItems is 15', () => {
    expect(plan.maxItems).toBe(15)
  })

  it('printed: currentItem is the item in progress', () => {
    expect(plan.currentItem).toEqual({ id: 'step-1', ...gather, status: 'in_progress' })
  })

  it('printed: nothing else is in a plan', () => {
    expect(Object.keys(plan)).toEqual(['items', 'maxItems', 'currentItem'])
  })

  it('printed: items replace the whole list', async () => {
    expect(await call('todo_manager', { items: [map] })).toMatchObject({
      items: [{ id: 'step-1', content: 'Map domains' }],
    })
  })

  it('printed: activeForm is required', async () => {
    expect(await call('todo_manager', { items: [{ content: 'Do', status: 'pending' }] })).toEqual({
      error: expect.stringContaining("Missing parameter 'items.0.activeForm'"),
    })
  })

  it('printed: only one item can be in progress', async () => {
    const items = [gather, map].map(item => ({ ...item, status: 'in_progress' }))
    expect(await call('todo_manager', { items })).toEqual({
      error: expect.stringContaining('Only one item can be in_progress'),
    })
  })
})

describe('validate_output', () => {
  const example = { outputType: 'domain_map', data: { domains: [], layout: {}, summary: {} } }

  it('printed: the example is answered as it is printed', async () => {
    expect(await call('validate_output', example)).toEqual({
      valid: false,
      errors: ["Missing 'domains' array"],
      warnings: [],
    })
  })
})

describe('Mitigaciones', () => {
  it.each([
    ['list_dirs', {}, 'dirs'],
    ['list_files', { path: SRC }, 'files'],
  ])('printed: %s pages by limit', async (tool, input, list) => {
    const output = Object(await call(tool, { ...input, limit: 1 }))
    expect([output[list].length, output.truncated]).toEqual([1, true])
  })

  it('printed: search_code pages by limit', async () => {
    expect(await call('search_code', { query: 'export', limit: 2 })).toHaveLength(2)
  })

  it('printed: an output above 10KB is in storage, and the log refers to it', async () => {
    const { output } = Object(await kit.call('read_file', { path: 'data/most.txt' }))
    const record = [...kit.workspace.journal.read()].findLast(({ type }) => type === 'call')
    const { ref } = Object(record)['outputRef']
    expect(record).not.toHaveProperty('output')
    expect(JSON.parse(String(readKept(kit.workspace.payloads, ref)?.text))).toEqual(output)
  })

  it('printed: an answer with text around its JSON is cut to the valid JSON', async () => {
    const text = 'Here it is:\n{"domains": [{"name": "sales"}], "layout": {}, "summary": {}}\nDone.'
    expect(await kit.call('check', { schema: 'domain_map', text }, { contract: 'toolwright' })).toMatchObject({
      ok: true,
      data: { valid: true, data: { domains: [{ name: 'sales' }], layout: {}, summary: {} }, cut: true },
    })
  })
})

describe('Tipos de referencia', () => {
  it('printed: ValidationResult is valid, errors and warnings', async () => {
    expectTypeOf<ValidationResult>().toEqualTypeOf<{ valid: boolean; errors: string[]; warnings: string[] }>()
    const result = await call('validate_output', { outputType: 'unheard_of', data: 1 })
    expect(result).toEqual({ valid: false, errors: [expect.any(String)], warnings: [] })
  })

  it('printed: PlanItem has id, content and one of three states', async () => {
    expectTypeOf<PlanItem>().toExtend<{ id: string; content: string; status: string }>()
    expectTypeOf<PlanItem['status']>().toEqualTypeOf<'pending' | 'in_progress' | 'completed'>()
    const states = ['completed', 'in_progress', 'pending'] as const
    const items = states.map(status => ({ content: status, activeForm: status, status }))
    const plan: Plan = Object(await call('todo_manager', { items }))
    expect(plan.items.map(({ id, content, status }) => [id, content, status])).toEqual([
      ['step-1', 'completed', 'completed'],
      ['step-2', 'in_progress', 'in_progress'],
      ['step-3', 'pending', 'pending'],
    ])
  })
})
