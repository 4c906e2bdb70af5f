import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { superconnect } from '../../../src/contracts.ts'
import { indexDocument } from '../../../src/contracts/superconnect/index-document.ts'
import { totalsOf } from '../../../src/contracts/superconnect/totals.ts'
import { inputSchema, outputSchema } from '../../../src/kernel/json-schema.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../src/testing/index.ts'
import type { Toolkit } from '../../../src/toolkit.ts'
import { once } from './once.ts'

const KB = 1024
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const BUTTON = 'export const Button = () => <button />\n'
const numbered = (count: number, name: (at: number) => string, text: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [name(at), text]))

let workspace: TemporaryWorkspace
let kit: Toolkit
beforeAll(async () => {
  workspace = temporaryWorkspace({
    'src/Button.tsx': BUTTON.padEnd(4521, ' '),
    'src/components/Button.tsx': `${BUTTON}export type ButtonProps = object\n`,
    'src/components/button.css': 'button {}\n',
    'src/components/list.component.ts':
      "import { Component } from '@angular/core'\n@Component({ template: '' })\nexport class List {}\n",
    'src/components/nested/Button.tsx': BUTTON,
    ...numbered(11, at => `src/components/c${at}.ts`, 'export const c = 1\n'),
    'src/theme/tokens.ts': 'x'.repeat(60_000),
    ...numbered(210, at => `many/m${at}.txt`, 'm\n'),
    ...numbered(2, at => `big/b${at}.txt`, 'x'.repeat(500 * KB)),
    ...numbered(4, at => `rest/r${at}.txt`, 'x'.repeat(15 * KB)),
    'huge.txt': 'x'.repeat(500 * KB + 1),
  })
  kit = await workspace.open({ contract: 'superconnect', task: 'Component' })
})
afterAll(() => workspace.remove())

interface Entry {
  readonly name: string
  readonly path: string
}
interface Answer {
  readonly files: readonly Entry[]
  readonly content: string
  readonly error: { readonly code: string; readonly message: string; readonly details?: object }
}
const call = async (tool: string, input: unknown, task = 'Component'): Promise<Answer> =>
  Object(await kit.call(tool, input, { task }))
const codeOf = async (tool: string, input: unknown, task?: string) => (await call(tool, input, task)).error?.code
const pathsOf = async (tool: string, input: unknown, task?: string) =>
  (await call(tool, input, task)).files.map(({ path }) => path)
const toolNamed = (name: string) => {
  const tool = superconnect.tools.find(one => one.name === name)
  if (!tool) throw new Error(`There is no tool ${name}`)
  return tool
}
const inputOf = (name: string) => Object(inputSchema(toolNamed(name)))
const outputOf = (name: string) => Object(outputSchema(toolNamed(name)))
const metricsOf = (component: string): Record<string, unknown>[] =>
  readFileSync(`${workspace.path}/superconnect/${component}/tool-metrics.jsonl`, 'utf8')
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
const REACT = superconnect.prompts?.['react']?.() ?? ''

describe('Design Principles', () => {
  it('printed: the index first, in both prompts', () => {
    for (const prompt of Object.values(superconnect.prompts ?? {}))
      expect(prompt()).toMatch(/^1\. Query the index first/m)
  })

  it.each(['readFile', 'listFiles'])('printed: hard limits: %s has a budget', name => {
    expect(toolNamed(name)).toHaveProperty('budget')
  })

  it('printed: all tool calls emit metrics', async () => {
    await call('queryIndex', { query: { type: 'listAll' } }, 'Each')
    await call('readFile', { path: 'none' }, 'Each')
    await call('listFiles', { directory: 'src' }, 'Each')
    expect(metricsOf('Each').map(({ tool }) => tool)).toEqual(['queryIndex', 'readFile', 'listFiles'])
  })

  it('printed: the same input gives the same result', async () => {
    const query = { query: { type: 'pathPrefix', value: 'src/' } }
    expect(await call('queryIndex', query)).toEqual(await call('queryIndex', query))
  })

  it('printed: errors say what to do', async () => {
    const { error } = await call('queryIndex', { query: { type: 'content' } })
    for (const type of ['exports', 'tag', 'pathPrefix', 'listAll']) expect(error.message).toContain(type)
  })
})

