import {
  chmodSync,
  mkdtempSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openRoot } from '../../machine/workspace/root.ts'
import type { IndexSettings } from './index-settings.ts'
import { openRepositoryIndex } from './open-repository-index.ts'
import type { RepositoryIndex } from './repository-index.ts'
import { openTree } from '../tree/open-tree.ts'
import type { Tree } from '../tree/tree.ts'
import { processorMs } from '../../../tests/processor-time.ts'

const COUNT = process.env['TOOLWRIGHT_LONG'] === '1' ? 1500 : 800

type Files = Readonly<Record<string, string>>

/** A real directory with an index over it. */
function indexed(files: Files) {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-index-')))
  const directory = join(base, 'workspace')
  const cacheDirectory = join(base, 'cache')
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  mkdirSync(directory)
  for (const [path, text] of Object.entries(files)) write(path, text)
  const opened: (() => Promise<void>)[] = []
  const open = (more: Pick<IndexSettings, 'patienceMs'> = {}): RepositoryIndex => {
    const root = openRoot(directory)
    const tree = openTree(root)
    const index = openRepositoryIndex({ tree, directory, cacheDirectory, ...more })
    opened.push(async () => {
      await index.close()
      tree.close()
      root.close()
    })
    return index
  }
  return {
    directory,
    cacheDirectory,
    write,
    open,
    close: async () => void (await opened.pop()?.()),
    async [Symbol.asyncDispose]() {
      for (const close of opened) await close()
      rmSync(base, { recursive: true })
    },
  }
}

const paths = async (index: RepositoryIndex, by: 'export' | 'tag' | 'prefix' | 'symbol', value: string) =>
  (await index.query({ query: { by, value }, limit: 100 })).files.map(({ path }) => path)

