import { describe, expect, it } from 'vitest'
import { occurrencesIn } from './occurrences-in.ts'

/** What each line says of the name `pick`, in order. */
async function kinds(path: string, lines: readonly string[]): Promise<readonly string[]> {
  const found = (await occurrencesIn(path, lines.join('\n'), 'pick')) ?? []
  return found.map(({ kind, of }) => (of === undefined ? kind : `${kind} of ${of}`))
}

describe('how a name is written', () => {
  it.each([
    ['a name', ['pick()'], ['name']],
    [
      'members',
      ['x.pick()', 'y?.pick', 'class A { pick() {} }', 'interface I { pick: number }'],
      Array(4).fill('member'),
    ],
    [
      'a key and a shorthand',
      ['f({ pick: 1 })', 'f({ pick })', 'const { pick } = x'],
      ['key', 'shorthand', 'shorthand'],
    ],
    ['what is imported', ["import { pick } from 'lodash'", 'pick(1)'], ['name of lodash', 'name of lodash']],
    ['the name of a module', ["import x from './pick'", "export * from './pick'"], ['module', 'module']],
    [
      'access by text',
      ["x['pick']", "Reflect.get(x, 'pick')", 'x[`pick`]'],
      ['string of []', 'string of Reflect.get', 'string of []'],
    ],
    [
      'a text for people',
      ["f('please pick one')", "console.log('pick')", '`pick it`'],
      ['text of f', 'text of console.log', 'text'],
    ],
    ['what is compared in a printed text', ["console.log('pick' in x)"], ['string']],
    ['a comment', ['// pick', '/** pick */'], ['text', 'text']],
    ['the title of a test', ["describe('pick', () => {})", "it('pick', 3)"], ['text of console.title', 'string of it']],
    ['the factory of a mock', ["vi.mock('./x', () => ({ pick: 1 }))"], ['key of mock']],
    ['a path in a text', ["f('./pick')", "f('pkg.pick')", "f('a:pick')"], ['text of f', 'string of f', 'string of f']],
    ['an attribute of JSX', ['const a = <A pick={1} />'], ['member']],
  ])('in TypeScript: %s', async (_what, lines, expected) => {
    expect(await kinds('a.tsx', lines)).toEqual(expected)
  })

  it.each([
    ['names and members', ['pick()', 'x.pick()', 'f(pick=1)'], ['name', 'member', 'member']],
    ['imports', ['import pick.a', 'from pick import a', 'from a import pick'], ['module', 'module', 'name of a']],
    [
      'texts that look something up',
      ["getattr(x, 'pick')", "patch('a.pick')"],
      ['string of getattr', 'string of patch'],
    ],
    ['places in a text', ["'{0.pick}'.format(x)", "f'{x.pick} pick'"], ['string', 'member', 'text']],
    ['a text that is run', ["eval('x.pick() + 1')"], ['string of eval']],
    ['a key', ["x = {'pick': 1}"], ['key']],
    ['a text for people', ["print('pick')", 'def f():', "    '''pick'''", '# pick'], ['text of print', 'text', 'text']],
    ['the names of a module', ["__all__ = ['pick']"], ['string of __all__']],
  ])('in Python: %s', async (_what, lines, expected) => {
    expect(await kinds('a.py', lines)).toEqual(expected)
  })

  it('in C: macros, members and texts', async () => {
    const lines = ['#define P(x) pick(x)', 'int f(struct s *s) { return s->pick + pick(1); }', 'char *t = "pick";']
    expect(await kinds('a.c', lines)).toEqual(['macro', 'member', 'name', 'string'])
  })

  it('is not known of what is no source code', async () => {
    expect(await occurrencesIn('a.json', '{"pick":1}', 'pick')).toBeUndefined()
  })
})
