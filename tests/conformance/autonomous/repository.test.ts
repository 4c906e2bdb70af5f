import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryWorkspace } from '../../../src/testing/index.ts'
import { useProduct } from './rig.ts'

const SRC = 'apps/webapp/src'
const MAIN = 'export const app = 1\n'.padEnd(1_020, '/')

const product = useProduct({
  [`${SRC}/main.tsx`]: MAIN,
  [`${SRC}/main.css`]: 'a {}\n',
  [`${SRC}/domains/sales.tsx`]: 'export const sales = "Auth.Token()"\n',
  [`${SRC}/routes/index.ts`]: 'import { auth } from "../auth"\nexport const Route = auth\n',
  'src/components/button.tsx': 'export function Button() { ... }'.padEnd(2_048, '\n'),
  'src/auth/login.tsx': 'export function LoginForm() {\n}\n',
  'docs/one/two/three/four.md': '# Four\n',
  'data/big.txt': `${'x'.repeat(102_399)}€ and more`,
  'data/image.bin': Buffer.from([0, 1, 2]),
})

describe('list_dirs', () => {
  it('AA-03: answers as the document prints it', async () => {
    expect(await product.call('list_dirs', { path: SRC, depth: 2, limit: 50 })).toEqual({
      dirs: [
        { path: `${SRC}/domains`, depth: 1 },
        { path: `${SRC}/routes`, depth: 1 },
      ],
      truncated: false,
    })
  })

  it('AA-03: gives directories only, the nearest first, no deeper than asked', async () => {
    expect(await product.call('list_dirs', { depth: 3 })).toEqual({
      dirs: [
        ...['apps', 'data', 'docs', 'src'].map(path => ({ path, depth: 1 })),
        ...['apps/webapp', 'docs/one', 'src/auth', 'src/components'].map(path => ({ path, depth: 2 })),
        ...['apps/webapp/src', 'docs/one/two'].map(path => ({ path, depth: 3 })),
      ],
      truncated: false,
    })
    expect(await product.call('list_dirs', { path: '/docs/' })).toEqual({
      dirs: [{ path: 'docs/one', depth: 1 }],
      truncated: false,
    })
  })

  it.each([4, 0, 1.5, '2'])('AA-03: refuses a depth of %j', async depth => {
    expect(await product.call('list_dirs', { depth })).toEqual({ error: expect.stringContaining("Parameter 'depth'") })
  })

  it('AA-10: pages by limit, and says when there is more', async () => {
    expect(await product.call('list_dirs', { limit: 3 })).toEqual({
      dirs: ['apps', 'data', 'docs'].map(path => ({ path, depth: 1 })),
      truncated: true,
      nextCursor: '3',
    })
    expect(await product.call('list_dirs', { limit: 3, cursor: '3' })).toEqual({
      dirs: [{ path: 'src', depth: 1 }],
      truncated: false,
    })
    expect(await product.call('list_dirs', { limit: 4 })).toMatchObject({ truncated: false })
    expect(await product.call('list_dirs', { depth: 3, limit: 10 })).toMatchObject({ truncated: false })
    expect(await product.call('list_dirs', { depth: 3, limit: 9 })).toMatchObject({ truncated: true })
  })
})

describe('list_files', () => {
  it('AA-04: answers as the document prints it', async () => {
    expect(await product.call('list_files', { path: SRC, pattern: '*.tsx', limit: 50 })).toEqual({
      files: [{ path: `${SRC}/main.tsx`, name: 'main.tsx', size: 1020 }],
      truncated: false,
    })
  })

  it('AA-04: lists one directory and nothing below it', async () => {
    expect(await product.call('list_files', { path: SRC })).toMatchObject({
      files: [{ name: 'main.css', size: 5 }, { name: 'main.tsx' }],
    })
    expect(await product.call('list_files', {})).toEqual({ files: [], truncated: false })
    expect(await product.call('list_files', { path: SRC, pattern: '**/*.ts' })).toEqual({ files: [], truncated: false })
  })

  it('AA-10: pages by limit, and says when there is more', async () => {
    expect(await product.call('list_files', { path: SRC, limit: 1 })).toMatchObject({
      files: [{ name: 'main.css' }],
      truncated: true,
      nextCursor: '1',
    })
    const rest = await product.call('list_files', { path: SRC, limit: 1, cursor: '1' })
    expect(rest).toMatchObject({ files: [{ name: 'main.tsx' }], truncated: false })
    expect(rest).not.toHaveProperty('nextCursor')
    expect(await product.call('list_files', { path: SRC, cursor: '9' })).toEqual({ files: [], truncated: false })
    for (const cursor of ['-1', 'next', '', 3])
      expect(await product.call('list_files', { cursor })).toEqual({ error: expect.stringContaining("'cursor'") })
    expect(await product.call('list_files', { path: SRC, limit: 2 })).toMatchObject({ truncated: false })
    for (const limit of [0, 1_001, 'all'])
      expect(await product.call('list_files', { limit })).toEqual({ error: expect.stringContaining("'limit'") })
  })

  it.each([
    ['a directory that is not there', { path: 'nowhere' }, /'nowhere' was not found in acme\/shop/],
    ['a file', { path: `${SRC}/main.tsx` }, /is not a directory/],
    ['a way out', { path: '../other' }, /leads out of the repository/],
    ['a pattern that would take for ever', { pattern: '{a,b}'.repeat(20) }, /more than 100 alternatives/],
  ])('AA-02: says what is wrong with %s', async (_what, input, error) => {
    expect(await product.call('list_files', input)).toEqual({ error: expect.stringMatching(error) })
  })
})

