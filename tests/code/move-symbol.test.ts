// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { compiled } from './compiled.ts'
import { configuration } from './configuration.ts'

const it = needs('bubblewrap')

const STRICTER = { noUnusedLocals: true, verbatimModuleSyntax: true }
const CONFIGURATION = configuration(STRICTER)

const PROJECT: Readonly<Record<string, string>> = {
  'tsconfig.json': CONFIGURATION,
  'src/lib/text.ts': `import { wide } from './wide'
import type { Options, Other } from './options'
import * as names from './names'

/** Kept. */
export function kept(other: Other): number {
  return names.length(other.a) + cut('x', { max: 1 }).length
}

const LIMIT = 10

// Cuts a text.
// On two lines.
export function cut(text: string, options: Options): string
export function cut(text: string): string
export function cut(text: string, options?: Options): string {
  return wide(text).slice(0, options?.max ?? names.length('abc'))
}

export const last = LIMIT
`,
  'src/lib/wide.ts': 'export const wide = (text: string): string => ` ${text} `\n',
  'src/lib/names.ts': 'export const length = (text: string): number => text.length\n',
  'src/lib/options.ts': 'export interface Options { max: number }\nexport interface Other { a: string }\n',
  'src/index.ts': `export { cut, kept } from './lib/text'\nexport { last as end } from './lib/text'\n`,
  'src/one.ts': `import { cut } from './lib/text'\n\nexport const one = cut('one')\n`,
  'src/two.ts': `import { cut as shorten, last } from './lib/text'\nimport { wide } from './lib/wide'\n\nexport const two = shorten('two') + last + wide('')\n`,
  'src/three.ts': `import { cut } from './index'\n\nexport const three = cut('three')\n`,
  'src/strings/there.ts': `import { wide } from '../lib/wide'\nimport { cut } from '../lib/text'\n\nexport const there = wide(cut('there'))\n`,
}

