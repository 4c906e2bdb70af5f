import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { superconnect } from '../../../src/contracts.ts'
import { indexDocument } from '../../../src/contracts/superconnect/index-document.ts'
import { totalsOf } from '../../../src/contracts/superconnect/totals.ts'
import { inputSchema } from '../../../src/kernel/json-schema.ts'
import type { TemporaryWorkspace } from '../../../src/testing/temporary-workspace.ts'
import { isCall } from '../../../src/machine/journal/record.ts'
import { readJournal } from '../../../src/machine/journal/read.ts'
import type { Toolkit } from '../../../src/toolkit.ts'
import { FILES, shop } from './world.ts'

const open: TemporaryWorkspace[] = []
afterEach(async () => {
  for (const workspace of open.splice(0)) await workspace.remove()
})
const start = async (...args: Parameters<typeof shop>) => {
  const made = await shop(...args)
  open.push(made.workspace)
  return made
}
const FILE = 'superconnect/Button/tool-metrics.jsonl'
const lines = (workspace: TemporaryWorkspace, file = FILE): Record<string, unknown>[] =>
  readFileSync(`${workspace.path}/${file}`, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
/** The lines that went to the state directory. */
const apart = ({ state }: Toolkit, file = FILE): Record<string, unknown>[] =>
  readFileSync(`${state.metrics}/${file}`, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))

