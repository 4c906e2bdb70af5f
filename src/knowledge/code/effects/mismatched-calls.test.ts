import { describe, expect, it } from 'vitest'
import { changedSymbols } from './changed-symbols.ts'
import { coveringTests } from './judge-edit.ts'
import { mismatchedCalls } from './mismatched-calls.ts'

const SCRIPT = `import { save as keep } from './store'
import { Card } from './card'
class Page {
  show(other: { save(x: number): void }) {
    keep(
      1,
      ')',
    )
    other.save(2)
    return <Card size={3} />
  }
}
keep(4)
const save = 5
`

const at = async (path: string, text: string, places: readonly [number, number][], names: readonly string[]) => {
  const faults = places.map(([line, column]) => ({ path, line, column, code: 'E', message: '' }))
  const found = await mismatchedCalls(path, text, faults, new Set(names))
  return found.map(({ name, line, calls }) => `${line} ${name} ${calls}`)
}

describe('unfitCalls', () => {
  it('finds the call of something changed that an error lies in, by whatever name', async () => {
    const places: [number, number][] = [
      [6, 7],
      [9, 16],
      [10, 18],
      [13, 1],
      [14, 7],
    ]
    expect(await at('page.tsx', SCRIPT, places, ['save', 'Card'])).toEqual([
      '6 Page.show save',
      '9 Page.show save',
      '10 Page.show Card',
      '13 <module> save',
    ])
    expect(await at('page.tsx', SCRIPT, places, ['other'])).toEqual([])
  })

  it('goes by brackets where the language is another', async () => {
    const text =
      'from .price import price as cost\n\ndef total(items):\n    return sum(cost(each, (1)) for each in items)\n'
    expect(await at('cart.py', text, [[4, 16]], ['price'])).toEqual(['4 total price'])
    expect(await at('cart.py', text, [[4, 28]], ['price'])).toEqual(['4 total price'])
    expect(await at('cart.py', text, [[3, 5]], ['price'])).toEqual([])
    const dotted =
      'from pkg import lib\n\nlib.helper()\npkg.lib.K((1), [2]).helper(3)\nlib.helper\nhelper = lib.other()\n'
    const starts: [number, number][] = [
      [3, 1],
      [4, 1],
      [5, 1],
      [6, 10],
    ]
    expect(await at('use.py', dotted, starts, ['helper'])).toEqual(['3 <module> helper', '4 <module> helper'])
  })
})

describe('unfitCalls of a result', () => {
  const USES = `import { area, size } from './a'
export function one() {
  const s: number = area(3, 4)
  return s
}
export const two = (): number => {
  return area(1, (2))
}
export const three = () => area(1, 2).toFixed()
const { a, b } = area(1, 2)
other(s, area(1, 2))
const list: Map<string, number> =
  area<string>(1, [2])
`
  it('finds the call whose result does not fit where it goes', async () => {
    const places: [number, number][] = [
      [3, 9],
      [7, 3],
      [9, 39],
      [10, 9],
      [11, 7],
      [12, 7],
    ]
    expect(await at('b.ts', USES, places, ['area'])).toEqual([
      '3 one area',
      '7 two area',
      '9 three area',
      '10 <module> area',
      '12 <module> area',
    ])
  })

  it('finds every call of an import that is not there any more', async () => {
    const calls = [
      '3 one area',
      '7 two area',
      '9 three area',
      '10 <module> area',
      '11 <module> area',
      '13 <module> area',
    ]
    expect(await at('b.ts', USES, [[1, 10]], ['area'])).toEqual(calls)
    expect(await at('b.ts', USES, [[1, 16]], ['area'])).toEqual([])
  })
})

describe('changedSymbols', () => {
  it('tells what was touched from what looks otherwise from outside', async () => {
    const before = 'export function f(x: number) {\n  return x\n}\nexport function g() {}\nexport const c = 1\n'
    const after = before.replace('return x', 'return x + 1').replace('g()', 'g(y: string)').replace('c = 1', 'c = "1"')
    const { touched, reshaped } = await changedSymbols('a.ts', before, after)
    expect([...touched].toSorted()).toEqual(['c', 'f', 'g'])
    expect([...reshaped].toSorted()).toEqual(['c', 'g'])
  })

  it('takes a constructor for its class, which is what callers name', async () => {
    const before = 'class A {\n  constructor(x) {}\n}\n'
    const { reshaped } = await changedSymbols('a.js', before, before.replace('x', 'x, y'))
    expect([...reshaped]).toEqual(['A'])
  })
})

describe('coveringTests', () => {
  it('puts those first that name what was changed, then the nearest', () => {
    const texts: Record<string, string> = {
      'src/far.test.ts': 'it("x", () => price())',
      'src/near.test.ts': 'it("x", () => {})',
      'tests/rig.ts': 'export const rig = 1',
      'tests/cases.ts': 'describe("x", () => {})',
      'src/a.ts': 'it(1)',
    }
    const affected = Object.keys(texts).map((path, distance) => ({ path, distance: 5 - distance }))
    const read = (path: string) => texts[path]
    const expected = ['src/far.test.ts', 'tests/cases.ts', 'src/near.test.ts']
    expect(coveringTests(affected, new Set(['price', 'a.b(']), read)).toEqual(expected)
  })
})