describe('moving a symbol', () => {
  it('takes its comments, overloads and imports along, and everybody follows', async () => {
    await using workspace = temporaryWorkspace(PROJECT)
    const text = (path: string) => readFileSync(join(workspace.path, path), 'utf8')
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    expect(compiled(workspace.path)).toEqual([])
    const answer = await kit.call('refactor', {
      kind: 'move',
      effects: 'off',
      symbol: 'cut',
      path: 'src/lib/text.ts',
      to: 'src/strings/cut.ts',
    })
    expect(answer).toMatchObject({ ok: true, data: { symbol: 'cut', basis: 'typescript', warnings: [] } })
    expect(text('src/strings/cut.ts')).toBe(`import { wide } from '../lib/wide'
import type { Options } from '../lib/options'
import * as names from '../lib/names'

// Cuts a text.
// On two lines.
export function cut(text: string, options: Options): string
export function cut(text: string): string
export function cut(text: string, options?: Options): string {
  return wide(text).slice(0, options?.max ?? names.length('abc'))
}
`)
    expect(text('src/lib/text.ts')).toBe(`import type { Other } from './options'
import * as names from './names'
import { cut } from '../strings/cut'

/** Kept. */
export function kept(other: Other): number {
  return names.length(other.a) + cut('x', { max: 1 }).length
}

const LIMIT = 10

export const last = LIMIT
`)
    expect(text('src/index.ts')).toBe(
      `export { kept } from './lib/text'\nexport { last as end } from './lib/text'\nexport { cut } from './strings/cut'\n`,
    )
    expect(text('src/one.ts')).toBe(`import { cut } from './strings/cut'\n\nexport const one = cut('one')\n`)
    expect(text('src/two.ts')).toContain(
      `import { last } from './lib/text'\nimport { wide } from './lib/wide'\nimport { cut as shorten } from './strings/cut'\n`,
    )
    expect(text('src/three.ts')).toBe(PROJECT['src/three.ts'])
    expect(text('src/strings/there.ts')).toContain(`import { cut } from './cut'\n`)
    expect(compiled(workspace.path)).toEqual([])

    const undone = await kit.call('undo', { id: (answer as { meta: { undo: string } }).meta.undo })
    expect(undone).toMatchObject({ ok: true })
    for (const [path, content] of Object.entries(PROJECT)) expect(text(path)).toBe(content)
  })

  it('to a file that is there, exporting what it needs of the old one', async () => {
    await using workspace = temporaryWorkspace({
      'tsconfig.json': CONFIGURATION,
      'src/a.ts': `const LIMIT = 10\ninterface Shape { a: number }\n\nclass Box implements Shape {\n  a = LIMIT\n}\nexport { Box }\n`,
      'src/b.ts': `import { Box } from './a'\n\nexport const boxes: Box[] = []\n`,
      'src/c.ts': `import * as all from './a'\nexport * from './a'\n\nexport const c = new all.Box()\n`,
      'src/d.ts': `import { Box } from './c'\n\nexport const d = new Box()\n`,
    })
    const text = (path: string) => readFileSync(join(workspace.path, path), 'utf8')
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    expect(
      await kit.call('refactor', { kind: 'move', symbol: 'Box', path: 'src/a.ts', to: 'src/b.ts', effects: 'off' }),
    ).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining('LIMIT') },
    })
    expect(
      await kit.call('refactor', {
        kind: 'move',
        symbol: 'LIMIT',
        path: 'src/a.ts',
        to: 'src/limit.ts',
        effects: 'off',
      }),
    ).toMatchObject({ ok: true })
    expect(text('src/limit.ts')).toBe('export const LIMIT = 10\n')
    const answer = await kit.call('refactor', {
      kind: 'move',
      symbol: 'Box',
      path: 'src/a.ts',
      to: 'src/b.ts',
      effects: 'off',
    })
    expect(answer).toMatchObject({ ok: true, data: { warnings: [expect.stringContaining('re-exports')] } })
    expect(text('src/a.ts')).toBe(`export { Box } from './b'\n\nexport interface Shape { a: number }\n`)
    expect(text('src/b.ts')).toBe(
      `import { LIMIT } from './limit'\nimport type { Shape } from './a'\n\nexport const boxes: Box[] = []\n\nexport class Box implements Shape {\n  a = LIMIT\n}\n`,
    )
    expect(compiled(workspace.path)).toEqual([])
  })

  it('stays among what a module hands on as a whole, with the comments behind it', async () => {
    await using workspace = temporaryWorkspace({
      'tsconfig.json': CONFIGURATION,
      'src/two.ts': `export const two = 2
export function three() { return 3 } // tail of three
/* block
   comment */ export function four() { return 4 } /* end of four */ // and more
export const five = 5 // tail of five
export const six = 6
`,
      'src/index.ts': `export * from './two'\n`,
    })
    const text = (path: string) => readFileSync(join(workspace.path, path), 'utf8')
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const move = (symbol: string, to: string) =>
      kit.call('refactor', { kind: 'move', symbol, path: 'src/two.ts', to, effects: 'off' })
    expect(await move('three', 'src/three.ts')).toMatchObject({
      ok: true,
      data: { warnings: [expect.stringContaining('re-exports')] },
    })
    expect(text('src/three.ts')).toBe('export function three() { return 3 } // tail of three\n')
    expect(await move('four', 'src/three.ts')).toMatchObject({ ok: true })
    expect(await move('five', 'src/three.ts')).toMatchObject({ ok: true })
    expect(text('src/two.ts')).toBe(`export { three, four, five } from './three'

export const two = 2
export const six = 6
`)
    expect(text('src/three.ts')).toBe(`export function three() { return 3 } // tail of three

/* block
   comment */ export function four() { return 4 } /* end of four */ // and more

export const five = 5 // tail of five
`)
    expect(compiled(workspace.path)).toEqual([])
  })

  it('that uses what several declarations make up imports each of them once', async () => {
    const files = {
      'tsconfig.json': CONFIGURATION,
      'src/a.ts': `export function ov(a: string): string
export function ov(a: number): number
export function ov(a: unknown): unknown { return a }
const Foo = { a: 1 }
type Foo = typeof Foo
interface Merged { a: number }
interface Merged { b: number }
class Held { c = 1 }
namespace Held { export const d = 2 }

export function moved(x: Foo, y: Merged): unknown {
  return [ov(x.a), Foo, y.b, new Held(), Held.d]
}
`,
    }
    await using workspace = temporaryWorkspace(files)
    const text = (path: string) => readFileSync(join(workspace.path, path), 'utf8')
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const move = { kind: 'move', symbol: 'moved', path: 'src/a.ts', to: 'src/b.ts', effects: 'off' }
    expect(await kit.call('refactor', move)).toMatchObject({ ok: true })
    expect(text('src/b.ts')).toMatch(
      /^import type \{ Merged \} from '\.\/a'\nimport \{ ov, Foo, Held \} from '\.\/a'\n\nexport function moved/,
    )
    expect(compiled(workspace.path)).toEqual([])
  })

  it('takes what is said of it along, leaves what is said of the file where it is, and puts imports below that', async () => {
    const files = {
      'tsconfig.json': CONFIGURATION,
      'src/a.ts': `/**\n * @license MIT\n */\n// Says a.\nexport const a = () => 1\n\nexport const last = a\n`,
      'src/b.ts': `// Copyright Somebody\n\n// @ts-nocheck\nexport const first = (): number => later\n\nexport const later = 'x'\n`,
      'src/c.ts': `/** Says c. */\nexport function c() { return d }\n\nexport const d = 1\n`,
      'src/e.ts': `/** @module About the file. */\n/** Says e. */\nexport function e() {}\n\nexport const f = 1\n`,
    }
    await using workspace = temporaryWorkspace(files)
    const text = (path: string) => readFileSync(join(workspace.path, path), 'utf8')
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const move = { kind: 'move', effects: 'off' }
    expect(await kit.call('refactor', { ...move, symbol: 'a', path: 'src/a.ts', to: 'src/x.ts' })).toMatchObject({
      ok: true,
    })
    expect(text('src/x.ts')).toBe('// Says a.\nexport const a = () => 1\n')
    expect(text('src/a.ts')).toBe(`/**\n * @license MIT\n */\nimport { a } from './x'\n\nexport const last = a\n`)
    expect(await kit.call('refactor', { ...move, symbol: 'later', path: 'src/b.ts', to: 'src/y.ts' })).toMatchObject({
      ok: true,
    })
    expect(text('src/b.ts')).toMatch(/^\/\/ Copyright Somebody\n\n\/\/ @ts-nocheck\nimport /)
    expect(await kit.call('refactor', { ...move, symbol: 'd', path: 'src/c.ts', to: 'src/d.ts' })).toMatchObject({
      ok: true,
    })
    expect(text('src/c.ts')).toBe(`import { d } from './d'\n\n/** Says c. */\nexport function c() { return d }\n`)
    for (const [symbol, path] of Object.entries({ c: 'src/c.ts', e: 'src/e.ts' }))
      expect(await kit.call('refactor', { ...move, symbol, path, to: 'src/z.ts' })).toMatchObject({ ok: true })
    expect(text('src/z.ts')).toBe(
      `import { d } from './d'\n\n/** Says c. */\nexport function c() { return d }\n\n/** Says e. */\nexport function e() {}\n`,
    )
    expect(text('src/e.ts')).toBe('/** @module About the file. */\n\nexport const f = 1\n')
  })

  it('to a new directory, in the manner in which the project writes its imports', async () => {
    const files = {
      'tsconfig.json': configuration({ ...STRICTER, module: 'nodenext', moduleResolution: undefined }),
      'package.json': '{ "type": "module" }',
      'src/a.ts': 'export const one = 1;\r\n\r\nexport type Kind = "a";\r\n\r\nexport const two: Kind = "a";\r\n',
      'src/b.ts': 'import { one, type Kind } from "./a.js";\n\nexport const b: Kind | number = one;\n',
    }
    await using workspace = temporaryWorkspace(files)
    const text = (path: string) => readFileSync(join(workspace.path, path), 'utf8')
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const move = { kind: 'move', symbol: 'Kind', path: 'src/a.ts', to: 'src/kinds/kind.ts', effects: 'off' }
    expect(await kit.call('refactor', move)).toMatchObject({ ok: true })
    expect(text('src/kinds/kind.ts')).toBe('export type Kind = "a";\r\n')
    expect(text('src/a.ts')).toBe(
      'import type { Kind } from "./kinds/kind.js";\r\n\r\nexport const one = 1;\r\n\r\nexport const two: Kind = "a";\r\n',
    )
    expect(text('src/b.ts')).toBe(
      'import { one } from "./a.js";\nimport { type Kind } from "./kinds/kind.js";\n\nexport const b: Kind | number = one;\n',
    )
    expect(compiled(workspace.path)).toEqual([])
  })
})

