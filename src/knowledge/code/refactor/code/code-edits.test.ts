import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryWorkspace } from '../../../../testing/temporary-workspace.ts'

/** The file after one edit by symbol, or what the edit was refused with. */
async function edited(path: string, text: string, input: Readonly<Record<string, unknown>>): Promise<string> {
  await using workspace = temporaryWorkspace({ [path]: text })
  const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
  const answer = await kit.call('refactor', { path, effects: 'off', ...input })
  const now = readFileSync(join(workspace.path, path), 'utf8')
  const { ok, error } = answer as { ok: boolean; error?: { code: string; message: string } }
  if (ok) return now
  expect(now).toBe(text)
  return `${error?.code}: ${error?.message}`
}

const body = (symbol: string, text: string, more: object = {}) => ({ kind: 'replace-body', symbol, text, ...more })
const before = (symbol: string, text: string) => ({ kind: 'insert-before', symbol, text })
const after = (symbol: string, text: string) => ({ kind: 'insert-after', symbol, text })

const CART = `class Cart {
  /** Sum. */
  @cached()
  total(more: number): number {
    return more
  }

  get size() { return 1 }
}

export const make = (a: number) => a + 1
`

describe('replace-body', () => {
  it.each([
    [
      'between the braces, indented as the place is',
      body('Cart.total', 'if (more)\n  return 1\nreturn 2'),
      '  total(more: number): number {\n    if (more)\n      return 1\n    return 2\n  }\n',
    ],
    ['with its own braces', body('Cart.total', '{ return 2 }'), '  total(more: number): number { return 2 }\n'],
    [
      'the whole declaration, whose decorators stay',
      body('Cart.total', 'total(): string {\n  return ``\n}'),
      '  /** Sum. */\n  @cached()\n  total(): string {\n    return ``\n  }\n',
    ],
    [
      'the whole declaration with decorators of its own',
      body('Cart.total', '@once\ntotal() {}'),
      '  /** Sum. */\n  @once\n  total() {}\n',
    ],
    ['a value', body('make', 'a + 2'), 'export const make = (a: number) => a + 2\n'],
    [
      'a value that becomes a block',
      body('make', 'const b = a\nreturn b'),
      'export const make = (a: number) => {\n  const b = a\n  return b\n}\n',
    ],
    [
      'a declaration that was exported and stays so',
      body('make', 'function make() {\n  return 1\n}'),
      'export function make() {\n  return 1\n}\n',
    ],
  ])('puts %s', async (_, input, expected) => {
    expect(await edited('cart.ts', CART, input)).toContain(expected)
  })

  it('leaves texts over several lines as they are given, and moves what is said in docstrings', async () => {
    const given = 'const a = `x\n  y\n`\nreturn a'
    expect(await edited('a.ts', 'class A {\n  m() {\n    return 1\n  }\n}\n', body('A.m', given))).toBe(
      'class A {\n  m() {\n    const a = `x\n  y\n`\n    return a\n  }\n}\n',
    )
    const python = 'class A:\n    def m(self):\n        return 1\n'
    expect(await edited('a.py', python, body('A.m', '"""One.\n\nTwo.\n"""\nreturn """a\n b"""'))).toBe(
      'class A:\n    def m(self):\n        """One.\n\n        Two.\n        """\n        return """a\n b"""\n',
    )
  })

  it.each([
    ['a.py', 'def f(): return 1\n', body('f', 'x = 1\nreturn x'), 'def f():\n    x = 1\n    return x\n'],
    [
      'a.py',
      'def f(a,\n      b): return 1\n',
      body('f', 'x = 1\nreturn x'),
      'def f(a,\n      b):\n    x = 1\n    return x\n',
    ],
    [
      'a.py',
      'def g():\n  return (1 +\n          2)\ndef f(): return 1\n',
      body('f', 'return 2'),
      'def f():\n  return 2\n',
    ],
    [
      'a.ts',
      'const f = (x: number) => ({ x })\n',
      body('f', 'const y = x\nreturn { y }'),
      'const f = (x: number) => {\n  const y = x\n  return { y }\n}\n',
    ],
    ['a.ts', 'const f = (x: number) => ({ x })\n', body('f', '{ y: x }'), 'const f = (x: number) => ({ y: x })\n'],
    ['a.py', '@dec\ndef f():\n    return 1\n', body('f', 'def f(a):\n  return a'), '@dec\ndef f(a):\n    return a\n'],
    [
      'a.go',
      'package a\n\nfunc F(a int) int {\n\treturn a\n}\n',
      body('F', 'if a > 1 {\n  return 1\n}\nreturn a'),
      'func F(a int) int {\n\tif a > 1 {\n\t\treturn 1\n\t}\n\treturn a\n}\n',
    ],
    ['a.kt', 'fun f(a: Int): Int = a\n', body('f', 'a + 1'), 'fun f(a: Int): Int = a + 1\n'],
    [
      'a.kt',
      'fun f(a: Int): Int = 1\nfun g() = 2\n',
      body('f', 'val b = a\nreturn b'),
      'fun f(a: Int): Int {\n    val b = a\n    return b\n}\nfun g() = 2\n',
    ],
    ['a.kt', 'fun f(): Int = 1\n', body('f', '{\n    return 2\n}'), 'fun f(): Int {\n    return 2\n}\n'],
    ['a.kt', 'fun f() = 1\n', body('f', '2 // Two.'), 'fun f() = 2 // Two.\n'],
    ['a.kt', 'fun f() = 1\n', body('f', 'fun f(): Int {\n    return 2\n}'), 'fun f(): Int {\n    return 2\n}\n'],
    ['a.rb', 'def a = 1\nb\n', body('a', '2'), 'def a = 2\nb\n'],
    ['a.rb', 'def a = 1\nb\n', body('a', 'y = 1\ny'), 'def a\n  y = 1\n  y\nend\nb\n'],
    ['A.cs', 'class A {\n    int F() => 1;\n}\n', body('A.F', '2'), '    int F() => 2;\n'],
    [
      'A.cs',
      'class A {\n    int F() => 1;\n}\n',
      body('A.F', 'One();\nreturn 2;'),
      '    int F() {\n        One();\n        return 2;\n    }\n}\n',
    ],
    ['a.ts', 'const f = () => 1\n', body('f', 'one()\ntwo()'), 'const f = () => {\n  one()\n  two()\n}\n'],
    [
      'A.java',
      'class A {\n  @Override\n  int m(int a) {\n    return a;\n  }\n}\n',
      body('A.m', 'return 2;'),
      '  @Override\n  int m(int a) {\n    return 2;\n  }\n',
    ],
    [
      'a.rs',
      'impl A {\n    fn m(&self) -> i32 {\n        1\n    }\n}\n',
      body('A.m', '2'),
      '    fn m(&self) -> i32 {\n        2\n    }\n',
    ],
    ['a.rb', 'class A\n  def m\n    1\n  end\nend\n', body('A.m', '2'), '  def m\n    2\n  end\n'],
    [
      'A.vue',
      '<template>\n  <b />\n</template>\n<script setup lang="ts">\nconst f = () => {\n  one()\n}\n</script>\n',
      body('f', 'two()'),
      'const f = () => {\n  two()\n}\n</script>\n',
    ],
  ])('in %s: %j', async (path, text, input, expected) => {
    expect(await edited(path, text, input)).toContain(expected)
  })

  it.each([
    ['fun f() = 1\n', 'val q = 5\nreturn q'],
    ['fun f() = 1 plusOne 2\n', 'if (true) {\n    one()\n}\nreturn 2'],
    ['fun f(a: (Int) -> Int) = println("x")\n', 'one()\ntwo()'],
    ['fun f() = 1\n', '{\n    return 2\n}'],
  ])('makes no block of a function without a written type: %j', async (text, given) => {
    expect(await edited('a.kt', text, body('f', given))).toBe(
      "invalid_input: 'f' has no written type, which statements need: it is that of its one expression",
    )
  })

  it('keeps line ends and marks', async () => {
    expect(
      await edited('a.ts', '\ufefffunction f() {\r\n  return 1\r\n}\r\nlet a\r\n', body('f', 'const b = 1\nreturn b')),
    ).toBe('\ufefffunction f() {\r\n  const b = 1\r\n  return b\r\n}\r\nlet a\r\n')
  })

  it('refuses what would not parse, what leaves code out, and what could be several', async () => {
    expect(await edited('cart.ts', CART, body('Cart.total', 'return (1'))).toMatch(
      /^invalid_input: cart\.ts would not parse/,
    )
    expect(await edited('a.py', 'def f():\n    return 1\n', body('f', 'return (1'))).toMatch(/^invalid_input/)
    expect(await edited('cart.ts', CART, body('Cart.total', '// ... existing code ...\nreturn 1'))).toMatch(
      /^invalid_input: The code leaves/,
    )
    const twice = 'class A { m() {} }\nclass B {\n  m() {}\n}\n'
    expect(await edited('a.ts', twice, body('m', 'x()'))).toBe(
      "ambiguous: 'm' could be 2 symbols: A.m (a.ts:1), B.m (a.ts:3)",
    )
    expect(await edited('a.ts', twice, body('m', 'x()', { line: 3 }))).toContain('class B {\n  m() {\n    x()\n  }\n}')
    expect(await edited('a.ts', twice, body('n', 'x()'))).toBe("no_match: Nothing in a.ts is named 'n'")
    const pair = 'class Box { get size() { return 1 } set size(n) {} }\n'
    expect(await edited('a.ts', pair, body('size', 'return 2'))).toBe(
      "ambiguous: 'size' could be 2 symbols: get Box.size (a.ts:1), set Box.size (a.ts:1)",
    )
    for (const symbol of ['get Box.size', 'Box.get size', 'get size'])
      expect(await edited('a.ts', pair, body(symbol, '{ return 2 }'))).toBe(pair.replace('return 1', 'return 2'))
    expect(await edited('a.css', 'a {}\n', body('n', 'x()'))).toMatch(/^unavailable/)
  })
})

