import { describe, expect, it } from 'vitest'
import { parseModel } from '../../../model/parse-model.ts'
import { writtenBases } from './written-bases.ts'

/** The bases of the first class of a text, as they stand at the places that are given for them. */
async function bases(text: string) {
  const code = await parseModel('a.py', Buffer.from(text))
  if (!code) throw new Error('Python is parsed')
  const { names, isUnsure } = writtenBases(code, text.indexOf('Sub'))
  for (const { name, at } of names) expect(text.slice(at, at + name.length)).toBe(name)
  return { names: names.map(({ name }) => name), isUnsure }
}

describe('writtenBases', () => {
  it.each([
    ['class Sub: pass', []],
    ['class Sub: x = (Base)', []],
    ['class Sub(): pass', []],
    ['class Sub(Base): pass', ['Base']],
    ['class Sub[T: (int, str)](Base[T], metaclass=Meta): pass', ['Base']],
    ['class Sub(a.b.Base, Generic[Base, Other]): pass', ['Base', 'Generic']],
    ['class Sub(a.Base[int]): x = made()', ['Base']],
    ["class Sub(\n    Base,  # not Old)\n    Mixin[Literal[')']],\n    flag=True,\n): pass", ['Base', 'Mixin']],
  ])('finds the bases in %j', async (text, names) => {
    expect(await bases(text)).toEqual({ names, isUnsure: false })
  })

  it('says where a base is no name', async () => {
    expect(await bases('class Sub(made(Base), Other): pass')).toEqual({ names: ['Other'], isUnsure: true })
    expect(await bases('class Sub(*all): pass')).toEqual({ names: [], isUnsure: true })
  })
})