describe('Tool Catalog', () => {
  it('printed: three tools in this order', () => {
    expect(superconnect.tools.map(({ name }) => name)).toEqual(['queryIndex', 'readFile', 'listFiles'])
  })

  describe('1. `queryIndex`', () => {
    const { query, limit } = inputOf('queryIndex').properties

    it('printed: what it does', () => {
      expect(toolNamed('queryIndex').description).toContain(
        'Query the pre-built repository index to find candidate files without filesystem crawls.',
      )
    })

    it('printed: its parameters', () => {
      expect(inputOf('queryIndex')).toMatchObject({ properties: { query, limit }, required: ['query'] })
      expect(Object.keys(inputOf('queryIndex').properties)).toEqual(['query', 'limit'])
    })

    it('printed: four query types', () => {
      expect(query.properties.type.enum).toEqual(['exports', 'tag', 'pathPrefix', 'listAll'])
    })

    it('printed: value is an optional string', () => {
      expect([query.properties.value.type, query.required]).toEqual(['string', ['type']])
    })

    it('printed: limit is 50 by default', async () => {
      expect(limit.default).toBe(50)
      expect((await call('queryIndex', { query: { type: 'listAll' } })).files).toHaveLength(50)
    })

    it('printed: limit is 200 at most', async () => {
      expect((await call('queryIndex', { query: { type: 'listAll' }, limit: 200 })).files).toHaveLength(200)
    })

    const limited = once(() => call('queryIndex', { query: { type: 'exports', value: 'Button' }, limit: 2 }))
    it.each([
      ['path', 'src/Button.tsx'],
      ['exports', ['Button']],
      ['tags', ['react-component', 'typescript']],
      ['size_bytes', 4521],
      ['last_modified', expect.stringMatching(ISO)],
    ])('printed: of a file it gives %s', async (field, value) => {
      expect(Reflect.get((await limited()).files[0] ?? {}, field)).toEqual(value)
    })

    it.each([
      ['files', expect.objectContaining({ length: 2 })],
      ['total_matches', 3],
      ['truncated', true],
    ])('printed: the return value has %s', async (field, value) => {
      expect(Reflect.get(await limited(), field)).toEqual(value)
    })

    it('printed: truncated is false where all is given', async () => {
      expect(await call('queryIndex', { query: { type: 'exports', value: 'Button' }, limit: 3 })).toMatchObject({
        total_matches: 3,
        truncated: false,
      })
    })

    it('printed: example: files exporting "Button"', async () => {
      expect(await pathsOf('queryIndex', { query: { type: 'exports', value: 'Button' }, limit: 10 })).toEqual([
        'src/Button.tsx',
        'src/components/Button.tsx',
        'src/components/nested/Button.tsx',
      ])
    })

    it('printed: example: all React component files', async () => {
      expect(await pathsOf('queryIndex', { query: { type: 'tag', value: 'react-component' } })).toEqual([
        'src/Button.tsx',
        'src/components/Button.tsx',
        'src/components/nested/Button.tsx',
      ])
    })

    it('printed: example: files under src/components/', async () => {
      const paths = await pathsOf('queryIndex', { query: { type: 'pathPrefix', value: 'src/components/' } })
      expect(paths).toHaveLength(15)
      expect(paths).toSatisfy((all: string[]) => all.every(path => path.startsWith('src/components/')))
    })

    it('printed: example: all indexed files', async () => {
      expect(await pathsOf('queryIndex', { query: { type: 'listAll' }, limit: 100 })).toHaveLength(100)
    })

    it('printed: INVALID_QUERY_TYPE', async () => {
      expect(await codeOf('queryIndex', { query: { type: 'content', value: 'x' } })).toBe('INVALID_QUERY_TYPE')
    })

    it.each(['exports', 'tag', 'pathPrefix'])('printed: MISSING_VALUE, which is required for %s', async type => {
      expect(await codeOf('queryIndex', { query: { type } })).toBe('MISSING_VALUE')
    })

    it('printed: LIMIT_EXCEEDED', async () => {
      expect(await codeOf('queryIndex', { query: { type: 'listAll' }, limit: 201 })).toBe('LIMIT_EXCEEDED')
    })
  })

  describe('2. `readFile`', () => {
    const { path, maxBytes, ...others } = inputOf('readFile').properties
    const read = (input: object, task = 'Reader') => call('readFile', input, task)

    it('printed: what it does', () => {
      expect(toolNamed('readFile').description).toContain('Read the contents of a specific file from the repository.')
    })

    it('printed: its parameters, and a justification', () => {
      expect([path.type, maxBytes.type, inputOf('readFile').required]).toEqual(['string', 'integer', ['path']])
      expect(Object.keys(others)).toEqual(['justification'])
    })

    it('printed: maxBytes is 100KB by default', async () => {
      expect(maxBytes.default).toBe(100 * KB)
      expect((await read({ path: 'big/b0.txt' })).content).toHaveLength(100 * KB)
    })

    it('printed: maxBytes is 500KB at most', async () => {
      expect((await read({ path: 'big/b0.txt', maxBytes: 500 * KB })).content).toHaveLength(500 * KB)
      expect(await codeOf('readFile', { path: 'big/b0.txt', maxBytes: 500 * KB + 1 })).toBe('LIMIT_EXCEEDED')
    })

    it('printed: the return value has these fields', () => {
      expect(outputOf('readFile').required).toEqual(['path', 'content', 'size_bytes', 'truncated', 'encoding'])
    })

    it.each([
      ['path', 'src/Button.tsx'],
      ['content', BUTTON.slice(0, 20)],
      ['size_bytes', 4521],
      ['truncated', true],
      ['encoding', 'utf-8'],
    ])('printed: the return value: %s is %j', async (field, value) => {
      expect(Reflect.get(await read({ path: 'src/Button.tsx', maxBytes: 20 }), field)).toBe(value)
    })

    it('printed: 500KB is the largest file', async () => {
      expect(await read({ path: 'big/b1.txt' })).toMatchObject({ size_bytes: 500 * KB })
      expect(await codeOf('readFile', { path: 'huge.txt' })).toBe('FILE_TOO_LARGE')
    })

    it('printed: 20 concurrent reads of a component are the most', async () => {
      const { ledger } = kit.workspace
      const scope = { task: 'Concurrent', tool: 'superconnect/readFile' }
      const running = Array.from({ length: 20 }, () => ledger.reserve(scope, { calls: 1, bytes: 0 }, []))
      let isThrough = false
      const waiting = read({ path: 'rest/r0.txt' }, 'Concurrent').finally(() => (isThrough = true))
      await read({ path: 'rest/r0.txt' }, 'Another')
      expect([isThrough, ledger.usage(scope).concurrent]).toEqual([false, 20])
      for (const lease of running) ledger.settle(lease)
      expect(await waiting).toMatchObject({ size_bytes: 15 * KB })
    })

    it('printed: example: a component file', async () => {
      expect((await read({ path: 'src/components/Button.tsx' })).content).toContain(BUTTON)
    })

    it('printed: example: a custom limit', async () => {
      expect((await read({ path: 'src/theme/tokens.ts', maxBytes: 50000 })).content).toHaveLength(50_000)
    })

    it('printed: FILE_NOT_FOUND', async () => {
      expect(await codeOf('readFile', { path: 'src/None.tsx' })).toBe('FILE_NOT_FOUND')
    })

    it.each(['../x', 'src/../../x', '/etc/passwd'])('printed: INVALID_PATH, such as %s', async outside => {
      expect(await codeOf('readFile', { path: outside })).toBe('INVALID_PATH')
    })
  })

  describe('3. `listFiles`', () => {
    const { directory, pattern, limit, ...others } = inputOf('listFiles').properties

    it('printed: what it does', () => {
      expect(toolNamed('listFiles').description).toContain(
        'List files in a specific directory (shallow, non-recursive).',
      )
    })

    it('printed: its parameters, and a justification', () => {
      expect([directory.type, pattern.type, limit.type]).toEqual(['string', 'string', 'integer'])
      expect([inputOf('listFiles').required, Object.keys(others)]).toEqual([['directory'], ['justification']])
    })

    it('printed: limit is 50 by default', async () => {
      expect(limit.default).toBe(50)
      expect(await pathsOf('listFiles', { directory: 'many' }, 'Limits')).toHaveLength(50)
    })

    it('printed: limit is 100 at most', async () => {
      expect(await pathsOf('listFiles', { directory: 'many', limit: 100 }, 'Limits')).toHaveLength(100)
      expect(await codeOf('listFiles', { directory: 'many', limit: 101 }, 'Limits')).toBe('LIMIT_EXCEEDED')
    })

    const listed = once(() => call('listFiles', { directory: 'src', limit: 1 }, 'Lister'))
    it.each([
      ['directory', 'src'],
      ['files', [{ name: 'Button.tsx', path: 'src/Button.tsx', type: 'file', size_bytes: 4521 }]],
      ['total', 3],
      ['truncated', true],
    ])('printed: the return value has %s', async (field, value) => {
      expect(Reflect.get(await listed(), field)).toEqual(value)
    })

    it('printed: a directory has no size', async () => {
      const { files } = await call('listFiles', { directory: 'src', pattern: 'theme' }, 'Lister')
      expect(files).toEqual([{ name: 'theme', path: 'src/theme', type: 'directory' }])
    })

    it('printed: not recursive', async () => {
      const paths = await pathsOf('listFiles', { directory: 'src/components' }, 'Shallow')
      expect(paths).toContain('src/components/nested')
      expect(paths).not.toContain('src/components/nested/Button.tsx')
    })

    it('printed: example: all files in a directory', async () => {
      expect(await pathsOf('listFiles', { directory: 'src/components' }, 'Example')).toHaveLength(15)
    })

    it('printed: example: only TypeScript files', async () => {
      const paths = await pathsOf('listFiles', { directory: 'src/components', pattern: '*.{ts,tsx}' }, 'Example')
      expect([paths.length, paths.includes('src/components/button.css')]).toEqual([13, false])
    })

    it('printed: DIRECTORY_NOT_FOUND', async () => {
      expect(await codeOf('listFiles', { directory: 'none' }, 'Errors')).toBe('DIRECTORY_NOT_FOUND')
    })

    it('printed: LIST_BUDGET_EXCEEDED after 10 list operations of a component', async () => {
      const codes: (string | undefined)[] = []
      for (let at = 0; at < 11; at++) codes.push(await codeOf('listFiles', { directory: 'src' }, 'Budget'))
      expect(codes).toEqual([...Array.from({ length: 10 }, () => undefined), 'LIST_BUDGET_EXCEEDED'])
    })

    it.each(['../x', '/etc'])('printed: INVALID_DIRECTORY, such as %s', async outside => {
      expect(await codeOf('listFiles', { directory: outside }, 'Errors')).toBe('INVALID_DIRECTORY')
    })
  })
})

