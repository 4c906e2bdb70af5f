import { expect, it } from 'vitest'
import { listLines, tableLines } from './table.ts'

const style = { paint: (_colour: string, text: string): string => text }

it('pads columns, and shows nodes by their id and lists by what is in them', () => {
  const rows = [
    { a: { id: 'x#y', more: 1 }, b: [1, 2] },
    { a: null, b: 'text' },
  ]
  expect(tableLines(['a', 'b'], rows, style)).toEqual(['a    b', 'x#y  1, 2', '     text'])
})

it('leaves out empty columns of a list, and cuts what is too wide', () => {
  const [head, row = ''] = listLines([{ path: 'a', noneHere: '', sizeBytes: 1, text: 'x'.repeat(100) }], style)
  expect(head?.split(/ {2,}/)).toEqual(['path', 'size bytes', 'text'])
  expect(row).toMatch(/^a {5}1 {11}x+ …\[100 characters\]… x+$/)
})

it('separates cells by tabs for a reader who sees no columns', () => {
  const rows = [{ a: 'x\ty', b: '', c: 'z' }, { a: 'long '.repeat(30) }]
  const [head, ...lines] = tableLines(['a', 'b', 'c'], rows, { ...style, widest: Infinity, tabs: true })
  expect([head, ...lines]).toEqual(['a\tb\tc', String.raw`x\ty` + '\t\tz', 'long '.repeat(30).trimEnd()])
})