describe('what cannot be moved exactly', () => {
  it('is refused with the reason, and nothing changes', async () => {
    const files = {
      'tsconfig.json': CONFIGURATION,
      'src/a.ts': `import { sep } from './sep'
export default function main() { return sep }
export let count = 0
export const one = 1, two = 2
export interface Merged { a: number }
export interface Merged { b: number }
function local() { return 1 }
export { local as outer }
export class Box { m() { return count } }
export const here = () => import.meta
export const free = () => sep
export const sepUser = () => free() + helper()
function helper() { return sepUser }
`,
      'src/sep.ts': 'export const sep = 1\n',
      'src/b.ts': "import { sep } from 'other'\nexport const taken = sep\n",
      'src/c.ts': 'export const free = 2\n',
      'm.py': 'def f():\n    return 1\n',
    }
    await using workspace = temporaryWorkspace(files)
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const refused = async (symbol: string, to: string, code: string, why: RegExp, path = 'src/a.ts') => {
      const answer = await kit.call('refactor', { kind: 'move', symbol, path, to, effects: 'off' })
      expect(answer).toMatchObject({ ok: false, error: { code, message: expect.stringMatching(why) } })
    }
    await refused('main', 'src/x.ts', 'invalid_input', /default export/)
    await refused('count', 'src/x.ts', 'invalid_input', /can be assigned/)
    await refused('one', 'src/x.ts', 'invalid_input', /together with others/)
    await refused('Merged', 'src/x.ts', 'ambiguous', /2 symbols/)
    await refused('local', 'src/x.ts', 'invalid_input', /exported as 'outer'/)
    await refused('Box.m', 'src/x.ts', 'invalid_input', /stands in something else/)
    await refused('here', 'src/x.ts', 'invalid_input', /where its file is/)
    await refused('free', 'src/b.ts', 'conflict', /'sep' is taken in src\/b\.ts/)
    await refused('free', 'src/c.ts', 'conflict', /'free' is taken in src\/c\.ts/)
    await refused(
      'sepUser',
      'src/x.ts',
      'conflict',
      /uses free, helper of src\/a\.ts, which would need src\/x\.ts in turn/,
    )
    await refused('free', 'src/a.ts', 'invalid_input', /already/)
    await refused('free', 'src/x.js', 'invalid_input', /JavaScript/)
    await refused('f', 'n.py', 'unavailable', /TypeScript and JavaScript only/, 'm.py')
    for (const [path, content] of Object.entries(files))
      expect(readFileSync(join(workspace.path, path), 'utf8')).toBe(content)
  })
})