describe('insert', () => {
  it.each([
    [
      'cart.ts',
      CART,
      before('Cart.total', 'first() {\n  return 0\n}'),
      'class Cart {\n  first() {\n    return 0\n  }\n\n  /** Sum. */\n',
    ],
    ['cart.ts', CART, after('Cart.total', 'more() {}'), '    return more\n  }\n\n  more() {}\n\n  get size()'],
    [
      'cart.ts',
      CART,
      after('make', '/** Two. */\nexport const two = 2'),
      '=> a + 1\n\n/** Two. */\nexport const two = 2\n',
    ],
    ['cart.ts', CART, before('make', 'const zero = 0'), '}\n\nconst zero = 0\n\nexport const make'],
    [
      'a.ts',
      'const a = 1 // one\nconst b = 2\n',
      after('a', 'const c = 3'),
      'const a = 1 // one\nconst c = 3\nconst b = 2\n',
    ],
    [
      'a.ts',
      'const t = {\n  a: () => 1,\n  b: () => 2,\n}\n',
      after('t.a', 'c: () => 3,'),
      '  a: () => 1,\n  c: () => 3,\n  b: () => 2,\n',
    ],
    ['a.ts', 'class A { a() {} b() {} }\n', after('A.a', 'c() {}'), 'class A { a() {}\nc() {}\n b() {} }\n'],
    [
      'a.py',
      'import os\n\n\n# About f.\n@dec\ndef f():\n    return 1\n',
      before('f', 'def g():\n  return 2\n'),
      'import os\n\n\ndef g():\n    return 2\n\n\n# About f.\n@dec\ndef f():\n',
    ],
    [
      'a.py',
      'class A:\n    def m(self):\n        return 1',
      after('A.m', '    def n(self):\n        return 2\n'),
      '        return 1\n\n    def n(self):\n        return 2',
    ],
    [
      'a.go',
      'package a\n\n// F does.\nfunc F() {}\n',
      after('F', 'func G() {\n    F()\n}'),
      'func F() {}\n\nfunc G() {\n\tF()\n}\n',
    ],
    [
      'A.java',
      'class A {\r\n  int a() { return 1; }\r\n}\r\n',
      after('A.a', 'int b() {\n  return 2;\n}'),
      '  int a() { return 1; }\r\n\r\n  int b() {\r\n    return 2;\r\n  }\r\n}\r\n',
    ],
  ])('in %s: %#', async (path, text, input, expected) => {
    expect(await edited(path, text, input)).toContain(expected)
  })

  it('refuses what would not parse, or would hide the symbol', async () => {
    expect(await edited('cart.ts', CART, after('Cart.total', 'function x() {}'))).toMatch(/^invalid_input/)
    expect(await edited('a.ts', 'const a = 1, b = 2\n', after('a', 'const c = 3'))).toMatch(
      /^invalid_input: 'a' is declared together/,
    )
    expect(await edited('a.ts', 'const a = 1\n', after('a', '  \n'))).toMatch(/^invalid_input: The code is empty/)
  })
})
