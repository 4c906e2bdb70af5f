import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fileRecord } from '../file-record.ts'
import { page, type Visibility } from './answer.ts'
import type { FoundFile } from './entry.ts'
import { createFileTable, type FileTable } from './file-table.ts'
import { visibleHash } from './visible-hash.ts'

const ROUNDS = process.env['TOOLWRIGHT_LONG'] === '1' ? 3000 : 300

const SOURCES = ['index.ts', 'app/index.ts', 'app/a.ts', 'lib/a.ts', 'lib/b.js', 'packages/p/src/index.ts', 'p2/a.ts']
const SPECIFIERS = [
  './a',
  './a.js',
  './index',
  '.',
  '../..',
  './app',
  '../lib/a',
  '@/a',
  '@/b',
  '#in',
  'p',
  'p/a',
  'lib/a',
  'react',
]

const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  'package.json': ['{ "name": "p", "imports": { "#in": "./lib/a.js" } }', '{ "imports": { "#in": "p" } }', '{ broken'],
  'packages/p/package.json': ['{ "name": "p" }', '{ "name": "p", "exports": { "./a": "../../lib/a.js" } }'],
  'p2/package.json': ['{ "name": "p", "main": "a.js", "exports": { ".": "./a.js", "./a": null } }', '{ "name": "q" }'],
  'tsconfig.json': ['{ "compilerOptions": { "paths": { "@/*": ["./lib/*"] } } }', '{ "extends": "./tsconfig.base" }'],
  'tsconfig.base.json': ['{ "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["app/*", "lib/*"] } } }', '{}'],
  'packages/p/tsconfig.json': ['{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }'],
  'p2/tsconfig.json': ['{ "compilerOptions": { "paths": { "@/*": ["./*"] } } }'],
  'app/tsconfig.json': [
    '{ "extends": "../tsconfig.base.json" }',
    '{ "compilerOptions": { "baseUrl": ".." } }',
    '{ "extends": "p/tsconfig.json" }',
  ],
}

interface Change {
  readonly path: string
  /** Nothing where the file goes. */
  readonly text: string | undefined
}

const source = fc.record({
  path: fc.constantFrom(...SOURCES),
  text: fc.option(
    fc
      .record({
        stars: fc.uniqueArray(fc.constantFrom(...SPECIFIERS), { maxLength: 3 }),
        name: fc.constantFrom('x', 'y', 'z', 'w'),
      })
      .map(({ stars, name }) =>
        [...stars.map(each => `export * from '${each}'`), `export const ${name} = 1`].join('\n'),
      ),
    { nil: undefined },
  ),
})
const settings = fc
  .constantFrom(...Object.entries(SETTINGS))
  .chain(([path, texts]) =>
    fc.record({ path: fc.constant(path), text: fc.option(fc.constantFrom(...texts), { nil: undefined }) }),
  )
const change: fc.Arbitrary<Change> = fc.oneof(source, settings)
const changes = fc.array(change, { maxLength: 12 })

const known = new Map<string, Promise<FoundFile>>()

/** A text is read once, however often it comes. */
function foundFile(path: string, text: string): Promise<FoundFile> {
  const key = `${path}\0${text}`
  const before = known.get(key)
  if (before) return before
  const found = fileRecord(path, Buffer.from(text)).then(said => ({
    path,
    size: 1,
    mtimeMs: 0,
    content: text,
    ...said,
  }))
  known.set(key, found)
  return found
}

async function apply(table: FileTable, all: readonly Change[]): Promise<void> {
  for (const { path, text } of all) {
    if (text === undefined) table.remove(path)
    else table.put(await foundFile(path, text))
  }
}

async function tableOf(texts: ReadonlyMap<string, string | undefined>): Promise<FileTable> {
  const table = createFileTable()
  await apply(
    table,
    [...texts].map(([path, text]) => ({ path, text })),
  )
  return table
}

const LIMIT = { limit: 100 }

/** Everything that a table tells of exports. */
function told(table: FileTable, sight?: Visibility) {
  const asked = { ...LIMIT, ...(sight && { sight }) }
  return {
    all: page(table, { by: 'all' }, asked),
    hash: visibleHash(table, sight),
    byName: ['x', 'y', 'z', 'w'].map(value =>
      page(table, { by: 'export', value }, asked).files.map(({ path }) => path),
    ),
  }
}

describe('the exports of all files', () => {
  it('are those of a table that is made anew, however files and settings came, changed and went', async () => {
    await fc.assert(
      fc.asyncProperty(changes, fc.array(changes, { minLength: 1, maxLength: 4 }), async (first, later) => {
        const table = createFileTable()
        const texts = new Map<string, string | undefined>()
        for (const step of [first, ...later]) {
          await apply(table, step)
          // The next request does the remaining work.
          table.followFor(0)
          for (const { path, text } of step) texts.set(path, text)
          expect(told(table)).toEqual(told(await tableOf(texts)))
        }
      }),
      { numRuns: ROUNDS },
    )
  })

  it('are the same for a caller with staged changes or hidden files, as if nothing else existed', async () => {
    const paths = [...SOURCES, ...Object.keys(SETTINGS)]
    await fc.assert(
      fc.asyncProperty(
        changes,
        changes,
        fc.uniqueArray(fc.constantFrom(...paths), { maxLength: 3 }),
        async (there, staged, hidden) => {
          const table = createFileTable()
          await apply(table, there)
          const over = new Map(staged.map(({ path, text }) => [path, text]))
          const files: FoundFile[] = []
          const gone: string[] = []
          for (const [path, text] of over) {
            if (text === undefined || hidden.includes(path)) gone.push(path)
            else files.push(await foundFile(path, text))
          }
          const seen = new Map([...there.map(({ path, text }) => [path, text] as const), ...over])
          for (const path of hidden) seen.delete(path)
          const sight = { leaveOut: new Set(hidden), staged: { files, gone } }
          expect(told(table, sight)).toEqual(told(await tableOf(seen)))
        },
      ),
      { numRuns: ROUNDS },
    )
  })
})