describe('moving a value', () => {
  it('is refused where its file changes later what it is computed from', async () => {
    const text = `let n = 0
const list: number[] = []
const fixed = [1]
export const snap = 'x' + n
export const size = list.length
export const next = bump()
export const first = fixed[0]
export const read = () => n + list.length
function bump() { return n + 1 }
n = 5
list.push(1)
`
    await using workspace = temporaryWorkspace({ 'tsconfig.json': CONFIGURATION, 'src/a.ts': text })
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const move = (symbol: string) =>
      kit.call('refactor', { kind: 'move', symbol, path: 'src/a.ts', to: 'src/b.ts', effects: 'off' })
    for (const [symbol, by] of [
      ['snap', 'n'],
      ['size', 'list'],
      ['next', 'n'],
    ] as const) {
      const message = `'${symbol}' cannot be moved: its value is computed from '${by}', which its file changes`
      expect(await move(symbol)).toMatchObject({ ok: false, error: { code: 'invalid_input', message } })
    }
    expect(readFileSync(join(workspace.path, 'src/a.ts'), 'utf8')).toBe(text)
    expect(await move('read')).toMatchObject({ ok: true })
    expect(await move('first')).toMatchObject({ ok: true })
  })
})

describe('moving a file', () => {
  it('changes its imports and those of it, and is undone by one id', async () => {
    const files = {
      'tsconfig.json': CONFIGURATION,
      'src/a.ts': "import { b } from './lib/b'\r\nexport const a = b\r\n",
      'src/lib/b.ts': 'export const b = 1\n',
      'src/c.ts': "\ufeffexport { a } from './a'\nexport const later = () => import('./a')\n",
    }
    await using workspace = temporaryWorkspace(files)
    const text = (path: string) => readFileSync(join(workspace.path, path), 'utf8')
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const answer = await kit.call('refactor', { kind: 'move', path: 'src/a.ts', to: 'src/deep/own.ts', effects: 'off' })
    expect(answer).toMatchObject({ ok: true, data: { symbol: 'src/a.ts' } })
    expect(text('src/deep/own.ts')).toBe("import { b } from '../lib/b'\r\nexport const a = b\r\n")
    expect(text('src/c.ts')).toBe(
      "\ufeffexport { a } from './deep/own'\nexport const later = () => import('./deep/own')\n",
    )
    expect(compiled(workspace.path)).toEqual([])
    const again = await kit.call('refactor', { kind: 'move', path: 'src/deep/own.ts', to: 'src/c.ts' })
    expect(again).toMatchObject({ ok: false, error: { code: 'exists' } })
    const { meta } = answer as { meta: { undo: string } }
    expect(await kit.call('undo', { id: meta.undo })).toMatchObject({ ok: true })
    for (const [path, content] of Object.entries(files)) expect(text(path)).toBe(content)
  })

  it('changes its name in calls that replace modules in tests, its own and those of others', async () => {
    await using workspace = temporaryWorkspace({
      'tsconfig.json': CONFIGURATION,
      'src/two.ts': 'export const two = 2\n',
      'src/other.ts': 'export const other = 2\n',
      'src/two.test.ts': `import { two } from './two'
declare const vi: { mock(path: unknown, by?: unknown): void; importActual<T>(path: string): T }
vi.mock('./two', () => vi.importActual<typeof import('./two')>('./two'))
vi.mock(import('./two'))
vi.mock('./other')
export const text = ['./two', two]
`,
      'src/plain.js': `const { two } = require('./two.js')\njest.mock('./two.js')\nmodule.exports = two\n`,
    })
    const text = (path: string) => readFileSync(join(workspace.path, path), 'utf8')
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const move = (path: string, to: string, more = {}) =>
      kit.call('refactor', { kind: 'move', path, to, effects: 'off', ...more })
    expect(await move('src/two.ts', 'src/lib/three.ts')).toMatchObject({
      ok: false,
      error: { code: 'conflict', details: { undecided: [{ path: 'src/two.test.ts', line: 6, kind: 'path' }] } },
    })
    const leave = ['file:src/two.test.ts']
    expect(await move('src/two.ts', 'src/lib/three.ts', { leave })).toMatchObject({
      ok: true,
      data: { occurrences: { undecided: 1 } },
    })
    expect(text('src/two.test.ts')).toBe(`import { two } from './lib/three'
declare const vi: { mock(path: unknown, by?: unknown): void; importActual<T>(path: string): T }
vi.mock('./lib/three', () => vi.importActual<typeof import('./lib/three')>('./lib/three'))
vi.mock(import('./lib/three'))
vi.mock('./other')
export const text = ['./two', two]
`)
    expect(text('src/plain.js')).toBe(
      `const { two } = require('./lib/three.js')\njest.mock('./lib/three.js')\nmodule.exports = two\n`,
    )
    expect(await move('src/two.test.ts', 'tests/two.test.ts')).toMatchObject({ ok: true })
    expect(text('tests/two.test.ts')).toContain(`vi.mock('../src/other')`)
    expect(text('tests/two.test.ts')).toContain(`vi.mock('../src/lib/three', () =>`)
  })
})
