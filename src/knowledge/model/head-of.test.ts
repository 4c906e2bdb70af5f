import { expect, it } from 'vitest'
import { headOf } from './head-of.ts'

it.each([
  [
    'a.ts',
    'export function f(\n  a: { b: string },\n  c = () => 1,\n): Map<string, number> {\n  return x\n}',
    'export function f( a: { b: string }, c = () => 1, ): Map<string, number>',
  ],
  ['a.ts', 'export const f = async (a: string) => {\n}', 'export const f = async (a: string)'],
  [
    'a.ts',
    'export class Cart extends Base<Item> implements Shop {',
    'export class Cart extends Base<Item> implements Shop',
  ],
  ['a.py', 'def f(a: int, b={1: 2}) -> list[int]:\n    return []', 'def f(a: int, b={1: 2}) -> list[int]'],
  ['a.kt', 'fun f(a: Int): Int = a + 1\nfun g()', 'fun f(a: Int): Int = a + 1'],
])('the head of a declaration in %s is on one line', (path, text, head) => {
  expect(headOf(path, text)).toBe(head)
})