describe('the repository index', () => {
  it('SC-21: finds files by export, tag, prefix and symbol, in the order of paths, with the whole count', async () => {
    await using place = indexed({
      'src/b.ts': 'export const shared = 1\nfunction inner() {}\n',
      'src/a.ts': 'export function shared() {}\n',
      'src/a/c.js': 'module.exports = { shared, other: 1 }\n',
      'README.md': '# hello',
    })
    const index = place.open()
    expect(await paths(index, 'export', 'shared')).toEqual(['src/a.ts', 'src/a/c.js', 'src/b.ts'])
    expect(await paths(index, 'tag', 'typescript')).toEqual(['src/a.ts', 'src/b.ts'])
    expect(await paths(index, 'prefix', 'src/a')).toEqual(['src/a.ts', 'src/a/c.js'])
    expect(await paths(index, 'symbol', 'inner')).toEqual(['src/b.ts'])
    const { files, total, current } = await index.query({ query: { by: 'all' }, limit: 2, skip: 1 })
    expect(files.map(({ path }) => path)).toEqual(['src/a.ts', 'src/a/c.js'])
    expect({ total, current }).toEqual({ total: 4, current: true })
    expect(files[0]).toMatchObject({ exports: ['shared'], tags: ['typescript'], size: 28 })
  })

  it('is right after a write, a removal and a rename, and its hash is the content', async () => {
    await using place = indexed({ 'a.ts': 'export const one = 1\n' })
    const index = place.open()
    const { repoHash: first } = await index.query({ query: { by: 'all' }, limit: 1 })
    place.write('a.ts', 'export const two = 2\n')
    expect(await paths(index, 'export', 'two')).toEqual(['a.ts'])
    expect(await paths(index, 'export', 'one')).toEqual([])
    expect((await index.query({ query: { by: 'all' }, limit: 1 })).repoHash).not.toBe(first)
    place.write('a.ts', 'export const one = 1\n')
    expect((await index.query({ query: { by: 'all' }, limit: 1 })).repoHash).toBe(first)
    // Larger than what is parsed.
    place.write('a.ts', 'export const one = 1\n'.padEnd(2 ** 20 + 1))
    expect(await paths(index, 'export', 'one')).toEqual([])
    place.write('a.ts', 'export const one = 1\n')
    renameSync(join(place.directory, 'a.ts'), join(place.directory, 'b.ts'))
    expect(await paths(index, 'export', 'one')).toEqual(['b.ts'])
    rmSync(join(place.directory, 'b.ts'))
    expect((await index.query({ query: { by: 'all' }, limit: 1 })).total).toBe(0)
  })

  it('follows export * over files, also when they come, change and go later', async () => {
    await using place = indexed({
      'index.ts': "export * from './lib'\n",
      'lib/index.ts': "export * from './deep.js'\n",
    })
    const index = place.open()
    expect((await index.facts({ path: 'index.ts' }))?.exports).toEqual([])
    place.write('lib/deep.ts', 'export const deep = 1\nexport default 1\n')
    expect((await index.facts({ path: 'index.ts' }))?.exports).toEqual(['deep'])
    place.write('lib.ts', 'export const near = 1\n')
    expect((await index.facts({ path: 'index.ts' }))?.exports).toEqual(['near'])
    expect(await paths(index, 'export', 'deep')).toEqual(['lib/deep.ts', 'lib/index.ts'])
    rmSync(join(place.directory, 'lib.ts'))
    expect(await paths(index, 'export', 'deep')).toEqual(['index.ts', 'lib/deep.ts', 'lib/index.ts'])
  })

  it('follows export * into packages of the workspace, by #imports and by paths of a compiler, also when settings change', async () => {
    const manifest = (main: string) =>
      JSON.stringify({ name: '@shop/core', main, imports: { '#deep': './src/deep.js' } })
    await using place = indexed({
      'packages/core/package.json': manifest('dist/index.js'),
      'packages/core/src/index.ts': "export * from '#deep'\nexport const core = 1\n",
      'packages/core/src/deep.ts': 'export const deep = 1\n',
      'packages/core/src/other.ts': 'export const other = 1\n',
      'tsconfig.base.json': '{ "compilerOptions": { "paths": { "@lib/*": ["./lib/*"] } } }',
      'app/tsconfig.json': '{ "extends": "../tsconfig.base.json" }',
      'lib/near.ts': 'export const near = 1\n',
      'far/near.ts': 'export const far = 1\n',
      'app/index.ts': "export * from '@shop/core'\nexport * from '@lib/near'\nexport * from 'react'\n",
      'index.ts': "export * from './app'\n",
      'node_modules/react/package.json': '{ "name": "react", "main": "index.js" }',
      'node_modules/react/index.js': 'exports.useState = 1\n',
    })
    const index = place.open()
    const seen = async () => (await index.facts({ path: 'index.ts' }))?.exports.toSorted()
    expect(await seen()).toEqual(['core', 'deep', 'near'])
    expect(await paths(index, 'export', 'deep')).toEqual([
      'app/index.ts',
      'index.ts',
      'packages/core/src/deep.ts',
      'packages/core/src/index.ts',
    ])
    place.write('packages/core/package.json', manifest('src/other.ts'))
    expect(await seen()).toEqual(['near', 'other'])
    place.write('tsconfig.base.json', '{ "compilerOptions": { "paths": { "@lib/*": ["./far/*"] } } }')
    expect(await seen()).toEqual(['far', 'other'])
    rmSync(join(place.directory, 'packages/core/package.json'))
    expect(await seen()).toEqual(['far'])
    place.write('packages/new/package.json', '{ "name": "@shop/core" }')
    place.write('packages/new/index.ts', 'export const fresh = 1\n')
    expect(await seen()).toEqual(['far', 'fresh'])
    expect(await paths(index, 'export', 'fresh')).toEqual(['app/index.ts', 'index.ts', 'packages/new/index.ts'])

    // Settings are kept with the facts.
    await place.close()
    const again = place.open()
    expect((await again.facts({ path: 'index.ts' }))?.exports.toSorted()).toEqual(['far', 'fresh'])
    const leaveOut = new Set(['packages/new/package.json'])
    expect((await again.facts({ path: 'index.ts', sight: { leaveOut } }))?.exports).toEqual(['far'])
    const settings = { kind: 'package' as const, name: '@shop/core', main: ['src/other.ts'], exports: [], imports: [] }
    const staged = { path: 'packages/core/package.json', size: 1, mtimeMs: 1, content: 'x', settings }
    const sight = { leaveOut, staged: { files: [staged], gone: [] } }
    expect((await again.facts({ path: 'index.ts', sight }))?.exports.toSorted()).toEqual(['far', 'other'])
    expect((await again.query({ query: { by: 'export', value: 'other' }, limit: 9, sight })).total).toBe(3)
    const glance = await again.glance({ path: 'index.ts' })
    expect(glance?.through).toEqual(expect.arrayContaining(['packages/new/package.json', 'tsconfig.base.json']))
  })
})

