import { describe, expect, it } from 'vitest'
import { operationsOf, usagesOf } from './usages-of.ts'

/** The role of the first `f` of a text, and who holds it. */
async function first(path: string, text: string) {
  const at = /\bf\b/.exec(text)?.index ?? -1
  const [usage] = await usagesOf(path, text, [at])
  return usage
}

describe('usagesOf', () => {
  it.each([
    ['f()', 'call'],
    ['new f()', 'call'],
    ['f`x`', 'call'],
    ['f.call(1)', 'call'],
    ['(0, f)()', 'call'],
    ['x?.f()', 'call'],
    ["x['f']()", 'call'],
    ['const alias = f', 'value'],
    ['list.map(f)', 'value'],
    ['f.bind(1)', 'value'],
    ['const o = { f }', 'value'],
    ['class A extends f {}', 'base'],
    ["import { f } from 'm'", 'import'],
    ["export { f } from 'm'", 'import'],
    ['const { f: g } = m', 'import'],
    ['type T = typeof f', 'type'],
    ['let x: f', 'type'],
    ['/** See {@link f} */', 'other'],
    ['if (f === g) {}', 'other'],
    ["Reflect.get(x, 'f')", 'named'],
    ["emit('f')", 'other'],
    ['function f() {}', 'declaration'],
  ])('reads %s in TypeScript', async (text, role) => {
    expect(await first('a.ts', text)).toMatchObject({ role })
  })

  it.each([
    ['f()', 'call'],
    ['@f\ndef g(): pass', 'call'],
    ['raise f', 'call'],
    ['x.f()', 'call'],
    ['a = f', 'value'],
    ["d = {'a': f}", 'value'],
    ['map(f, x)', 'value'],
    ['class A(f): pass', 'base'],
    ['from m import f', 'import'],
    ['def g(a: f): pass', 'type'],
    ['isinstance(x, f)', 'other'],
    ['try: pass\nexcept (f, B): pass', 'other'],
    ["getattr(x, 'f')", 'named'],
    ["globals()['f']()", 'named'],
    ["locals()['f']", 'named'],
    ["vars(m)['f']()", 'named'],
    ["m.__dict__['f']", 'named'],
    ["globals().get('f')", 'named'],
    ["vars(m).get('f', None)", 'named'],
    ["settings['f']", 'other'],
    ["settings.get('f')", 'other'],
    ["globals('f')", 'other'],
    ["print('f')", 'other'],
    ['g(f=1)', 'other'],
    ['def f(): pass', 'declaration'],
  ])('reads %s in Python', async (text, role) => {
    expect(await first('a.py', text)).toMatchObject({ role })
  })

  it('names who holds a place; decorators and defaults of Python run where the function is declared', async () => {
    const held = async (path: string, text: string) => (await first(path, text))?.by?.name
    expect(await held('a.ts', 'class A { m() { f() } }')).toBe('A.m')
    expect(await held('a.ts', 'const t = { m: () => f() }')).toBe('t.m')
    expect(await held('a.py', 'class A:\n    def m(self):\n        f()')).toBe('A.m')
    expect(await held('a.py', 'def g(a=f): pass')).toBeUndefined()
    expect(await held('a.py', '@f\ndef g(): pass')).toBeUndefined()
  })
})

describe('operationsOf', () => {
  it.each([
    ['for x in a: pass', '__iter__', []],
    ['with a: pass', '__exit__', []],
    ['a + 1', '__add__', []],
    ['a += 1', '__add__', ['__iadd__']],
    ['1 in a', '__iter__', ['__contains__']],
    ['a[1] = 2', '__setitem__', []],
    ["f'{a}'", '__str__', ['__format__']],
    ['if a: pass', '__len__', ['__bool__']],
    ['a and 1', '__bool__', []],
    ['a or 1', '__bool__', []],
    ['1 if a else 2', '__bool__', []],
    ['[x for x in y if a]', '__bool__', []],
    ['if (1 or a): pass', '__bool__', []],
    ['if (x := a): pass', '__bool__', []],
    ['y = not (1 or a)', '__bool__', []],
    ['getattr(a, b)', 'getattr', []],
    ['x + a', '__radd__', []],
    ['x < a', '__gt__', []],
    ['f(*a)', '__iter__', []],
    ['x, y = a', '__next__', []],
    ['x in a', '__next__', ['__contains__']],
    ['a[1] += 2', '__getitem__', []],
    ['zip(x, a)', '__iter__', []],
    ['a()', '__call__', []],
  ])('finds what %s calls', async (text, method, unless) => {
    const operation = (await operationsOf('a.py', text, method)).at(-1)
    expect(operation).toMatchObject({ receiver: text.indexOf('a', text.startsWith('getattr') ? 8 : 0), unless })
  })

  it.each([
    ['a[1]', '__setitem__'],
    ["getattr(a, 'b')", 'getattr'],
    ['a - 1', '__add__'],
    ['a = 1 and b', '__bool__'],
    ['1 if 2 else a', '__bool__'],
    ["len('text')", '__len__'],
  ])('finds nothing in %s', async (text, method) => {
    expect(await operationsOf('a.py', text, method)).toEqual([])
  })
})
