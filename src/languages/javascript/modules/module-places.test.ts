import { describe, expect, it } from 'vitest'
import { modulePlaces } from './module-places.ts'
import { moduleSettings } from './module-settings.ts'
import { settingsIn } from './settings-source.ts'

type Json = Readonly<Record<string, unknown>>

/** The file that a specifier means, among these files, with these settings. */
function found(settings: Readonly<Record<string, Json | string>>, files: readonly string[]) {
  const said = Object.entries(settings).flatMap(([path, data]) => {
    const read = moduleSettings(path, typeof data === 'string' ? data : JSON.stringify(data))
    return read ? [[path, read] as const] : []
  })
  const places = modulePlaces(settingsIn(new Map(said)))
  return (from: string, specifier: string) => [...places(from, specifier).files].find(path => files.includes(path))
}

describe('packages of the workspace by name', () => {
  it.each<readonly [what: string, manifest: Json, specifier: string, file: string]>([
    ['src/index where nothing is said', {}, '@s/p', 'src/index.ts'],
    ['main, built from src', { main: 'dist/index.js' }, '@s/p', 'src/index.ts'],
    ['main as it is', { main: './lib.js' }, '@s/p', 'lib.js'],
    ['types', { types: './types.d.ts', main: './lib.js' }, '@s/p', 'types.d.ts'],
    ['source before all', { source: 'src/main.ts', types: './types.d.ts' }, '@s/p', 'src/main.ts'],
    ['exports as a string', { exports: './src/main.ts' }, '@s/p', 'src/main.ts'],
    ['exports by conditions alone', { exports: { import: './lib.js', default: './no.js' } }, '@s/p', 'lib.js'],
    [
      'the source among conditions',
      { exports: { '.': { import: './lib.js', source: './src/main.ts' } } },
      '@s/p',
      'src/main.ts',
    ],
    ['conditions in conditions', { exports: { '.': { node: { import: { default: './lib.js' } } } } }, '@s/p', 'lib.js'],
    ['alternatives', { exports: { '.': ['./none.js', './lib.js'] } }, '@s/p', 'lib.js'],
    ['exports before main', { main: './lib.js', exports: { '.': './src/main.ts' } }, '@s/p', 'src/main.ts'],
    ['a subpath', { exports: { './util': './dist/esm/util.js' } }, '@s/p/util', 'src/util.ts'],
    ['a pattern', { exports: { './f/*': './src/features/*.ts' } }, '@s/p/f/a/b', 'src/features/a/b.ts'],
    [
      'the longest pattern',
      { exports: { './*': './src/*.ts', './f/*': './src/features/*.ts' } },
      '@s/p/f/x',
      'src/features/x.ts',
    ],
    ['a folder, as it was written once', { exports: { './f/': './src/features/' } }, '@s/p/f/x', 'src/features/x.ts'],
    ['a path below the package', {}, '@s/p/src/features/x', 'src/features/x.ts'],
    ['a path below its sources', {}, '@s/p/util', 'src/util.ts'],
  ])('%s', (_what, manifest, specifier, file) => {
    const files = [
      'src/index.ts',
      'src/main.ts',
      'src/util.ts',
      'src/features/x.ts',
      'src/features/a/b.ts',
      'lib.js',
      'types.d.ts',
    ].map(path => `packages/p/${path}`)
    const find = found({ 'packages/p/package.json': { name: '@s/p', ...manifest } }, files)
    expect(find('apps/web/a.ts', specifier)).toBe(`packages/p/${file}`)
  })

  it('gives nothing for what is closed, not there, installed, an address or of the platform', () => {
    const find = found(
      {
        'p/package.json': { name: 'p', exports: { '.': './a.js', './in/*': null } },
        'node_modules/react/package.json': { name: 'react', main: 'index.js' },
        'broken/package.json': '{ "name": ',
      },
      ['p/a.ts', 'p/in/x.ts', 'node_modules/react/index.js'],
    )
    expect(find('b.ts', 'p')).toBe('p/a.ts')
    for (const each of ['p/in/x', 'p/none', 'react', 'fs', 'node:fs', 'https://x.y/p', '/p/a.ts', 'pp', ''])
      expect(find('b.ts', each)).toBeUndefined()
  })

  it('takes the nearest of several of one name', () => {
    const find = found({ 'packages/p/package.json': { name: 'p' }, 'tests/made/p/package.json': { name: 'p' } }, [
      'packages/p/index.ts',
      'tests/made/p/index.ts',
    ])
    expect(find('packages/q/a.ts', 'p')).toBe('packages/p/index.ts')
    expect(find('tests/made/q/a.ts', 'p')).toBe('tests/made/p/index.ts')
  })

  it('a script means scripts first', () => {
    const find = found({ 'p/package.json': { name: 'p', main: 'lib' } }, ['p/lib.js', 'p/lib.d.ts'])
    expect(find('a.js', 'p')).toBe('p/lib.js')
    expect(find('a.ts', 'p')).toBe('p/lib.d.ts')
  })
})

describe('imports of a package.json', () => {
  it('are for the files of that package alone', () => {
    const find = found(
      {
        'package.json': { imports: { '#top': './top.js' } },
        'p/package.json': {
          name: 'p',
          imports: { '#a': './src/a.js', '#x/*': { default: './src/x/*.js' }, '#q': 'q/deep' },
        },
        'q/package.json': { name: 'q' },
      },
      ['top.ts', 'p/src/a.ts', 'p/src/x/y.ts', 'q/deep.ts'],
    )
    expect(find('p/src/deep/b.ts', '#a')).toBe('p/src/a.ts')
    expect(find('p/b.ts', '#x/y')).toBe('p/src/x/y.ts')
    expect(find('p/b.ts', '#q')).toBe('q/deep.ts')
    expect(find('p/b.ts', '#top')).toBeUndefined()
    expect(find('q/b.ts', '#a')).toBeUndefined()
    expect(find('b.ts', '#top')).toBe('top.ts')
  })
})

