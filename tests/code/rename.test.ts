// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { Card } from '../../src/runtime/questions.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import type { Toolkit } from '../../src/toolkit.ts'
import { needs } from '../needs.ts'
import { compiled } from './compiled.ts'
import { configuration } from './configuration.ts'
import { openedCode } from './opened-code.ts'

const it = needs('bubblewrap')

const CONFIGURATION = configuration()

type Files = Readonly<Record<string, string | Buffer>>

const bytesOf = (content: string | Buffer): Buffer => (typeof content === 'string' ? Buffer.from(content) : content)
const withMark = (text: string): Buffer => Buffer.from(`\ufeff${text}`)

/** Every file with the bytes that it had. */
function expectAsBefore(root: string, files: Files): void {
  for (const [path, content] of Object.entries(files))
    expect([path, readFileSync(join(root, path)).toString('latin1')]).toEqual([
      path,
      bytesOf(content).toString('latin1'),
    ])
}

/** A function in one file and eighteen that use it, among them such with other line ends, marks and encodings. */
function users(): Files {
  const files: Record<string, string | Buffer> = {
    'tsconfig.json': CONFIGURATION,
    'src/price.ts':
      '/** Größe. */\r\nexport function price(a: number): number {\r\n  return a > 1 ? price(a - 1) : a\r\n}\r\n',
    'src/index.ts': withMark("export { price } from './price'\r\nexport * as prices from './price'\r\n"),
  }
  for (let at = 0; at < 18; at++) {
    const eol = at % 2 === 0 ? '\r\n' : '\n'
    const lines = [
      `import { price } from '${at % 3 === 0 ? './index' : './price'}'`,
      `export const own${at} = { price, name: 'ü' }`,
      `export const sum${at} = /* ✓ */ price(${at}) + [1].map(price).length`,
    ]
    const text = lines.join(eol) + (at % 5 === 0 ? '' : eol)
    files[`src/user${at}.ts`] =
      at % 4 === 0 ? withMark(text) : at === 7 ? Buffer.from(`\ufeff${text}`, 'utf16le') : text
  }
  return files
}