describe('the metrics', () => {
  it('SC-14: tell of each call in one line', async () => {
    const { call, workspace } = await start()
    await call('queryIndex', { query: { type: 'exports', value: 'Button' } })
    await call('readFile', { path: 'src/components/Button.tsx' })
    await call('listFiles', { directory: 'src/components' })
    await call('readFile', { path: 'none.ts' })
    const common = { timestamp: expect.stringMatching(/Z$/), component: 'Button', duration_ms: expect.any(Number) }
    expect(lines(workspace)).toEqual([
      { ...common, tool: 'queryIndex', query_type: 'exports', results: 1 },
      { ...common, tool: 'readFile', path: 'src/components/Button.tsx', size_bytes: 168 },
      { ...common, tool: 'listFiles', directory: 'src/components', results: 3 },
      { ...common, tool: 'readFile', path: 'none.ts', error: 'FILE_NOT_FOUND' },
    ])
    for (const [path, maxBytes, charged] of [
      ['src/components/Link.tsx', 10, { bytes_read: 10 }],
      ['src/components/Link.tsx', 1000, { bytes_read: 31, cached: true }],
      ['src/components/Button.tsx', 10, { bytes_read: 0, cached: true }],
    ] as const) {
      await call('readFile', { path, maxBytes })
      expect(lines(workspace).at(-1)).toEqual({
        ...common,
        tool: 'readFile',
        path,
        size_bytes: FILES[path].length,
        ...charged,
      })
    }
    expect(Object.keys(lines(workspace)[0] ?? {})).toEqual([
      'timestamp',
      'component',
      'tool',
      'query_type',
      'results',
      'duration_ms',
    ])
  })

  it('SC-14: leave nothing behind in a dry run, and are no part of the index or of undo', async () => {
    const { kit, workspace } = await start()
    const query = { query: { type: 'listAll' } }
    await kit.call('queryIndex', query, { dryRun: true })
    expect(existsSync(`${workspace.path}/superconnect`)).toBe(false)
    expect(existsSync(kit.state.metrics)).toBe(false)
    const before = await kit.call('queryIndex', query)
    const after = await kit.call('queryIndex', query)
    expect(existsSync(`${workspace.path}/${FILE}`)).toBe(true)
    expect(after).toEqual(before)
    expect(kit.commits()).toEqual([])
  })

  it('SC-14: are in no list or search that does not name them, and can be read by name', async () => {
    const { kit, workspace } = await start()
    for (let at = 0; at < 2; at++) await kit.call('queryIndex', { query: { type: 'listAll' } })
    const run = async (tool: string, input: object, contract = 'toolwright') => {
      const { outcome } = await kit.run(tool, input, { contract })
      if (!outcome.ok) throw outcome.error
      return Object(outcome.data)
    }
    for (const path of ['.', 'superconnect', 'superconnect/Button']) {
      expect(await run('grep', { pattern: 'listAll', path })).toMatchObject({ matches: [], total: 0 })
      expect((await run('find', { glob: '**/*.jsonl', path })).files).toEqual([])
      expect(JSON.stringify(await run('list', { path, depth: 3 }))).not.toContain('tool-metrics')
    }
    expect((await run('file_search', { pattern: '**/*.jsonl' }, 'cli-agent')).metadata).toMatchObject({
      matches: 0,
    })
    workspace.write('superconnect/Button/notes.jsonl', '{"listAll":1}\n')
    workspace.write('superconnect/tool-metrics.jsonl', 'listAll\n')
    expect(
      (await run('grep', { pattern: 'listAll' })).matches.map(Object).map(({ path }: Record<string, string>) => path),
    ).toEqual(['superconnect/Button/notes.jsonl', 'superconnect/tool-metrics.jsonl'])
    expect(await run('grep', { pattern: 'listAll', path: FILE })).toMatchObject({ total: 2 })
    expect((await run('read', { path: FILE })).content).toBe(readFileSync(`${workspace.path}/${FILE}`, 'utf8'))
    expect(JSON.stringify(await run('list', { path: 'superconnect', depth: 3, all: true }))).toContain(FILE)
  })

  it('SC-14: go to the state directory where the workspace may not be written, and count all the same', async () => {
    const { kit: first, call, workspace } = await start()
    const query = { query: { type: 'listAll' } }
    await call('queryIndex', query)
    const rules = [{ action: 'write', path: 'superconnect/**', verdict: 'deny' }]
    workspace.write('toolwright.json', JSON.stringify({ policy: { rules } }))
    for (const readOnly of [true, false]) {
      const kit = await workspace.open({ contract: 'superconnect', task: 'Button', readOnly })
      expect(await kit.run('queryIndex', query)).toMatchObject({ outcome: { ok: true } })
      expect(apart(kit).at(-1)).toMatchObject({ component: 'Button', tool: 'queryIndex' })
    }
    expect(lines(workspace)).toHaveLength(1)
    const calls = [...readJournal(first.state.journal)].filter(isCall)
    expect(totalsOf(calls.map(({ metrics }) => Object(metrics))).run.total_query_calls).toBe(3)
  })

  it('SC-14: begin a line of their own where the file does not end with one', async () => {
    const { call, workspace } = await start()
    workspace.write(FILE, '{"of":"somebody else"}')
    await call('queryIndex', { query: { type: 'listAll' } })
    await call('queryIndex', { query: { type: 'listAll' } })
    expect(lines(workspace)).toMatchObject([{ of: 'somebody else' }, { tool: 'queryIndex' }, { tool: 'queryIndex' }])
  })

  it.each(['a/b', '..', '.', 'a..b', ' ', 'a\\b', '../x', '', 'a\nb', 'x'.repeat(201)])(
    'SC-14: refuse the component %j',
    async task => {
      const { workspace } = await start({}, { task })
      const kit = await workspace.open({ contract: 'superconnect', task })
      expect(await kit.call('queryIndex', { query: { type: 'listAll' } })).toMatchObject({
        error: { code: 'INVALID_PARAMETERS', message: expect.stringContaining('cannot be the name of a component') },
      })
      expect(existsSync(`${workspace.path}/superconnect`)).toBe(false)
    },
  )

  it('SC-14: are written nowhere but in their own file', async () => {
    const { kit, workspace } = await start()
    const outside = `${workspace.base}/outside`
    writeFileSync(outside, 'mine\n')
    mkdirSync(`${workspace.path}/superconnect/Linked`, { recursive: true })
    linkSync(outside, `${workspace.path}/superconnect/Linked/tool-metrics.jsonl`)
    symlinkSync(workspace.base, `${workspace.path}/superconnect/Away`)
    for (const task of ['Linked', 'Away']) {
      const { outcome } = await kit.run('queryIndex', { query: { type: 'listAll' } }, { task })
      expect(outcome).toMatchObject({
        ok: true,
        meta: { warnings: [expect.stringContaining('in the state directory')] },
      })
      expect(apart(kit, `superconnect/${task}/tool-metrics.jsonl`)).toMatchObject([{ component: task }])
    }
    expect(readFileSync(outside, 'utf8')).toBe('mine\n')
    expect(existsSync(`${workspace.base}/tool-metrics.jsonl`)).toBe(false)
  })

  it('SC-15, SC-16: come to figures by component and in all', async () => {
    const { kit, workspace } = await start()
    const read = (task: string) => kit.call('readFile', { path: 'src/theme/tokens.ts' }, { task })
    await kit.call('queryIndex', { query: { type: 'listAll' } }, { task: 'Button' })
    await read('Button')
    await read('Button')
    await read('Link')
    await kit.call('queryIndex', { query: { type: 'listAll' } }, { task: 'Link' })
    await kit.call('listFiles', { directory: 'src' }, { task: 'Link' })
    await kit.call('queryIndex', { query: { type: 'listAll' } }, { task: 'Icon' })
    const told = ['Button', 'Link', 'Icon'].flatMap(task => lines(workspace, `superconnect/${task}/tool-metrics.jsonl`))
    expect(totalsOf(told)).toEqual({
      components: {
        Button: { query_index_calls: 1, read_file_calls: 2, read_file_bytes: 38, list_files_calls: 0, cache_hits: 1 },
        Link: { query_index_calls: 1, read_file_calls: 1, read_file_bytes: 38, list_files_calls: 1, cache_hits: 1 },
        Icon: { query_index_calls: 1, read_file_calls: 0, read_file_bytes: 0, list_files_calls: 0, cache_hits: 0 },
      },
      run: { total_query_calls: 3, total_file_reads: 3, avg_reads_per_component: 1, index_first_ratio: 50 },
    })
  })
})