/** A list of files that are nowhere on disk. */
function listed(names: readonly string[]) {
  const file = (path: string) => ({ path, size: 1, mtimeMs: 1, stamp: path })
  const files = new Map(names.map(path => [path, file(path)]))
  const asked = { times: 0 }
  const tree: Tree = {
    version: () => 1,
    files: () => files,
    settle: () => Promise.resolve(void asked.times++).then(() => ({ state: 'current', checked: 'watch' }) as const),
    caughtUp: () => Promise.resolve(),
    onChange: () => () => {},
    close() {},
  }
  return { tree, asked }
}

describe('a question to the index', () => {
  it('SC-05: walks no directory and reads no file, however many there are', async () => {
    const { tree, asked } = listed(Array.from({ length: 3000 }, (_, at) => `src/file${at}.ts`))
    const directory = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-index-')))
    const index = openRepositoryIndex({ tree, directory })
    try {
      expect(await index.query({ query: { by: 'all' }, limit: 1 })).toMatchObject({ total: 3000, current: true })
      // What is not there any more cannot be looked at.
      rmSync(directory, { recursive: true })
      asked.times = 0
      expect(await paths(index, 'prefix', 'src/file2999')).toEqual(['src/file2999.ts'])
      expect((await index.status({})).totalFiles).toBe(3000)
      expect(asked.times).toBe(2)
    } finally {
      await index.close()
    }
  })

  it('about one file waits for no other', async () => {
    await using place = indexed({ 'a.ts': "export * from './b.ts'\n", 'b.ts': 'export const one = 1\n' })
    const others = Array.from({ length: COUNT }, (_, at) => `other/${at}.ts`)
    for (const path of others) place.write(path, 'export const other = 1\n'.repeat(20))
    const index = place.open({ patienceMs: 60_000 })
    expect((await index.facts({ path: 'a.ts' }))?.exports).toEqual(['one'])
    expect((await index.status({})).pending).toBeGreaterThan(0)
    expect((await index.query({ query: { by: 'export', value: 'other' }, limit: 1 })).total).toBe(others.length)
  })

  it('is answered while the index is being built: the event loop is not held up', async () => {
    await using place = indexed({})
    const barrels = Array.from({ length: 40 }, () => '')
    for (let at = 0; at < COUNT; at++) {
      place.write(`${at % 40}/${at}.ts`, `export function f${at}() {}\n`.repeat(50))
      barrels[at % 40] += `export * from './${at}'\n`
    }
    for (const [at, text] of barrels.entries()) place.write(`${at}/index.ts`, text)
    place.write('index.ts', barrels.map((_, at) => `export * from './${at}'\n`).join(''))
    const index = place.open({ patienceMs: 60_000 })
    let longest = 0
    let before = processorMs()
    // What this thread works between two turns; on a busy machine time says nothing.
    const timer = setInterval(() => {
      longest = Math.max(longest, processorMs() - before)
      before = processorMs()
    }, 1)
    expect((await index.query({ query: { by: 'export', value: 'f7' }, limit: 1 })).total).toBe(3)
    clearInterval(timer)
    expect(longest).toBeLessThan(100)
  })
})

