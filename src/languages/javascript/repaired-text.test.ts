import { describe, expect, it } from 'vitest'
import { scriptOutline } from './javascript-model.ts'

const STATEMENTS = [
  "import { x } from './x'\nexport const first = x",
  'export function second(a, b = {}) {\n  if (a) {\n    return [b, `text ${a}`]\n  }\n  return x(a, () => {\n    b()\n  })\n}',
  'export class Third {\n  run() {\n    for (const a of this.all) a()\n  }\n}',
  'export const fourth = {\n  a: 1,\n  b: [2, 3],\n}',
  '// A word about it.\nexport const fifth = a => {\n  return a + 1\n}',
]
const NAMES = ['first', 'second', 'Third', 'fourth', 'fifth']
const exportsOf = (text: string) => scriptOutline('a.js', 'javascript', text, {}).exportNames

describe('a file with a mistake in it', () => {
  it('is read whole if there is no error', () => {
    expect(exportsOf(STATEMENTS.join('\n\n'))).toEqual(NAMES)
  })

  it.each([...STATEMENTS.keys()])('has every export but that of statement %i, where a sign of it is missing', at => {
    const statement = STATEMENTS[at] ?? ''
    for (const [place, sign] of [...statement].entries()) {
      if (!"(){}[]=`'".includes(sign)) continue
      const broken = statement.slice(0, place) + statement.slice(place + 1)
      const names = exportsOf(STATEMENTS.with(at, broken).join('\n\n'))
      expect({ broken, names }).toEqual({
        broken,
        names: expect.arrayContaining(NAMES.filter((_, other) => other !== at)),
      })
    }
  })

  it('has the export of a statement of which only the inside is broken', () => {
    for (const inside of ['const a =', 'if (a) {', 'call({ a: [', 'return `text', 'a b c'])
      expect(exportsOf(`export function one() {\n  ${inside}\n}\n\nexport const two = 1\n`)).toEqual(['one', 'two'])
  })

  it('has none where nothing of it can be read', () => {
    expect(exportsOf(')'.repeat(100))).toEqual([])
    expect(exportsOf('export const\n'.repeat(200))).toEqual([])
  })
})