describe('renaming a symbol', () => {
  it('over 20 files is one commit, compiles, and is undone by one id, byte for byte', async () => {
    const files = users()
    await using workspace = temporaryWorkspace(files)
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const answer = await kit.call('refactor', {
      kind: 'rename',
      effects: 'off',
      symbol: 'price',
      path: 'src/price.ts',
      to: 'cost',
    })
    expect(answer).toMatchObject({
      ok: true,
      data: { symbol: 'price', path: 'src/price.ts', line: 2, basis: 'typescript' },
    })
    const { meta } = answer as { meta: { changed: string[]; undo: string } }
    expect(meta.changed).toHaveLength(20)
    expect(readFileSync(join(workspace.path, 'src/user1.ts'), 'utf8')).toBe(
      "import { cost } from './price'\nexport const own1 = { price: cost, name: 'ü' }\nexport const sum1 = /* ✓ */ cost(1) + [1].map(cost).length\n",
    )
    expect(readFileSync(join(workspace.path, 'src/index.ts'))).toEqual(
      withMark("export { cost } from './price'\r\nexport * as prices from './price'\r\n"),
    )
    expect(readFileSync(join(workspace.path, 'src/user7.ts')).toString('utf16le')).toContain('\ufeffimport { cost }')
    expect(compiled(workspace.path)).toEqual([])
    expect(await kit.call('undo', { id: meta.undo })).toMatchObject({ ok: true })
    expectAsBefore(workspace.path, files)
  })

  it('follows components, overloads, defaults, namespaces, types, overrides and re-exports, and keeps public properties', async () => {
    const files = {
      'tsconfig.json': CONFIGURATION,
      'src/row.tsx': `declare global { namespace JSX { interface IntrinsicElements { [name: string]: unknown } } }
export default function Row(p: { x: number }) { return null }
export const two = () => <Row x={1}></Row>
`,
      'src/page.tsx': `import Row, { two } from './row'\nexport const Page = () => <Row x={2} />\nexport { Row as Line, two }\n`,
      'src/shape.ts': `export interface Shape { area(): number }
export class Base implements Shape { area() { return 1 } }
export class Square extends Base { override area() { return super.area() + 1 } }
export function make(a: string): Base
export function make(a: number): Base
export function make(a: unknown): Base { return a === 1 ? make('again') : new Square() }
const hidden = 1
export const table = { hidden, make }
export function f({ hidden }: { hidden: number }) { return hidden }
`,
      'src/all.ts': `export * from './shape'\nexport { make as build } from './shape'\nexport type { Shape as Form } from './shape'\n`,
      'src/use.ts': `import * as all from './all'
import { make as m, type Shape, table } from './all'
import type { Form } from './all'
export const a: Form & Shape = all.make(1)
export const b = m(2).area() + all.build('x').area() + table.hidden
export const c: typeof all.make = all.make
vi('make', './make')
function vi(..._: string[]) {}
`,
    }
    await using workspace = temporaryWorkspace(files)
    const text = (path: string) => readFileSync(join(workspace.path, path), 'utf8')
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const rename = (symbol: string, to: string, more: object = {}) =>
      kit.call('refactor', { kind: 'rename', effects: 'off', symbol, to, ...more })
    expect(await rename('Row', 'Box', { path: 'src/row.tsx' })).toMatchObject({ ok: true })
    expect(text('src/page.tsx')).toBe(
      `import Box, { two } from './row'\nexport const Page = () => <Box x={2} />\nexport { Box as Line, two }\n`,
    )
    expect(text('src/row.tsx')).toContain('<Box x={1}></Box>')
    const refused = await rename('make', 'create', { path: 'src/shape.ts' })
    // The namespace is held as a whole, so that a text may be looked up in it; the name of a file is none of it.
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'conflict', details: { total: 1, undecided: [{ path: 'src/use.ts', line: 7, kind: 'string' }] } },
    })
    const { details } = (refused as { error: { details: { undecided: { id: string }[] } } }).error
    const leave = details.undecided.map(({ id }) => id)
    expect(await rename('make', 'create', { path: 'src/shape.ts', leave })).toMatchObject({
      ok: true,
      data: { warnings: [], occurrences: { undecided: 1, mentions: 1 } },
    })
    expect(text('src/all.ts')).toContain('export { create as build }')
    expect(text('src/use.ts')).toContain('import { create as m, type Shape, table }')
    expect(text('src/use.ts')).toContain('typeof all.create = all.create')
    expect(text('src/shape.ts').match(/function create\(/g)).toHaveLength(3)
    expect(text('src/shape.ts')).toContain('{ hidden, make: create }')
    expect(await rename('Base.area', 'size')).toMatchObject({ ok: true })
    expect(text('src/shape.ts')).toContain('override size() { return super.size() + 1 }')
    expect(text('src/shape.ts')).toContain('interface Shape { size(): number }')
    expect(await rename('Shape', 'Figure', { path: 'src/shape.ts' })).toMatchObject({ ok: true })
    expect(text('src/use.ts')).toContain('type Figure, table')
    expect(await rename('hidden', 'seen', { path: 'src/shape.ts', line: 7 })).toMatchObject({ ok: true })
    expect(text('src/shape.ts')).toContain('const seen = 1\nexport const table = { hidden: seen, make: create }')
    expect(await rename('hidden', 'open', { path: 'src/shape.ts', line: 9 })).toMatchObject({ ok: true })
    expect(compiled(workspace.path)).toEqual([])
  })

  it('to a fresh name and back leaves every byte as it was', async () => {
    const name = fc.constantFrom('load', 'Store', 'store$', '_x', 'über')
    const use = fc.constantFrom(
      (n: string) => `export const a${n.length} = ${n}`,
      (n: string) => `export const b = { ${n}, c: ${n} }`,
      (n: string) => `export const { ${n}: own, x = ${n} } = { ${n}, x: ${n} }`,
      (n: string) => `export function g(p = ${n}) { return [p, ${n}] }`,
      (n: string) => `export { ${n} }`,
      (n: string) => `export { ${n} as again }`,
      (n: string) => `export type T = typeof ${n}`,
      (n: string) => `export default ${n}`,
      (n: string) => `// ${n} and '${n}'`,
    )
    const shape = fc.record({
      name,
      uses: fc.array(fc.uniqueArray(use, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 }),
      eol: fc.constantFrom('\n', '\r\n'),
      mark: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(shape, async ({ name: old, uses, eol, mark }) => {
        const file = (lines: readonly string[]) => bytesOf((mark ? '\ufeff' : '') + lines.join(eol) + eol)
        const files: Files = {
          'tsconfig.json': CONFIGURATION,
          'src/own.ts': file([`export const ${old} = (n: number): number => n`]),
          ...Object.fromEntries(
            uses.map((each, at) => [
              `src/use${at}.ts`,
              file([`import { ${old} } from './own'`, ...each.map(one => one(old))]),
            ]),
          ),
        }
        await using workspace = temporaryWorkspace(files)
        const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
        expect(
          await kit.call('refactor', { kind: 'rename', effects: 'off', symbol: old, path: 'src/own.ts', to: 'fresh' }),
        ).toMatchObject({ ok: true })
        expect(readFileSync(join(workspace.path, 'src/own.ts'), 'utf8')).toContain('fresh = ')
        expect(
          await kit.call('refactor', { kind: 'rename', effects: 'off', symbol: 'fresh', path: 'src/own.ts', to: old }),
        ).toMatchObject({ ok: true })
        expectAsBefore(workspace.path, files)
      }),
      { numRuns: process.env['TOOLWRIGHT_LONG'] === '1' ? 60 : 2 },
    )
  })

  it('refuses names that are none or taken, and changes nothing', async () => {
    const files = {
      'tsconfig.json': CONFIGURATION,
      'src/a.ts': `export const load = 1\nexport const other = 2\nexport function f() {\n  const inner = 3\n  return inner + load\n}\n`,
      'src/b.ts': `import { load } from './a'\nexport const taken = load\nexport function g(shadow: number) { return load + shadow }\n`,
    }
    await using workspace = temporaryWorkspace(files)
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const rename = (to: string) =>
      kit.call('refactor', { kind: 'rename', effects: 'off', symbol: 'load', path: 'src/a.ts', to })
    for (const to of ['a b', '1a', 'a.b', 'class', 'load', ''])
      expect(await rename(to)).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
    for (const to of ['other', 'inner', 'taken', 'shadow'])
      expect(await rename(to)).toMatchObject({
        ok: false,
        error: { code: 'conflict', message: expect.stringContaining('is taken') },
      })
    expect(await kit.call('refactor', { kind: 'rename', effects: 'off', symbol: 'nobody', to: 'x' })).toMatchObject({
      ok: false,
      error: { code: 'no_match' },
    })
    expectAsBefore(workspace.path, files)
    expect(await rename('fresh')).toMatchObject({ ok: true })
  })

  it('says what stands in the way where that is not the new name', async () => {
    const files = {
      'tsconfig.json': CONFIGURATION,
      'src/a.ts': `export interface Item { price: number }\nexport const key: keyof Item = 'price'\n`,
    }
    await using workspace = temporaryWorkspace(files)
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const rename = { kind: 'rename', effects: 'off', symbol: 'Item.price', path: 'src/a.ts', to: 'cost' }
    expect(await kit.call('refactor', rename)).toMatchObject({
      ok: false,
      error: {
        code: 'conflict',
        message: expect.stringMatching(/^It is undecided whether 1 place refers to 'Item\.price': src\/a\.ts:2/),
      },
    })
    expect(await kit.call('refactor', { ...rename, strict: false })).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringMatching(/^'price' cannot become 'cost': src\/a\.ts:2: Type/) },
    })
    expectAsBefore(workspace.path, files)
  })

  needs('bubblewrap', 'clangd')('says that a use in a macro is not followed', async () => {
    const files = {
      'a.c': 'int add(int a) { return a; }\n#define SUM(x) add(x)\nint use(void) { return SUM(2) + add(1); }\n',
    }
    await using workspace = temporaryWorkspace(files)
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const rename = { kind: 'rename', effects: 'off', symbol: 'add', path: 'a.c', to: 'plus' }
    expect(await kit.call('refactor', rename)).toMatchObject({
      ok: false,
      error: { code: 'conflict', details: { undecided: [{ path: 'a.c', line: 2, kind: 'macro' }] } },
    })
    expect(await kit.call('refactor', { ...rename, strict: false })).toMatchObject({
      ok: false,
      error: {
        code: 'conflict',
        message: expect.stringMatching(/^'add' cannot become 'plus': not every use is followed/),
      },
    })
    expectAsBefore(workspace.path, files)
  })

  needs('bubblewrap', 'clangd')('says that a virtual method is not renamed by clangd', async () => {
    const files = { 'a.cpp': 'struct A { virtual int go() { return 1; } };\nint use(A& a) { return a.go(); }\n' }
    await using workspace = temporaryWorkspace(files)
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const rename = { kind: 'rename', effects: 'off', symbol: 'A.go', path: 'a.cpp', to: 'run' }
    expect(await kit.call('refactor', rename)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('clangd renames no virtual method') },
    })
    expectAsBefore(workspace.path, files)
  })

  it('asks once, with the real diff; what may not be changed is named, and nothing lands', async () => {
    const files = {
      'tsconfig.json': CONFIGURATION,
      '.ignore': 'src/made.ts\n',
      'src/a.ts': 'export const load = 1\nexport const made = 2\n',
      'src/b.ts': "import { load } from './a'\nexport const b = load\n",
      'src/locked.ts': "import { load } from './a'\nexport const locked = load\n",
      'src/made.ts': "import { made } from './a'\nexport const m = made\n",
    }
    await using workspace = temporaryWorkspace(files)
    const cards: Card[] = []
    const kit = await workspace.open({
      approve: ({ card }) => {
        cards.push(card)
        return { answer: 'yes', by: 'ann' }
      },
    })
    const rename = { kind: 'rename', effects: 'off', symbol: 'load', path: 'src/a.ts', to: 'fetched' }
    const dry = await kit.call('refactor', rename, { dryRun: true })
    expect(dry).toMatchObject({ ok: true, meta: { diff: expect.stringContaining('+export const b = fetched') } })
    expect(cards).toHaveLength(0)
    expect(await kit.call('refactor', rename)).toMatchObject({
      ok: true,
      meta: { changed: ['src/a.ts', 'src/b.ts', 'src/locked.ts'] },
    })
    expect(cards).toHaveLength(1)
    expect(cards[0]?.claims.map(({ resource }) => resource)).toEqual(['src/a.ts', 'src/b.ts', 'src/locked.ts'])
    expect(cards[0]?.changes.map(change => change.diff()).join('')).toContain('+export const locked = fetched')

    const config = join(workspace.base, 'strict.json')
    const rules = [{ action: 'write', path: 'src/locked.ts', verdict: 'deny' }]
    writeFileSync(config, JSON.stringify({ policy: { rules } }))
    const strict = await workspace.open({ permissions: ['fs:read', 'fs:write'], config })
    expect(await strict.call('refactor', { ...rename, symbol: 'fetched', to: 'again' })).toMatchObject({
      ok: false,
      error: { code: 'denied', message: expect.stringContaining('src/locked.ts') },
    })
    expect(await strict.call('refactor', { ...rename, symbol: 'made', to: 'again' })).toMatchObject({
      ok: false,
      error: { code: 'denied', message: expect.stringContaining('src/made.ts') },
    })
    expect(readFileSync(join(workspace.path, 'src/b.ts'), 'utf8')).toBe(
      "import { fetched } from './a'\nexport const b = fetched\n",
    )
  })

  it('sees what is staged, and says timeout where the server is not ready in time', async () => {
    const files = { 'tsconfig.json': CONFIGURATION, 'src/a.ts': 'export const load = 1\n' }
    await using workspace = temporaryWorkspace(files)
    await using code = openedCode(workspace)
    const asked = { kind: 'rename', symbol: 'load', path: 'src/a.ts', to: 'fetched' } as const
    await expect(code.engine.refactoring({ ...asked, deadlineMs: 1 })).rejects.toMatchObject({ code: 'timeout' })
    code.stage('src/b.ts', "import { load } from './a'\nload\n")
    const { edits } = await code.engine.refactoring({ ...asked, deadlineMs: 30_000 })
    expect(edits.map(({ path }) => path)).toEqual(['src/a.ts', 'src/b.ts'])
    // The server does not look into a directory that is not there, so that uses could be missing.
    code.stage('src/deep/c.ts', "import { load } from '../a'\nload\n")
    await expect(code.engine.refactoring({ ...asked, deadlineMs: 30_000 })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('src/deep/c.ts'),
    })
    const removed = { kind: 'delete', symbol: 'load', path: 'src/a.ts', deadlineMs: 30_000 } as const
    await expect(code.engine.refactoring(removed)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('src/deep/c.ts:1'),
    })
  })
})

