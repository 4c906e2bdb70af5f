import { describe, expect, it } from 'vitest'
import type { CodeSymbol } from '../../../languages/file-model/code-symbol.ts'
import { packSymbols, unpackSymbols } from './packed-symbols.ts'
import { symbolsAround } from './symbols-around.ts'

const symbol = (name: string, from: number, to: number, within: string[] = []): CodeSymbol => {
  return { name, kind: 'function', from, to, within, exported: false }
}
const SYMBOLS = [
  symbol('Cart', 1, 20),
  symbol('add', 3, 8, ['Cart']),
  symbol('inner', 4, 4, ['Cart', 'add']),
  symbol('String', 30, 40, ['Elsewhere', 'Part']),
  symbol('deep', 33, 34, ['Elsewhere', 'Part', 'String']),
  symbol('last', 50, 50),
]
const packed = packSymbols(SYMBOLS)

describe('the symbol around a place', () => {
  it.each([
    [1, 1, 'Cart'],
    [4, 4, 'Cart.add.inner'],
    [5, 5, 'Cart.add'],
    [4, 6, 'Cart.add'],
    [7, 9, 'Cart'],
    [21, 21, undefined],
    [19, 22, undefined],
    [30, 31, 'Elsewhere.Part.String'],
    [34, 34, 'Elsewhere.Part.String.deep'],
    [50, 50, 'last'],
  ])('of lines %i to %i is %s', (from, to, name) => {
    expect(symbolsAround([{ path: 'a.ts', from, to }], () => packed)).toEqual([name])
  })

  it('is the innermost of all that are around it, in any order of places', () => {
    const places = Array.from({ length: 60 }, (_, at) => ({ path: 'a.ts', from: 60 - at, to: 60 - at }))
    const expected = places.map(({ from }) => {
      const around = unpackSymbols(packed).filter(each => each.from <= from && each.to >= from)
      const inner = around.toSorted((one, other) => one.to - one.from - (other.to - other.from))[0]
      return inner && [...inner.within, inner.name].join('.')
    })
    expect(symbolsAround(places, () => packed)).toEqual(expected)
  })

  it('is looked up once for each file, and left out if unknown', () => {
    const asked: string[] = []
    const symbolsOf = (path: string) => {
      asked.push(path)
      return path === 'a.ts' ? packed : undefined
    }
    const places = [
      { path: 'a.ts', from: 5, to: 5 },
      { path: 'b.txt', from: 5, to: 5 },
      { path: 'a.ts', from: 25, to: 25 },
      { path: 'a.ts', from: 2, to: 2 },
    ]
    expect(symbolsAround(places, symbolsOf)).toEqual(['Cart.add', undefined, undefined, 'Cart'])
    expect(asked).toEqual(['a.ts', 'b.txt'])
  })
})
