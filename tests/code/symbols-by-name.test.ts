import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { generatedPackage } from '../../bench/generated-package.ts'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { CLI } from '../cli-program.ts'

const FILES = {
  'shop/cart.py':
    'class Cart:\n    @property\n    def total(self) -> int:\n        return 0\n\n\ndef total_of(cart):\n    return cart.total\n',
  'shop/money.go': 'package shop\n\nfunc (c *Cart) Total() int { return 0 }\n',
  'src/cart.ts':
    'export class Cart { total() { return 0 } subtotal() { return 1 } }\nexport const total = 1, cart = new Cart()\n',
  'src/hidden/cart.ts': 'export const total = 2\n',
  'src/shop.ts': 'export interface Total { readonly total: number }\nexport function checkout(total: Total) {}\n',
}
const QUERIES = ['total', 'Total', 'Cart', 'Cart.total', 'cart.TOTAL', 'ota', 'checkout', '.', 'nothing']

interface Found {
  readonly path: string
  readonly from: number
  readonly name: string
}

describe('symbols by name', () => {
  it('are those that looking through each file finds, exact ones first, with what is staged and without what may not be read', async () => {
    await using workspace = temporaryWorkspace(FILES)
    const rules = [{ action: 'read', path: 'src/hidden/**', verdict: 'deny' }]
    workspace.write('toolwright.json', JSON.stringify({ policy: { rules } }))
    const kit = await workspace.open({ permissions: ['fs:write'], effects: 'off' })
    const found = async (input: object): Promise<readonly Found[]> => {
      const { outcome } = await kit.run('symbols', { ...input, limit: 1000, waitMs: 60_000 })
      expect(outcome).toMatchObject({ ok: true, data: { partial: false, truncated: false } })
      return Object(outcome).data.symbols
    }
    const same = async (paths: readonly string[]) => {
      const all: Found[] = []
      for (const path of paths) all.push(...(await found({ query: '', path })))
      expect(all.length).toBeGreaterThan(8)
      for (const query of QUERIES) {
        const isExact = ({ name }: Found) => name === query || name.split('.').at(-1) === query
        const holding = all.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()))
        const expected = [...holding.filter(isExact), ...holding.filter(each => !isExact(each))]
        expect([query, await found({ query })]).toEqual([query, expected])
      }
    }
    const paths = Object.keys(FILES).filter(path => !path.includes('hidden'))
    await same(paths)
    await kit.run('stage', { action: 'begin' })
    await kit.run('write', { path: 'src/aside.ts', content: 'export const total = 3\n' })
    await kit.run('delete', { path: 'shop/money.go' })
    await same([...paths.filter(path => path !== 'shop/money.go'), 'src/aside.ts'].toSorted())
  })

  it('say of a computed name that it is not known by name, not that there is none', async () => {
    await using workspace = temporaryWorkspace({
      'bag.ts': 'export class Bag {\n  *[Symbol.iterator]() {\n    yield 1\n  }\n}\n',
      'list.cpp': 'struct List {\n  int operator[](int at) { return at; }\n};\n',
    })
    const kit = await workspace.open()
    const error = { code: 'no_match', hint: expect.stringContaining('grep') }
    for (const name of ['[Symbol.iterator]', 'Bag.[Symbol.iterator]']) {
      const message = `Members with computed names, such as '${name}', are not known by name`
      const symbols = await kit.run('symbols', { query: name, waitMs: 60_000 })
      expect(symbols.outcome).toMatchObject({ ok: false, error: { ...error, message } })
      const callers = await kit.run('callers', { name, waitMs: 60_000 })
      expect(callers.outcome).toMatchObject({ ok: false, error: { ...error, message } })
    }
    const { outcome } = await kit.run('symbols', { query: 'operator[]', waitMs: 60_000 })
    expect(outcome).toMatchObject({ ok: true, data: { symbols: [{ path: 'list.cpp' }], partial: false } })
  })

  it.each([
    ['a.ts', 'export class A {\n  a() {}\n  b( {\n  c() {}\n}\n'],
    ['a.py', 'class A:\n  def a(self):\n    pass\n  def b(self:\n    pass\n'],
  ])('of %s are told as partial where it does not parse', async (path, text) => {
    await using workspace = temporaryWorkspace({ [path]: text, 'whole.ts': 'export const whole = 1\n' })
    const kit = await workspace.open()
    const { outcome } = await kit.run('symbols', { query: '', path })
    expect(outcome).toMatchObject({ ok: true, data: { partial: true, unread: [path] } })
    const other = await kit.run('symbols', { query: '', path: 'whole.ts' })
    expect(other.outcome).toMatchObject({ ok: true, data: { partial: false, symbols: [{ name: 'whole' }] } })
  })

  it('name the file where a syntax error may hide one, for such a name only', { timeout: 120_000 }, async () => {
    await using workspace = temporaryWorkspace({
      'a.ts': 'export class A {\n  a() {}\n  inTypescript( {\n  c() {}\n}\n',
      'a.py': 'class A:\n  def a(self):\n    pass\n  def in_python(self:\n    pass\n',
      'a.go': 'package a\n\ntype A struct{}\nfunc (a *A) inGo( {\n}\nfunc after() {}\n',
      'a.cs': 'class Basket {\n  void a() {}\n  void inCsharp(\n    int a, {\n  }\n  void b() {}\n}\n',
      'a.rb': 'class A\n  def in_ruby?(\n  end\nend\n',
      'same.py': 'class B:\n  def add(self):\n    pass\nclass C:\n  def add(self:\n    pass\n',
      'marks.js': 'class A {\n  *inGenerator( {\n  #inPrivate() {}\n  inDollar$() {}\n}\n',
      'large.ts': `export const inLarge = 1\n${'// ......\n'.repeat(120_000)}`,
      'a.vue': '<script>\nfunction inVue( {\n</script>\n',
      'whole.ts': 'export const found = 1 // inRuby\n',
    })
    const { path: cwd, env } = workspace
    const run = async (args: readonly string[], input = '') => {
      const running = promisify(execFile)(process.execPath, [CLI, ...args], { cwd, env: { ...env } })
      running.child.stdin?.end(input)
      return (await running).stdout
    }
    const expected = [
      ['inTypescript', { files: ['a.ts'], symbols: 0 }],
      ['in_python', { files: ['a.py'], symbols: 0 }],
      ['INGO', { files: ['a.go'], symbols: 0 }],
      ['A.inVue', { files: ['a.vue'], symbols: 0 }],
      ['inCsharp', { files: ['a.cs'], symbols: 0 }],
      ['Basket', { files: ['a.cs'], symbols: 3 }],
      ['in_ruby?', { files: ['a.rb'], symbols: 0 }],
      ['C.add', { files: ['same.py'], symbols: 0 }],
      ['inGenerator', { files: ['marks.js'], symbols: 0 }],
      ['#inPrivate', { files: ['marks.js'], symbols: 0 }],
      ['inDollar$', { files: ['marks.js'], symbols: 0 }],
      ['inlarge', { files: ['large.ts'], symbols: 0 }],
      ['found', { files: [], symbols: 1 }],
      ['inRuby', { files: [], symbols: 0 }],
    ] as const
    const calls = expected.map(([query]) => JSON.stringify({ tool: 'symbols', input: { query, waitMs: 60_000 } }))
    const same = async () => {
      const lines = (await run(['call', '--jsonl'], `${calls.join('\n')}\n`)).trim().split('\n')
      const answers = lines.map(line => JSON.parse(line).data)
      const told = answers.map(({ symbols, unread: files = [], partial }, at) => {
        expect({ at, partial }).toEqual({ at, partial: files.length > 0 })
        return [expected[at]?.[0], { files, symbols: symbols.length }]
      })
      expect(told).toEqual(expected)
    }
    try {
      // Read by the call itself, then from what it stored, by the process of the workspace, and from what that stored.
      await same()
      await run(['up'])
      await same()
      await run(['up', '--stop'])
      await same()
      await expect(run(['callers', 'in_python'])).rejects.toMatchObject({
        stderr: expect.stringContaining('a.py (it has syntax errors)'),
      })
    } finally {
      await run(['up', '--stop'])
    }
  })

  it('are told as partial where files are still being read, and wait for them as long as they may', async () => {
    await using workspace = temporaryWorkspace(generatedPackage(500))
    const kit = await workspace.open()
    const asked = (input: object) => kit.run('symbols', { query: 'part498', ...input })
    const first = await asked({ waitMs: 0 })
    expect(first.outcome).toMatchObject({ ok: true, data: { partial: true } })
    const waited = await asked({ waitMs: 60_000 })
    expect(waited.outcome).toMatchObject({ ok: true, data: { partial: false, symbols: [{ name: 'part498' }] } })
  })
})
