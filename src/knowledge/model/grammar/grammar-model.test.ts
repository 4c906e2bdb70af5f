import { describe, expect, it } from 'vitest'
import { shownModel } from '../../../../tests/code/shown-model.ts'
import { modelOf } from '../model-of.ts'
import { grammarOutline } from './grammar-model.ts'

const read = (text: string) => modelOf('a.py', Buffer.from(text))

const calls = async (text: string): Promise<readonly string[]> =>
  (await shownModel('a.py', text)).calls.map(call => call.replace(/^.*> /, '').replace(/\/-?\d+$/, ''))

describe('variables and their scopes', () => {
  it('functions see the variables around their class, and not those of it', async () => {
    const text = 'act = first\nclass A:\n    act = second\n    def run(self):\n        act()\n'
    expect(await calls(text)).toEqual(['first'])
  })

  it('a comprehension keeps its variables to itself', async () => {
    expect(await calls('[each() for each in acts]\neach()\n')).toEqual([
      'acts[]',
      'acts~__iter__',
      'acts~__iter__()~__next__',
      'each',
    ])
  })

  it('global and nonlocal names are those further out', async () => {
    const text = `act = first
def outer():
    own = first
    def inner():
        global act
        nonlocal own
        act = second
        own = third
    own()
    act()
`
    expect(await calls(text)).toEqual(['third', 'second'])
  })

  it('a function takes over a name that was a variable', async () => {
    expect(await calls('act = first\ndef act(): pass\nact()\n')).toEqual(['act'])
  })

  it('a property that is assigned twice is one of both', async () => {
    const { model } = await shownModel(
      'a.py',
      'class A:\n    def on(self):\n        self.act = first\n    def off(self):\n        self.act = second\n',
    )
    const property = model.symbols.find(({ name }) => name === 'act')
    expect(property?.value).toEqual(['either', ['name', 'first'], ['name', 'second']])
  })
})

describe('the walk over a tree', () => {
  it('ends on chains and nesting of any depth', async () => {
    const deep = 2000
    const chain = await read(`x = a${'.b()'.repeat(deep)}\n`)
    expect(chain?.references.filter(({ kind }) => kind === 'call')).toHaveLength(deep)
    const nested = await read(`x = ${'('.repeat(deep)}f()${')'.repeat(deep)}\n`)
    expect(nested?.references.map(({ value }) => value)).toEqual([['name', 'f']])
    const lists = await read(`x = ${'['.repeat(deep)}f()${']'.repeat(deep)}\n`)
    expect(lists?.references.map(({ value }) => value)).toEqual([['name', 'f']])
  })

  it('reads what a file declares without what it refers to, where that is all that is asked', async () => {
    const text = '@cached\ndef f(a: int) -> str:\n    return g(a)\n'
    const outline = await grammarOutline('a.py', 'python', text)
    expect(outline?.exportNames).toEqual(['f'])
    expect(outline?.symbols).toEqual([
      { name: 'f', kind: 'function', from: 1, to: 3, parent: -1, exported: true, signature: '' },
    ])
  })

  it('says where a text does not parse, and reads the rest', async () => {
    const broken = await read('def a():\n    pass\n\ndef (:\n\ndef b(): c()\n')
    expect(broken?.symbols.map(({ name }) => name)).toContain('a')
    expect(broken?.error?.at).toBeGreaterThan(0)
    expect(broken?.unread?.length).toBeGreaterThan(0)
  })
})
