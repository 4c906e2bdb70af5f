import { describe, expect, it } from 'vitest'
import { KIND, type OutlineSymbol } from '../servers/lsp-schemas.ts'
import { chooseTarget } from './choose-target.ts'
import { namedSymbols } from './named-symbol.ts'

const at = (line: number, from = 0, to = 4) => ({ start: { line, character: from }, end: { line, character: to } })

const symbol = (name: string, kind: number, line: number, children: readonly OutlineSymbol[] = []): OutlineSymbol => ({
  name,
  kind,
  range: { start: { line, character: 0 }, end: { line: line + 9, character: 0 } },
  selectionRange: at(line),
  children,
})

const names = (...outline: readonly OutlineSymbol[]): string[] => namedSymbols(outline).map(({ name }) => name)

describe('namedIn', () => {
  it('gives members the name of what they are in, and functions in functions their own', () => {
    const method = symbol('add', KIND.method, 2, [symbol('inner', KIND.function, 3)])
    expect(names(symbol('Cart', KIND.class, 1, [method]))).toEqual(['Cart', 'Cart.add', 'inner'])
    expect(names(symbol('table', KIND.variable, 1, [symbol('row', KIND.property, 2)]))).toEqual(['table', 'table.row'])
  })

  it.each([
    ['impl Display for Cart', 'Cart.add'],
    ['impl<T> Cart', 'Cart.add'],
  ])('calls what is in Rust’s %s %s', (holder, name) => {
    expect(names(symbol(holder, KIND.object, 1, [symbol('add', KIND.method, 2)]))).toContain(name)
  })

  it.each([
    ['(*Cart).Add', 'Cart.Add'],
    ['Cart.Add', 'Cart.Add'],
    ['shop::Cart::add', 'shop.Cart.add'],
    ['add(int, String)', 'add'],
  ])('calls what a server calls %s %s', (written, name) => {
    expect(names(symbol(written, KIND.method, 1))).toEqual([name])
  })

  it('leaves out code without a name', () => {
    const callback = { ...symbol('map() callback', KIND.function, 2), selectionRange: at(2, 5, 5) }
    expect(names(symbol('f', KIND.function, 1, [callback]))).toEqual(['f'])
  })
})

describe('chooseTarget', () => {
  const outline = [
    symbol('run', KIND.function, 1),
    symbol('run', KIND.function, 2),
    symbol('A', KIND.class, 20, [symbol('run', KIND.method, 21), symbol('stop', KIND.method, 22)]),
    symbol('B', KIND.class, 40, [symbol('stop', KIND.method, 41)]),
  ]
  const chosen = (asked: string) =>
    chooseTarget(namedSymbols(outline), asked, 'a.ts').map(one => one.selection.start.line)

  it('means all overloads, the outer one rather than a method, and a method by its class', () => {
    expect(chosen('run')).toEqual([1, 2])
    expect(chosen('A.run')).toEqual([21])
    expect(chosen('B.stop')).toEqual([41])
  })

  it('refuses what could be several, and what is none', () => {
    expect(() => chosen('stop')).toThrow("'stop' is defined 2 times in a.ts")
    expect(() => chosen('C.run')).toThrow("a.ts has no function 'C.run'")
  })
})
