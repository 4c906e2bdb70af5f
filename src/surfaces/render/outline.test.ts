import { expect, it } from 'vitest'
import { outlineLines } from './outline.ts'

it('shows declarations by file, members below what they are in', () => {
  const symbols = [
    { name: 'Cart', kind: 'class', path: 'a.ts', from: 3, to: 20, signature: 'export class Cart' },
    { name: 'Cart.total', kind: 'method', path: 'a.ts', from: 4, to: 6, signature: 'total(\n  prices)' },
    { name: 'one', kind: 'variable', path: 'b.ts', from: 1, to: 1, signature: '' },
  ]
  expect(outlineLines(symbols, { paint: (_colour, text) => text })).toEqual([
    'a.ts',
    '3-20  export class Cart',
    '4-6     total( prices)',
    '',
    'b.ts',
    '1  variable one',
  ])
})