describe('read_file', () => {
  it('AA-05: answers as the document prints it', async () => {
    const answer = await product.call('read_file', { path: 'src/components/button.tsx' })
    expect(answer).toMatchObject({ path: 'src/components/button.tsx', size: 2048 })
    expect(Object(answer).content.trimEnd()).toBe('export function Button() { ... }')
    expect(Object.keys(Object(answer))).toEqual(['path', 'content', 'size'])
  })

  it('AA-05: cuts the content above 100 KB, never inside a character, and gives the whole size', async () => {
    const answer = Object(await product.call('read_file', { path: 'data/big.txt' }))
    expect(answer.content).toBe('x'.repeat(102_399))
    expect(answer.size).toBe(102_399 + 3 + ' and more'.length)
  })

  it.each([
    ['a file that is not there', { path: 'src/none.ts' }, /'src\/none\.ts' was not found in acme\/shop/],
    ['a directory', { path: 'src' }, /'src' is a directory/],
    ['data', { path: 'data/image.bin' }, /'data\/image\.bin' is binary, not text/],
    ['a way out', { path: 'src/../../x' }, /leads out of the repository/],
    ['no path', {}, /Missing parameter 'path'/],
    ['another parameter', { path: 'src', lines: 1 }, /Unknown parameter 'lines'/],
  ])('AA-02: says what is wrong with %s', async (_what, input, error) => {
    expect(await product.call('read_file', input)).toEqual({ error: expect.stringMatching(error) })
  })
})

describe('search_code', () => {
  it('AA-06: answers the example of the document as it is printed', async () => {
    const printed = { query: 'auth', filePattern: '*.ts', limit: 20 }
    expect(await product.call('search_code', { ...printed, filePattern: 'src/**/*.ts' })).toEqual([
      { path: 'src/auth/login.tsx', snippet: 'export function LoginForm() {' },
    ])
    expect(await product.call('search_code', printed)).toEqual([
      { path: `${SRC}/domains/sales.tsx`, snippet: 'export const sales = "Auth.Token()"' },
      { path: `${SRC}/routes/index.ts`, snippet: 'import { auth } from "../auth"' },
      { path: `${SRC}/routes/index.ts`, snippet: 'export const Route = auth' },
      { path: 'src/auth/login.tsx', snippet: 'export function LoginForm() {' },
    ])
  })

  it('AA-10: pages by limit, lines before names of files', async () => {
    const found = await product.call('search_code', { query: 'auth', limit: 2 })
    expect(found).toMatchObject([{ path: `${SRC}/domains/sales.tsx` }, { path: `${SRC}/routes/index.ts` }])
  })

  it('AA-10: reaches every match page by page, with the cursor beside the list', async () => {
    const all = await product.call('search_code', { query: 'auth' })
    const pages: unknown[] = []
    let cursor: string | undefined
    do {
      const input = { query: 'auth', limit: 2, ...(cursor !== undefined && { cursor }) }
      const { output, nextCursor } = Object(await product.result('search_code', input))
      pages.push(...output)
      cursor = nextCursor
    } while (cursor !== undefined)
    expect(pages).toEqual(all)
    expect(pages).toHaveLength(4)
    expect(await product.result('search_code', { query: 'auth', limit: 4 })).not.toHaveProperty('nextCursor')
  })

  it.each(['Auth.Token()', 'auth.token()'])('AA-06: takes %j as plain text', async query => {
    expect(await product.call('search_code', { query })).toHaveLength(1)
  })

  it.each(['.*', '[a-z]+', '(a+)+$', '$(touch /tmp/x)', '; ls', '`id`', '--help', '\\w'])(
    'AA-06: never takes %j as a pattern or a command',
    async query => {
      expect(await product.call('search_code', { query })).toEqual([])
    },
  )

  it('AA-06: starts no program, whatever the query and the pattern say', async () => {
    await using outside = temporaryWorkspace()
    const touch = `touch ${join(outside.path, 'made')}`
    for (const text of [`$(${touch})`, `; ${touch} #`, `x\n${touch}\n`, `| ${touch}`, `\`${touch}\``])
      for (const input of [{ query: text }, { query: 'auth', filePattern: text }])
        await product.call('search_code', input)
    expect(readdirSync(outside.path)).toEqual([])
  })

  it('AA-06: searches neither data nor what the pattern leaves out', async () => {
    expect(await product.call('search_code', { query: '\u0001' })).toEqual([])
    expect(await product.call('search_code', { query: 'auth', filePattern: '*.css' })).toEqual([])
    expect(await product.call('search_code', { query: 'four', filePattern: 'docs/**' })).toHaveLength(1)
    expect(await product.call('search_code', { query: ' ' })).toEqual({ error: expect.stringContaining("'query'") })
  })
})