describe('renaming a symbol of Python', () => {
  const source = 'class Kind:\n    RED = 1\n\nprint(Kind.RED)\n\ndef f():\n    red = 1\n    return red\n'
  let workspace: TemporaryWorkspace
  let kit: Toolkit
  const text = (path: string) => readFileSync(join(workspace.path, path), 'utf8')

  beforeAll(async () => {
    workspace = temporaryWorkspace({
      'shop/__init__.py': 'from .pricing import price\n',
      'shop/pricing.py':
        'def price(a):\n    return price(a - 1)\n\n\nclass Base:\n    def run(self):\n        return price(1)\n\n\nclass Child(Base):\n    def run(self):\n        return super().run()\n',
      'main.py':
        "from shop.pricing import price as p, price\nimport shop.pricing\n\np(1)\nprice(2)\nshop.pricing.price(3)\nprint('price')\n",
      'm.py': source,
    })
    kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
  })
  afterAll(() => workspace.remove())

  it('by pyright, and says what it does not follow', async () => {
    expect(
      await kit.call('refactor', {
        kind: 'rename',
        effects: 'off',
        symbol: 'price',
        path: 'shop/pricing.py',
        to: 'cost',
      }),
    ).toMatchObject({
      ok: true,
      data: {
        basis: 'pyright',
        warnings: [],
        occurrences: { undecided: 0, mentions: 1, listed: [{ path: 'main.py', line: 7, verdict: 'not decided' }] },
      },
    })
    expect(text('main.py')).toBe(
      "from shop.pricing import cost as p, cost\nimport shop.pricing\n\np(1)\ncost(2)\nshop.pricing.cost(3)\nprint('price')\n",
    )
    expect(text('shop/__init__.py')).toBe('from .pricing import cost\n')
    expect(await kit.call('refactor', { kind: 'rename', effects: 'off', symbol: 'Base.run', to: 'go' })).toMatchObject({
      ok: true,
      data: { warnings: [] },
    })
    expect(text('shop/pricing.py')).toContain('def go(self):\n        return super().go()')
  })

  it('finds a field by its name, and asks for the line of a variable, which it then finds', async () => {
    const rename = (symbol: string, more: object = {}) =>
      kit.call('refactor', { kind: 'rename', effects: 'off', symbol, path: 'm.py', to: 'BLUE', ...more })
    expect(await rename('f.red')).toMatchObject({
      error: {
        code: 'no_match',
        message: "Nothing in m.py is named 'f.red'",
        hint: expect.stringMatching(/^Give "line": 'red' is written in lines 7, 8, /),
      },
    })
    expect(await rename('Kind.GREEN')).toMatchObject({ error: { hint: 'symbols lists what it defines' } })
    expect(await rename('f.red', { line: 7, to: 'blue' })).toMatchObject({ ok: true })
    expect(await rename('Kind.RED')).toMatchObject({ ok: true })
    expect(text('m.py')).toBe(source.replaceAll('RED', 'BLUE').replaceAll('red', 'blue'))
  })
})