describe('what is kept of the index', () => {
  it('is used again for files that did not change, and found anew for those that did', async () => {
    await using place = indexed({ 'a.ts': 'export const one = 1\n', 'b.ts': 'export const two = 2\n' })
    const { repoHash } = await place.open().query({ query: { by: 'all' }, limit: 1 })
    await place.close()
    const again = await place.open().query({ query: { by: 'all' }, limit: 9 })
    expect(again).toMatchObject({ repoHash, current: true, total: 2 })
    expect(again.files.map(({ exports }) => exports)).toEqual([['one'], ['two']])
    await place.close()
    place.write('a.ts', 'export const six = 6\n')
    expect(await paths(place.open(), 'export', 'six')).toEqual(['a.ts'])
  })

  it.each([
    ['module', 'pkg/copy.py', 'pkg/__init__.py', 'from .shapes import Shape\n', [[], ['Shape']]],
    ['declaration file', 'a.ts', 'a.d.ts', 'import "./b"\ninterface A {}\n', [[], ['A']]],
    [
      'component',
      'One.vue',
      'Two.vue',
      '<template><p/></template>\n',
      [
        ['default', 'One'],
        ['default', 'Two'],
      ],
    ],
    ['stories', 'a.js', 'a.stories.js', 'export default { title: "A" }\n', [['javascript'], ['javascript', 'story']]],
  ] as const)(
    'tells files of one content apart where the name says what it is: %s',
    async (kind, one, other, text, says) => {
      for (const [first, second] of [
        [one, other],
        [other, one],
      ] as const) {
        await using place = indexed({ [first]: text })
        // What was written a moment ago is not kept.
        await pause(100)
        expect((await place.open().query({ query: { by: 'all' }, limit: 9 })).total).toBe(1)
        await place.close()
        place.write(second, text)
        const { files } = await place.open().query({ query: { by: 'all' }, limit: 9 })
        const said = new Map(files.map(({ path, exports, tags }) => [path, kind === 'stories' ? tags : exports]))
        expect([said.get(one), said.get(other)]).toEqual(says)
        await place.close()
      }
    },
  )

  it('is readable for this user alone, also where it was not', async () => {
    await using place = indexed({ 'a.ts': 'export const one = 1\n' })
    const file = join(place.cacheDirectory, 'facts.sqlite')
    for (let round = 0; round < 2; round++) {
      expect(await paths(place.open(), 'export', 'one')).toEqual(['a.ts'])
      for (const ending of ['', '-wal', '-shm']) expect(statSync(file + ending).mode & 0o777).toBe(0o600)
      await place.close()
      chmodSync(file, 0o644)
    }
  })

  it('is begun anew where something else has its name', async () => {
    await using place = indexed({ 'a.ts': 'export const one = 1\n' })
    writeFileSync(place.cacheDirectory, 'in the way')
    expect(await paths(place.open(), 'export', 'one')).toEqual(['a.ts'])
    await place.close()
    const file = join(place.cacheDirectory, 'facts.sqlite')
    expect(statSync(file).isFile()).toBe(true)
    rmSync(file)
    mkdirSync(join(file, 'deep'), { recursive: true })
    expect(await paths(place.open(), 'export', 'one')).toEqual(['a.ts'])
    await place.close()
    expect(statSync(file).isFile()).toBe(true)
  })

  it('is begun anew where it is damaged, and rows that were changed are not believed', async () => {
    await using place = indexed({ 'a.ts': 'export const one = 1\n' })
    const file = join(place.cacheDirectory, 'facts.sqlite')
    utimesSync(join(place.directory, 'a.ts'), 1, 1)
    // What was written a moment ago is not kept.
    await pause(100)
    expect(await paths(place.open(), 'export', 'one')).toEqual(['a.ts'])
    await place.close()
    const database = new DatabaseSync(file)
    const changed = database.prepare('UPDATE facts SET data = replace(data, \'"one"\', \'"lie"\')').run()
    database.close()
    expect(changed.changes).toBe(1)
    const index = place.open()
    expect(await paths(index, 'export', 'one')).toEqual(['a.ts'])
    expect(await paths(index, 'export', 'lie')).toEqual([])
    await place.close()
    writeFileSync(file, 'not a database, but long enough to be taken for the beginning of one'.repeat(100))
    expect(await paths(place.open(), 'export', 'one')).toEqual(['a.ts'])
  })
})