describe('Tool Usage Policy', () => {
  describe('Index-First Workflow', () => {
    it('printed: queryIndex first', () => expect(REACT).toMatch(/^1\. Query the index first: `queryIndex\(/m))

    it('printed: readFile on paths from its results', () => {
      expect(REACT).toMatch(/^2\. Read only what the index named: `readFile\(/m)
    })

    it('printed: listFiles at most 10 times', () => expect(REACT).toContain('list at most 10 directories'))
  })

  describe('Justification Requirement', () => {
    const strict = once(async () => {
      const config = `${workspace.base}/strict.json`
      writeFileSync(config, '{"justifications":"require"}')
      return workspace.open({ contract: 'superconnect', task: 'Strict', config })
    })
    const needed = { error: { code: 'JUSTIFICATION_REQUIRED' } }

    it('printed: before listFiles', async () => {
      const list = (more: object) => strict().then(own => own.call('listFiles', { directory: 'src', ...more }))
      expect(await list({})).toMatchObject(needed)
      expect(await list({ justification: 'The layout; it is in no index; one list' })).toMatchObject({ total: 3 })
    })

    it('printed: before more than 5 readFile calls', async () => {
      const own = await strict()
      const read = () => own.call('readFile', { path: 'many/m0.txt' })
      for (let at = 0; at < 5; at++) expect(await read()).toMatchObject({ content: 'm\n' })
      expect(await read()).toMatchObject(needed)
    })

    it.each([
      ['what information is needed', /what information is needed/i],
      ['why queryIndex is insufficient', /why queryIndex is insufficient/],
      ['the strategy', /how you plan to explore/],
    ])('printed: it states %s', (_what, words) => {
      for (const name of ['readFile', 'listFiles'])
        expect(inputOf(name).properties.justification.description).toMatch(words)
    })

    it.each([
      ['the information', 'what specific information you are looking for'],
      ['why the index has it not', 'why the results of queryIndex do not contain it'],
      ['how many files', 'how many files you plan to read or list'],
    ])('printed: the prompt asks for %s', (_what, words) => expect(REACT).toContain(`   - ${words}\n`))
  })
})

