import { afterEach, describe, expect, it } from 'vitest'
import { queryIndex } from '../../../src/contracts/superconnect/query-index.ts'
import type { TemporaryWorkspace } from '../../../src/testing/temporary-workspace.ts'
import { shop } from './world.ts'

const open: TemporaryWorkspace[] = []
afterEach(async () => {
  for (const workspace of open.splice(0)) await workspace.remove()
})
const start = async (...args: Parameters<typeof shop>) => {
  const made = await shop(...args)
  open.push(made.workspace)
  return made
}
const many = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`src/m${String(at).padStart(3, '0')}.ts`, `export const x${at} = 1\n`]),
  )

describe('queryIndex', () => {
  it('SC-01, SC-03: finds by exported name, tag and path prefix, and lists everything', async () => {
    const { call } = await start()
    const paths = async (query: object): Promise<string[]> =>
      (await call('queryIndex', { query })).files.map((file: { path: string }) => file.path)
    expect(await paths({ type: 'exports', value: 'Button' })).toEqual(['src/components/Button.tsx'])
    expect(await paths({ type: 'tag', value: 'react-component' })).toEqual([
      'src/components/Button.tsx',
      'src/components/Link.tsx',
    ])
    expect(await paths({ type: 'pathPrefix', value: 'src/theme/' })).toEqual(['src/theme/tokens.ts'])
    expect(await paths({ type: 'listAll' })).toEqual([
      'README.md',
      'src/components/Button.tsx',
      'src/components/Link.tsx',
      'src/components/list.component.ts',
      'src/theme/tokens.ts',
    ])
  })

  it('SC-03: truncated is true exactly where the limit cut the list; that the index is behind is a warning', async () => {
    const file = { path: 'a.ts', exports: [], tags: [], size: 1, mtimeMs: 0 }
    const ask = async (current: boolean, total: number) => {
      const warnings: string[] = []
      const index = { query: async () => ({ files: [file], total, repoHash: '', current }) }
      const context = Object({ timeoutMs: 1_000, warn: (text: string) => void warnings.push(text) })
      const answer = await queryIndex.run({ query: { type: 'listAll' }, limit: 1 }, Object({ index }), context)
      return [Object(answer).total_matches, Object(answer).truncated, warnings]
    }
    const behind = [expect.stringMatching(/the answer may lack some: ask again$/)]
    expect(await ask(true, 1)).toEqual([1, false, []])
    expect(await ask(true, 2)).toEqual([2, true, []])
    expect(await ask(false, 1)).toEqual([1, false, behind])
    expect(await ask(false, 2)).toEqual([2, true, behind])
  })

  it('SC-03: truncated is false where the limit is exactly the number of files', async () => {
    const { call } = await start()
    const whole = Object(await call('queryIndex', { query: { type: 'listAll' } }))
    expect(whole.files).toHaveLength(whole.total_matches)
    for (const [limit, truncated] of [
      [whole.total_matches, false],
      [whole.total_matches - 1, true],
    ])
      expect(await call('queryIndex', { query: { type: 'listAll' }, limit })).toMatchObject({ truncated })
  })

  it('SC-03: tells of each file its exports, tags, size and time, and the matches before the limit', async () => {
    const { call } = await start()
    const answer = await call('queryIndex', { query: { type: 'pathPrefix', value: 'src/components/' }, limit: 1 })
    expect(answer).toEqual({
      files: [
        {
          path: 'src/components/Button.tsx',
          exports: ['Button', 'ButtonProps'],
          tags: ['react-component', 'typescript'],
          size_bytes: 168,
          last_modified: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
      ],
      total_matches: 3,
      truncated: true,
    })
  })

  it('SC-20: finds the framework from the code, and not from the name of the file', async () => {
    const { call } = await start({
      'src/Plain.tsx': 'export const sum = (a: number, b: number) => a + b\n',
      'src/plain.component.ts': 'export class PlainComponent {}\n',
      'src/anything.ts':
        "import { Component } from '@angular/core'\n@Component({ template: '' })\nexport class Any {}\n",
      'lib/widget.js': 'export function Widget() {\n  return <b>text</b>\n}\n',
      'lib/inner.jsx':
        "import { memo } from 'react'\nexport const Inner = memo(function Inner() {\n  return null\n})\n",
    })
    const tagged = async (value: string) =>
      (await call('queryIndex', { query: { type: 'tag', value } })).files.map(({ path }) => path)
    expect(await tagged('angular-component')).toEqual(['src/anything.ts'])
    expect(await tagged('react-component')).toEqual(['lib/inner.jsx', 'lib/widget.js'])
    expect(await tagged('typescript')).toEqual(['src/Plain.tsx', 'src/anything.ts', 'src/plain.component.ts'])
    expect(await tagged('javascript')).toEqual(['lib/inner.jsx', 'lib/widget.js'])
  })

  it('SC-02: gives 50 unless told, at most 200, and refuses more instead of clamping', async () => {
    const { call } = await start(many(210))
    const all = { type: 'listAll' }
    expect((await call('queryIndex', { query: all })).files).toHaveLength(50)
    expect(await call('queryIndex', { query: all, limit: 200 })).toMatchObject({ total_matches: 210, truncated: true })
    expect((await call('queryIndex', { query: all, limit: 200 })).files).toHaveLength(200)
    expect((await call('queryIndex', { query: all, limit: 201 })).error.code).toBe('LIMIT_EXCEEDED')
    expect((await call('queryIndex', { query: all, limit: 2.5 })).error.code).toBe('INVALID_PARAMETERS')
  })

  it('SC-04, SC-17: names a wrong type and a missing value', async () => {
    const { call } = await start()
    const code = async (input: unknown) => (await call('queryIndex', input)).error.code
    expect(await code({ query: { type: 'content', value: 'x' } })).toBe('INVALID_QUERY_TYPE')
    for (const type of ['exports', 'tag', 'pathPrefix']) expect(await code({ query: { type } })).toBe('MISSING_VALUE')
    const answer = await call('queryIndex', { query: { type: 'nonsense' } })
    expect(answer).toEqual({
      error: { code: 'INVALID_QUERY_TYPE', message: expect.any(String), details: expect.any(Object) },
    })
  })

  it.each([
    ['queryIndex', {}, 'query'],
    ['queryIndex', { query: 'Button' }, 'query'],
    ['queryIndex', { query: {} }, 'query.type'],
    ['queryIndex', { query: { type: 5 } }, 'query.type'],
    ['queryIndex', { query: { type: null, value: 'x' } }, 'query.type'],
    ['queryIndex', { query: { type: 'exports', value: 5 } }, 'query.value'],
    ['queryIndex', { query: { type: 'tag', value: null } }, 'query.value'],
    ['queryIndex', { query: { type: 'listAll' }, limit: '250' }, 'limit'],
    ['queryIndex', { query: { type: 'listAll' }, limit: 0 }, 'limit'],
    ['readFile', {}, 'path'],
    ['readFile', { path: 5 }, 'path'],
    ['readFile', { path: ['a'] }, 'path'],
    ['readFile', { path: 'a.ts', maxBytes: '900000' }, 'maxBytes'],
    ['listFiles', {}, 'directory'],
    ['listFiles', { directory: null }, 'directory'],
    ['listFiles', { directory: 'src', limit: true }, 'limit'],
    ['listFiles', { directory: 'src', pattern: 5 }, 'pattern'],
  ])(
    'SC-04, SC-08, SC-12: names a parameter of %s that is missing or of another type: %j',
    async (tool, input, name) => {
      const { call } = await start()
      const { error } = await call(tool, input)
      expect(error).toMatchObject({ code: 'INVALID_PARAMETERS', message: expect.stringContaining(`'${name}'`) })
    },
  )

  it('SC-17: has one shape for every failure, whatever tool and whatever is wrong', async () => {
    const { call } = await start()
    const failures: readonly (readonly [tool: string, input: unknown])[] = [
      ['queryIndex', {}],
      ['queryIndex', null],
      ['queryIndex', { query: { type: 'tag' } }],
      ['queryIndex', { query: { type: 'listAll' }, limit: 0 }],
      ['readFile', { path: 'none' }],
      ['readFile', { path: 'src' }],
      ['readFile', { path: '../x' }],
      ['readFile', { file: 'README.md' }],
      ['listFiles', { directory: 'none' }],
      ['listFiles', { directory: '/' }],
      ['listFiles', { directory: 'src', pattern: '{a,b}'.repeat(20) }],
      ['writeFile', { path: 'x' }],
    ]
    for (const [tool, input] of failures) {
      const answer = await call(tool, input)
      expect([tool, input, Object.keys(answer)]).toEqual([tool, input, ['error']])
      const { code, message, ...more } = answer.error
      expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/)
      expect(message).toMatch(/\w{3}/)
      if (Object.keys(more).length > 0) expect(more).toEqual({ details: expect.any(Object) })
    }
  })

  it('SC-05: knows what changed since it was asked last', async () => {
    const { call, workspace } = await start()
    await call('queryIndex', { query: { type: 'listAll' } })
    workspace.write('src/New.tsx', 'export const New = () => <i />\n')
    const { files } = await call('queryIndex', { query: { type: 'exports', value: 'New' } })
    expect(files).toMatchObject([{ path: 'src/New.tsx', tags: ['react-component', 'typescript'] }])
  })

  it('SC-21: gives the same answer to the same question, order included', async () => {
    const [one, other] = [await start(many(60)), await start(many(60))]
    const query = { query: { type: 'listAll' }, limit: 200 }
    const plain = ({ files }: { files: readonly object[] }) =>
      files.map(file => ({ ...file, last_modified: undefined }))
    expect(plain(await one.call('queryIndex', query))).toEqual(plain(await other.call('queryIndex', query)))
    expect(await one.call('queryIndex', query)).toEqual(await one.call('queryIndex', query))
    for (const [tool, input] of [
      ['listFiles', { directory: 'src', limit: 100 }],
      ['readFile', { path: 'src/m007.ts' }],
    ] as const) {
      const first = await one.call(tool, input)
      expect(first).not.toHaveProperty('error')
      expect([await other.call(tool, input), await one.call(tool, input)]).toMatchObject([first, first])
    }
  })

  it('leaves out what may not be read', async () => {
    const { workspace } = await start({ 'src/a.ts': 'export const a = 1\n', 'keys.ts': 'export const key = 1\n' })
    workspace.write('toolwright.json', '{"policy":{"rules":[{"action":"read","path":"keys.ts","verdict":"deny"}]}}')
    const kit = await workspace.open({ contract: 'superconnect' })
    const query = (value: string) => kit.call('queryIndex', { query: { type: 'exports', value } })
    expect(await query('key')).toEqual({ files: [], total_matches: 0, truncated: false })
    expect(await query('a')).toMatchObject({ total_matches: 1 })
  })
})