describe('the workflow', () => {
  it('SC-13: records a justification, and demands one where the configuration says so', async () => {
    const { kit, workspace } = await start()
    expect(await kit.call('listFiles', { directory: 'src' })).toMatchObject({ total: 2 })
    const justification = 'The layout; the index has no directories; one list'
    await kit.call('listFiles', { directory: 'src', justification })
    await kit.call('readFile', { path: 'README.md', justification })
    const recorded = [...kit.workspace.journal.read()].map(record => Object(record)['input']?.justification)
    expect(recorded).toEqual([undefined, justification, justification])
    workspace.write('toolwright.json', '{"justifications":"require"}')
    const strict = await workspace.open({ contract: 'superconnect', task: 'Strict' })
    const list = (more: object = {}) => strict.call('listFiles', { directory: 'src', ...more })
    expect(await list()).toMatchObject({ error: { code: 'JUSTIFICATION_REQUIRED' } })
    expect(await list({ justification: '  ' })).toMatchObject({ error: { code: 'INVALID_PARAMETERS' } })
    expect(await list({ justification })).toMatchObject({ total: 2 })
    const read = (more: object = {}) => strict.call('readFile', { path: 'README.md', ...more })
    for (let at = 0; at < 5; at++) expect(await read()).toMatchObject({ size_bytes: 9 })
    expect(await read()).toMatchObject({ error: { code: 'JUSTIFICATION_REQUIRED' } })
    // Another process of the same component goes on counting.
    const again = await workspace.open({ contract: 'superconnect', task: 'Strict' })
    expect(await again.call('readFile', { path: 'README.md' })).toMatchObject({
      error: { code: 'JUSTIFICATION_REQUIRED' },
    })
    expect(await read({ justification: 'One more; not in the index; one file' })).toMatchObject({ size_bytes: 9 })
  })
})

describe('the documents of the contract', () => {
  it('SC-19: the whole index has the schema of the appendix', () => {
    const file = {
      path: 'src/a.ts',
      exports: ['a', 'b'],
      tags: ['typescript'],
      size: 3,
      modified: '1970-01-01T00:00:00.000Z',
    }
    const status = { totalFiles: 1, totalExports: 2, byTag: { typescript: 1 }, generatedAt: '1970-01-01T00:00:01.000Z' }
    expect(indexDocument('abc', status, [file])).toEqual({
      repo_hash: 'abc',
      generated_at: '1970-01-01T00:00:01.000Z',
      files: [
        {
          path: 'src/a.ts',
          exports: ['a', 'b'],
          tags: ['typescript'],
          size_bytes: 3,
          last_modified: '1970-01-01T00:00:00.000Z',
        },
      ],
      statistics: { total_files: 1, total_exports: 2, by_tag: { typescript: 1 } },
    })
  })

  it.each(['react', 'angular'])('SC-22: the %s prompt names every tool and every parameter', framework => {
    const text = superconnect.prompts?.[framework]?.() ?? ''
    for (const tool of superconnect.tools) {
      expect(text).toContain(`### ${tool.name}\n\n${tool.description}\n`)
      const { properties, required } = Object(inputSchema(tool))
      for (const name of Object.keys(properties)) {
        const need = required.includes(name) ? 'required' : 'optional'
        expect(text).toMatch(new RegExp(`^- \`${name}\` \\([a-z]+, ${need}\\)`, 'm'))
      }
    }
    for (const type of ['exports', 'tag', 'pathPrefix', 'listAll']) expect(text).toContain(`'${type}'`)
    expect(text).toContain(`${framework}-component`)
  })

  it.each(['react', 'angular'])('SC-22: every call that the %s prompt shows is one that the tools take', framework => {
    const text = superconnect.prompts?.[framework]?.() ?? ''
    const shown = [...text.matchAll(/`(\w+)\((\{.*\})\)`/g)]
    expect(shown.length).toBeGreaterThan(2)
    for (const [, name, input = ''] of shown) {
      const tool = superconnect.tools.find(one => one.name === name)
      expect(tool?.input.safeParse(JSON.parse(input))).toMatchObject({ success: true })
    }
  })
})