describe('Metrics and Instrumentation', () => {
  const lines = once(async () => {
    // A session of its own, which has read nothing yet.
    const own = await workspace.open({ contract: 'superconnect', task: 'Button' })
    await own.call('queryIndex', { query: { type: 'exports', value: 'Button' } })
    await own.call('readFile', { path: 'src/Button.tsx' })
    await own.call('listFiles', { directory: 'src/components' })
    return metricsOf('Button')
  })
  const common = { timestamp: expect.stringMatching(ISO), component: 'Button', duration_ms: expect.any(Number) }

  it.each([
    ['queryIndex', { query_type: 'exports', results: 3 }],
    ['readFile', { path: 'src/Button.tsx', size_bytes: 4521 }],
    ['listFiles', { directory: 'src/components', results: 15 }],
  ])('printed: the line of %s has %j and nothing else', async (tool, printed) => {
    const line = (await lines()).find(one => one['tool'] === tool) ?? {}
    expect(line).toEqual({ ...common, tool, ...printed })
    expect(Object.keys(line)).toEqual(['timestamp', 'component', 'tool', ...Object.keys(printed), 'duration_ms'])
  })

  describe('Reported Metrics', () => {
    const totals = once(async () => {
      for (const task of ['First', 'Second']) {
        const query = () => call('queryIndex', { query: { type: 'listAll' } }, task)
        if (task === 'First') await query()
        await call('readFile', { path: 'rest/r1.txt', maxBytes: 10 }, task)
        await call('readFile', { path: 'rest/r1.txt' }, task)
        await query()
        await call('listFiles', { directory: 'src' }, task)
      }
      return totalsOf([...metricsOf('First'), ...metricsOf('Second')])
    })

    it.each([
      ['query_index_calls', 2],
      ['read_file_calls', 2],
      ['read_file_bytes', 15 * KB],
      ['list_files_calls', 1],
      ['cache_hits', 1],
    ])('printed: per component: %s', async (name, value) => {
      expect(Object((await totals()).components['First'])[name]).toBe(value)
    })

    it.each([
      ['total_query_calls', 3],
      ['total_file_reads', 4],
      ['avg_reads_per_component', 2],
      ['index_first_ratio', 50],
    ])('printed: across the run: %s is %i', async (name, value) => {
      expect(Object((await totals()).run)[name]).toBe(value)
    })
  })
})