describe('paths and baseUrl of a compiler', () => {
  const FILES = ['src/a.ts', 'src/lib/b/index.ts', 'app/src/a.ts', 'shared/x.ts', 'tools/cfg/near.ts']

  it.each<
    readonly [
      what: string,
      settings: Readonly<Record<string, Json | string>>,
      from: string,
      specifier: string,
      file: string,
    ]
  >([
    [
      'a pattern',
      { 'tsconfig.json': { compilerOptions: { paths: { '@/*': ['./src/*'] } } } },
      'x.ts',
      '@/a',
      'src/a.ts',
    ],
    [
      'a whole name',
      { 'tsconfig.json': { compilerOptions: { paths: { b: ['src/lib/b'] } } } },
      'x.ts',
      'b',
      'src/lib/b/index.ts',
    ],
    [
      'the next target',
      { 'tsconfig.json': { compilerOptions: { paths: { '@/*': ['./no/*', './src/*'] } } } },
      'x.ts',
      '@/a',
      'src/a.ts',
    ],
    [
      'below baseUrl',
      { 'tsconfig.json': { compilerOptions: { baseUrl: './src', paths: { '@/*': ['lib/*'] } } } },
      'x.ts',
      '@/b',
      'src/lib/b/index.ts',
    ],
    [
      'baseUrl alone',
      { 'tsconfig.json': { compilerOptions: { baseUrl: 'src' } } },
      'src/x.ts',
      'lib/b',
      'src/lib/b/index.ts',
    ],
    [
      'comments and commas',
      { 'tsconfig.json': '{ /* a */ "compilerOptions": { "paths": { "@/*": ["./src/*",], }, }, } // b' },
      'x.ts',
      '@/a',
      'src/a.ts',
    ],
    [
      'jsconfig.json',
      { 'jsconfig.json': { compilerOptions: { paths: { '@/*': ['./src/*'] } } } },
      'x.js',
      '@/a',
      'src/a.ts',
    ],
    [
      'out of its folder',
      { 'app/tsconfig.json': { compilerOptions: { paths: { '~/*': ['../shared/*'] } } } },
      'app/x.ts',
      '~/x',
      'shared/x.ts',
    ],
    [
      'the nearest first',
      {
        'tsconfig.json': { compilerOptions: { paths: { '@/*': ['./src/*'] } } },
        'app/tsconfig.json': { compilerOptions: { paths: { '@/*': ['./src/*'] } } },
      },
      'app/x.ts',
      '@/a',
      'app/src/a.ts',
    ],
    [
      'extends, from where it is written',
      {
        'tsconfig.base.json': { compilerOptions: { paths: { '@/*': ['./src/*'] } } },
        'app/tsconfig.json': { extends: '../tsconfig.base' },
      },
      'app/x.ts',
      '@/a',
      'src/a.ts',
    ],
    [
      'extends over two files',
      {
        'tsconfig.base.json': { compilerOptions: { baseUrl: '.' } },
        'tsconfig.more.json': { extends: './tsconfig.base.json', compilerOptions: { paths: { '@/*': ['src/*'] } } },
        'app/tsconfig.json': { extends: ['../tsconfig.more.json'] },
      },
      'app/x.ts',
      '@/a',
      'src/a.ts',
    ],
    [
      'the last of several',
      {
        'tsconfig.one.json': { compilerOptions: { paths: { '@/*': ['./shared/*'] } } },
        'tsconfig.two.json': { compilerOptions: { paths: { '@/*': ['./src/*'] } } },
        'tsconfig.json': { extends: ['./tsconfig.one.json', './tsconfig.two.json'] },
      },
      'x.ts',
      '@/a',
      'src/a.ts',
    ],
    [
      'a package of the workspace',
      {
        'tools/cfg/package.json': { name: '@s/cfg' },
        'tools/cfg/tsconfig.json': { compilerOptions: { paths: { near: ['./near.ts'] } } },
        'app/tsconfig.json': { extends: '@s/cfg/tsconfig.json' },
      },
      'app/x.ts',
      'near',
      'tools/cfg/near.ts',
    ],
    [
      'the folder that is in force',
      {
        'tsconfig.base.json': { compilerOptions: { paths: { '@/*': ['${configDir}/src/*'] } } },
        'app/tsconfig.json': { extends: '../tsconfig.base.json' },
      },
      'app/x.ts',
      '@/a',
      'app/src/a.ts',
    ],
    [
      'one that lists others',
      {
        'app/tsconfig.json': { files: [], references: [{ path: './tsconfig.app.json' }] },
        'app/tsconfig.app.json': { compilerOptions: { paths: { '@/*': ['./src/*'] } } },
      },
      'app/x.ts',
      '@/a',
      'app/src/a.ts',
    ],
  ])('%s', (_what, settings, from, specifier, file) => {
    expect(found(settings, FILES)(from, specifier)).toBe(file)
  })

  it('ends where settings extend each other, lead out or say nothing of use', () => {
    const find = found(
      {
        'tsconfig.json': {
          extends: './tsconfig.other.json',
          compilerOptions: { paths: { '@/*': ['../../out/*', 5], n: 1 } },
        },
        'tsconfig.other.json': { extends: './tsconfig.json', compilerOptions: 'none', references: [null, {}] },
      },
      FILES,
    )
    for (const each of ['@/a', 'n', 'other']) expect(find('src/x.ts', each)).toBeUndefined()
  })
})
