import { describe, expect, it } from 'vitest'
import { writtenBases } from './written-bases.ts'

/** The bases of the first class of a text, as they stand at the places that are given for them. */
function bases(text: string) {
  const lines = text.split('\n')
  const character = 'class Sub'.length
  const at = { line: 0, character }
  const { names, isUnsure } = writtenBases(lines, { selection: { start: { line: 0, character: 6 }, end: at } })
  for (const { name, position } of names)
    expect(lines[position.line]?.slice(position.character, position.character + name.length)).toBe(name)
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
    ["class Sub(\n    Base,  # not Old)\n    Mixin[Literal[')']],\n    flag=True,\n): pass", ['Base', 'Mixin']],
  ])('finds the bases in %j', (text, names) => {
    expect(bases(text)).toEqual({ names, isUnsure: false })
  })

  it('says where a base is no name', () => {
    expect(bases('class Sub(made(Base), Other): pass')).toEqual({ names: ['Other'], isUnsure: true })
    expect(bases('class Sub(*all): pass')).toEqual({ names: [], isUnsure: true })
  })
})