describe('Error Handling', () => {
  it('printed: an error has code, message and perhaps details, and stands alone', async () => {
    const { error, ...others } = await call('readFile', { path: 'none' })
    const { code, message, details = {}, ...more } = error
    expect([code, message, details]).toEqual(['FILE_NOT_FOUND', expect.any(String), expect.any(Object)])
    expect([others, more]).toEqual([{}, {}])
  })

  describe('Error Response Example', () => {
    /** 18 files of 5MB in all, and then one more. */
    const exceeded = once(async () => {
      const large = numbered(10, at => `b${at}.txt`, 'x'.repeat(500 * KB))
      const small = numbered(9, at => `r${at}.txt`, 'x'.repeat(15 * KB))
      await using fresh = temporaryWorkspace({ ...large, ...small })
      const own = await fresh.open({ contract: 'superconnect', task: 'Button' })
      const read = async (path: string) => Object(await own.call('readFile', { path, maxBytes: 500 * KB })).error
      for (const path of [...Object.keys(large), ...Object.keys(small).slice(0, 8)]) await read(path)
      return await read('r8.txt')
    })

    it('printed: code', async () => expect((await exceeded()).code).toBe('READ_BUDGET_EXCEEDED'))

    it('printed: message', async () => {
      expect((await exceeded()).message).toBe("Cumulative read limit (5MB) exceeded for component 'Button'")
    })

    it.each([
      ['bytes_read', 5_242_880],
      ['limit_bytes', 5_242_880],
      ['files_read', 18],
    ])('printed: details: %s is %i', async (name, value) => {
      expect((await exceeded()).details[name]).toBe(value)
    })
  })
})

