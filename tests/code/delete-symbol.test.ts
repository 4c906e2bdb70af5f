// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it as plain } from 'vitest'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { compiled } from './compiled.ts'

const it = needs('bubblewrap')

const CONFIGURATION = JSON.stringify({
  compilerOptions: { strict: true, module: 'esnext', lib: ['esnext'], types: [] },
  include: ['src'],
})

describe('deleting a symbol', () => {
  it('is refused with the list while something refers to it, imports included', async () => {
    const files = {
      'tsconfig.json': CONFIGURATION,
      'src/a.ts': `import { other } from './other'

/** First. */
export const first = 1

/**
 * Calls itself.
 */
// Twice.
function again(a: string): void
function again(a: unknown): void {
  again(String(a))
}
export { again, first as one }

class Cart {
  add() { return other }

  /** Gone. */
  @log()
  drop() {}
}
export default Cart
`,
      'src/other.ts': 'export const other = 1\n',
      'src/helper.ts': 'export const helper = 1\n',
      'src/App.vue':
        "<script setup>\nimport { helper } from './helper'\n</script>\n<template>{{ helper }}</template>\n",
      'src/user.ts': "import { again } from './a'\nexport { one } from './a'\n",
    }
    await using workspace = temporaryWorkspace(files)
    const text = () => readFileSync(join(workspace.path, 'src/a.ts'), 'utf8')
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const remove = (symbol: string) =>
      kit.call('refactor', { kind: 'delete', symbol, path: 'src/a.ts', effects: 'off' })
    expect(await remove('again')).toMatchObject({
      ok: false,
      error: {
        code: 'conflict',
        message: "'again' is still used: src/user.ts:1",
        details: { references: [{ path: 'src/user.ts', line: 1, text: "import { again } from './a'" }] },
      },
    })
    expect(await remove('first')).toMatchObject({
      ok: false,
      error: { message: "'first' is still used: src/user.ts:2" },
    })
    expect(text()).toBe(files['src/a.ts'])
    await kit.call('edit', {
      path: 'src/user.ts',
      edits: [{ old: "import { again } from './a'\n", new: '' }],
      effects: 'off',
    })
    expect(await remove('again')).toMatchObject({ ok: true, data: { basis: 'typescript', warnings: [] } })
    // Its decorator may have registered it.
    expect(await remove('Cart.drop')).toMatchObject({ ok: false, error: { code: 'conflict' } })
    const drop = { kind: 'delete', symbol: 'Cart.drop', path: 'src/a.ts', effects: 'off', strict: false }
    expect(await kit.call('refactor', drop)).toMatchObject({ ok: true, data: { occurrences: { undecided: 1 } } })
    expect(text()).toBe(`import { other } from './other'

/** First. */
export const first = 1

export { first as one }

class Cart {
  add() { return other }
}
export default Cart
`)
    const helper = { symbol: 'helper', path: 'src/helper.ts', effects: 'off' }
    expect(await kit.call('refactor', { kind: 'delete', ...helper })).toMatchObject({
      ok: false,
      error: { message: "'helper' is still used: src/App.vue:2, src/App.vue:4" },
    })
    expect(await kit.call('refactor', { kind: 'rename', to: 'aid', ...helper })).toMatchObject({
      ok: false,
      error: { code: 'conflict', details: { total: 2, files: [{ path: 'src/App.vue', count: 2 }] } },
    })
    const include = ['file:src/App.vue']
    expect(await kit.call('refactor', { kind: 'rename', to: 'aid', ...helper, include })).toMatchObject({
      ok: true,
      data: { occurrences: { undecided: 0 } },
    })
    expect(await remove('Cart')).toMatchObject({ ok: true })
    expect(text()).toBe(`import { other } from './other'

/** First. */
export const first = 1

export { first as one }
`)
  })

  it('takes all declarations that make it up, or the one that is said', async () => {
    const files = {
      'tsconfig.json': CONFIGURATION,
      'src/a.ts': `export const Kind = { big: 'big' } as const
/** The type. */
export type Kind = (typeof Kind)[keyof typeof Kind]

export class Box {
  kept = 1

  /** Reads. */
  get size() {
    return 1
  }

  /** Writes. */
  set size(n: number) {
    this.kept = n
  }
  get a() { return 1 } set a(n: number) { this.kept = n }
}
export const used = 1
export type used = number
`,
      'src/b.ts': `import { used } from './a'\nexport const b: used = 2\n`,
    }
    await using workspace = temporaryWorkspace(files)
    const text = () => readFileSync(join(workspace.path, 'src/a.ts'), 'utf8')
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const remove = (symbol: string) =>
      kit.call('refactor', { kind: 'delete', symbol, path: 'src/a.ts', effects: 'off' })
    expect(await remove('Kind')).toMatchObject({ ok: true, data: { files: [{ path: 'src/a.ts', edits: 1 }] } })
    expect(await remove('Box.size')).toMatchObject({ ok: true })
    expect(await remove('set Box.a')).toMatchObject({ ok: true })
    expect(await remove('used')).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: "'used' is still used: src/b.ts:1, src/b.ts:2" },
    })
    expect(text()).toBe(`export class Box {
  kept = 1

  get a() { return 1 }
}
export const used = 1
export type used = number
`)
  })

  it('is refused with what would be wrong, though nothing names it', async () => {
    const files = {
      'tsconfig.json': CONFIGURATION,
      'src/only.ts': 'export const only = 1 // why\n',
      'src/two.ts': 'export const two = 2\nexport const more = 3\n',
      'src/cart.ts': 'export class Cart {\n  add() { return 1 }\n  drop() {}\n}\n',
      'src/hands.ts': "export { Cart } from './cart'\n",
      'src/user.ts': "import { Cart } from './hands'\nexport const adder: { add(): number } = new Cart()\n",
      'src/index.ts': "export * from './only'\nexport * from './two'\n",
    }
    await using workspace = temporaryWorkspace(files)
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const remove = (symbol: string, path: string) =>
      kit.call('refactor', { kind: 'delete', symbol, path, effects: 'off' })
    expect(await remove('only', 'src/only.ts')).toMatchObject({
      ok: false,
      error: {
        code: 'conflict',
        message: expect.stringMatching(/^'only' is still needed: src\/index\.ts:1: .*is not a module/),
        details: { faults: [{ path: 'src/index.ts', line: 1 }] },
      },
    })
    expect(await remove('Cart.add', 'src/cart.ts')).toMatchObject({
      ok: false,
      error: { code: 'conflict', details: { faults: [{ path: 'src/user.ts', line: 2 }] } },
    })
    expect(await remove('Cart.drop', 'src/cart.ts')).toMatchObject({ ok: true })
    expect(await remove('more', 'src/two.ts')).toMatchObject({ ok: true })
    expect(compiled(workspace.path)).toEqual([])
  })

  it('is refused in Python while an operator or a call of the class needs it', async () => {
    const files = {
      'money.py': `class Money:
    def __init__(self, v: int): self.v = v
    def __add__(self, o: "Money") -> "Money": return Money(self.v + o.v)
    def __neg__(self) -> int: return -self.v
`,
      'total.py': 'from money import Money\n\n\ndef total(a: Money, b: Money) -> Money:\n    return a + b\n',
    }
    await using workspace = temporaryWorkspace(files)
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const remove = (symbol: string) =>
      kit.call('refactor', { kind: 'delete', symbol, path: 'money.py', effects: 'off' })
    expect(await remove('Money.__init__')).toMatchObject({ ok: false, error: { code: 'conflict' } })
    expect(await remove('Money.__add__')).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining('total.py:5') },
    })
    expect(await remove('Money.__neg__')).toMatchObject({ ok: false, error: { code: 'conflict' } })
    const left = { kind: 'delete', symbol: 'Money.__neg__', path: 'money.py', effects: 'off', leave: ['file:money.py'] }
    expect(await kit.call('refactor', left)).toMatchObject({ ok: true, data: { warnings: [] } })
  })

  it('is refused or asks for every method that Python itself calls', async () => {
    const text = `class A:
    def __init__(self): self.v = 1
    def __init_subclass__(cls, **k): print("derived")
    def __set_name__(self, owner, name): print(name)
    def __del__(self): print("gone")
    def __bool__(self): return False
    def __str__(self): return "a"
    def __eq__(self, other): return True
    __slots__ = ("v",)


class B(A): pass


class Holder:
    held = A()


def all_of(a: A, b: A):
    if a: print(a)
    return a == b, B()
`
    await using workspace = temporaryWorkspace({ 'a.py': text })
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const answers: Record<string, string> = {}
    for (const symbol of text.match(/__\w+__/g) ?? []) {
      const question = { kind: 'delete', symbol: `A.${symbol}`, path: 'a.py', effects: 'off' }
      const answer = (await kit.call('refactor', question)) as { ok: boolean; error?: { message: string } }
      answers[symbol] = answer.ok ? 'done' : (answer.error?.message ?? '').slice(0, 60)
    }
    expect(answers).toEqual({
      __init__: expect.stringContaining('is called without its name: a.py:'),
      __init_subclass__: expect.stringContaining('It is undecided'),
      __set_name__: expect.stringContaining('It is undecided'),
      __del__: expect.stringContaining('It is undecided'),
      __bool__: expect.stringContaining('is called without its name: a.py:20'),
      __str__: expect.stringContaining('is called without its name: a.py:20'),
      __eq__: expect.stringContaining('is called without its name: a.py:21'),
      __slots__: expect.stringContaining('It is undecided'),
    })
    expect(readFileSync(join(workspace.path, 'a.py'), 'utf8')).toBe(text)
  })

  plain('is judged by the text where no server serves the language, and says so', async () => {
    const files = {
      'data/Users.kt':
        'package data\n\n/** Loads. */\nfun load(id: Int) = id\n\nfun unused(id: Int) = id // unused\n\nfun last() = 2\n',
      'ui/Profile.kt':
        'package ui\n\nimport data.load\n\nfun show() {\n    load(1)\n    println("unused") // unused\n}\n',
    }
    await using workspace = temporaryWorkspace(files)
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    expect(await kit.call('refactor', { kind: 'delete', symbol: 'load' })).toMatchObject({
      ok: false,
      error: {
        code: 'conflict',
        message: expect.stringMatching(
          /^It is undecided whether 2 places refer to 'load': .*ui\/Profile\.kt:3.*ui\/Profile\.kt:6/,
        ),
      },
    })
    expect(await kit.call('refactor', { kind: 'delete', symbol: 'unused' })).toMatchObject({
      ok: true,
      data: { basis: 'syntax', warnings: [expect.stringContaining('from the text alone')] },
    })
    expect(readFileSync(join(workspace.path, 'data/Users.kt'), 'utf8')).toBe(
      'package data\n\n/** Loads. */\nfun load(id: Int) = id\n\nfun last() = 2\n',
    )
  })
})
