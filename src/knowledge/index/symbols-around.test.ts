import { describe, expect, it } from 'vitest'
import { symbolAround, symbolsAround } from './symbols-around.ts'
import type { CodeSymbol } from '../model/code-symbol.ts'
import type { FileFacts } from './types.ts'

const symbol = (name: string, from: number, to: number, within: string[] = []): CodeSymbol => {
  return { name, kind: 'function', from, to, within, exported: false }
}
const facts: FileFacts = {
  language: 'typescript',
  exports: [],
  tags: [],
  symbols: [symbol('Cart', 1, 20), symbol('add', 3, 8, ['Cart']), symbol('inner', 4, 4, ['Cart', 'add'])],
}

describe('the symbol around a line', () => {
  it.each([
    [1, 1, 'Cart'],
    [4, 4, 'Cart.add.inner'],
    [5, 5, 'Cart.add'],
    [4, 6, 'Cart.add'],
    [7, 9, 'Cart'],
    [21, 21, undefined],
    [19, 22, undefined],
  ])('of lines %i to %i is %s', (from, to, name) => {
    expect(symbolAround(facts, from, to)).toBe(name)
  })

  it('is looked up once for each file, and left out if unknown', async () => {
    const asked: string[] = []
    const known = (path: string) => {
      asked.push(path)
      return path === 'a.ts' ? Promise.resolve(facts) : undefined
    }
    const places = [
      { path: 'a.ts', line: 5 },
      { path: 'b.txt', line: 5 },
      { path: 'a.ts', line: 30 },
      { path: 'a.ts', line: 2 },
    ]
    expect(await symbolsAround({ known }, places)).toEqual(['Cart.add', undefined, undefined, 'Cart'])
    expect(asked).toEqual(['a.ts', 'b.txt'])
  })
})