describe('Cache Behavior', () => {
  const input = { path: 'rest/r2.txt' }
  /** Twice the same file, once more after the repository changed, and another file. */
  const answers = once(async () => {
    const own = await workspace.open({ contract: 'superconnect', task: 'Cache' })
    const read = async (path = input.path) => Object(await own.call('readFile', { path })).cached
    const cached = [await read(), await read(), await read('rest/r3.txt')]
    workspace.write('many/m0.ts', 'export const changed = 1\n')
    return [...cached, await read()]
  })

  it('printed: a hit says "cached": true, and the first read does not', async () => {
    expect((await answers()).slice(0, 2)).toEqual([undefined, true])
  })

  it('printed: the file is part of the key', async () => expect((await answers())[2]).toBe(undefined))

  it('printed: a change of repo_hash invalidates it', async () => expect((await answers())[3]).toBe(undefined))

  it('printed: metrics track hits', async () => {
    await answers()
    expect(metricsOf('Cache').map(({ cached }) => cached)).toEqual([undefined, true, undefined, undefined])
  })
})

describe('Implementation Checklist', () => {
  it.each(['react', 'angular'])('printed: the %s prompt names tools and parameters exactly', framework => {
    const prompt = superconnect.prompts?.[framework]?.() ?? ''
    for (const { name } of superconnect.tools) {
      expect(prompt).toContain(`### ${name}\n`)
      for (const parameter of Object.keys(inputOf(name).properties)) expect(prompt).toContain(`- \`${parameter}\` (`)
    }
  })
})

describe('Appendix: Index Schema', () => {
  const document = once(async () => {
    const ask = async (input: object) => {
      const { outcome } = await kit.run('index', input, { contract: 'toolwright' })
      if (!outcome.ok) throw outcome.error
      return Object(outcome.data)
    }
    const { repoHash, status } = await ask({ by: 'status' })
    return Object(indexDocument(repoHash, status, (await ask({ by: 'prefix', value: 'src/' })).files))
  })

  it.each([
    ['repo_hash', expect.stringMatching(/^\w{8,}$/)],
    ['generated_at', expect.stringMatching(ISO)],
    ['files', expect.any(Array)],
    ['statistics', expect.any(Object)],
  ])('printed: %s', async (field, value) => expect((await document())[field]).toEqual(value))

  it.each([
    ['path', 'src/components/Button.tsx'],
    ['exports', ['Button', 'ButtonProps']],
    ['tags', ['react-component', 'typescript']],
    ['size_bytes', 72],
    ['last_modified', expect.stringMatching(ISO)],
  ])('printed: files: %s', async (field, value) => {
    expect((await document()).files.map((file: object) => Reflect.get(file, field))).toContainEqual(value)
  })

  it.each([
    ['total_files', expect.any(Number)],
    ['total_exports', expect.any(Number)],
    ['by_tag', expect.objectContaining({ 'react-component': 3, 'angular-component': 1 })],
  ])('printed: statistics: %s', async (field, value) => {
    expect((await document()).statistics[field]).toEqual(value)
  })
})
