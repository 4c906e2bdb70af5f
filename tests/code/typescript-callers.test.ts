// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import type { Caller, Callers } from '../../src/knowledge/code/types.ts'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { processesWith } from '../sandbox/world.ts'
import { openedCode } from './opened-code.ts'

const DEADLINE = { deadlineMs: 30_000 }

const CONFIGURATION = JSON.stringify({
  compilerOptions: {
    strict: true,
    jsx: 'preserve',
    module: 'esnext',
    target: 'esnext',
    lib: ['esnext'],
    experimentalDecorators: true,
  },
  include: ['src'],
})

const PROJECT = {
  'tsconfig.json': CONFIGURATION,
  'src/target.ts': `export function target(a: string): void
export function target(a: number): void
export function target(a: unknown): void {
  if (a === undefined) target('again')
}
export const arrow = () => target('x')
export class Cart {
  run() { return target(1) }
  static make() { return new Cart().run() }
  handler = () => target(3)
  get total() { return target(1) }
  constructor() { target(9) }
}
export function ping(n: number): void { if (n) pong(n); target(n) }
export function pong(n: number): void { ping(n - 1) }
target('top')
`,
  'src/uses.tsx': `import { target as t, Cart } from './target'
import * as ns from './target'
export { target as again } from './target'
import { again as far } from './uses'
declare namespace JSX { interface IntrinsicElements { [name: string]: unknown } }
export function Row(p: { x: number }) { t('row'); return null }
export function Page() { return <Row x={1} /> }
export const named = function () { ns.target(2) }
export const table = { method() { t('m') }, property: () => t('p') }
export const mapped = [1].map(x => t(x))
export function handsOver() { [1].forEach(t) }
function logged(_: unknown, __: unknown) {}
export class Decorated { @logged method() { far(2) } }
export async function later() { (await import('./target')).target('l') }
export function checks(): typeof t { return t }
export const typed: (x: number) => void = (x: number): void => { [x].forEach(t) }
export class Lazy { get all() { return [1].map(t) } }
`,
  'src/look-alike.ts': `function target(a: string) { return a }
export const other = () => target('not this one')
`,
}

const shown = ({ callers }: Callers): string[] =>
  callers.map(({ path, line, chain }: Caller) => `${path.slice(4)}:${line} ${chain.join(' > ')}`)

const possible = (answer: Callers): string[] =>
  answer.possible.map(({ path, line, name, why }) => `${path.slice(4)}:${line} ${name}: ${why}`)

const it = needs('bubblewrap')

describe('callers in TypeScript', () => {
  it('are exact: overloads, aliases, methods, arrows, JSX, decorators, cycles, values', async () => {
    await using workspace = temporaryWorkspace(PROJECT)
    await using code = openedCode(workspace)
    const direct = await code.engine.callers({ name: 'target', path: 'src/target.ts', depth: 1, ...DEADLINE })
    expect(shown(direct)).toEqual([
      'target.ts:4 target > target',
      'target.ts:6 arrow > target',
      'target.ts:8 Cart.run > target',
      'target.ts:10 Cart.handler > target',
      'target.ts:11 Cart.total > target',
      'target.ts:12 Cart.constructor > target',
      'target.ts:14 ping > target',
      'target.ts:16 <module> > target',
      'uses.tsx:6 Row > target',
      'uses.tsx:8 named > target',
      'uses.tsx:9 table.method > target',
      'uses.tsx:9 table.property > target',
      'uses.tsx:10 <module> > target',
      'uses.tsx:13 Decorated.method > target',
      'uses.tsx:14 later > target',
    ])
    expect(direct).toMatchObject({
      target: { name: 'target', path: 'src/target.ts', kind: 'function', exported: true },
      basis: { by: 'server', server: 'typescript' },
      partial: true,
      unknown: [],
    })
    expect(possible(direct)).toEqual([
      'uses.tsx:11 handsOver: passed as a value',
      'uses.tsx:15 checks: passed as a value',
      'uses.tsx:16 typed: passed as a value',
      'uses.tsx:17 Lazy.all: passed as a value',
    ])
    expect(direct.target.signature).toBe('export function target(a: unknown): void')

    const deep = await code.engine.callers({ name: 'target', path: 'src/target.ts', depth: 4, ...DEADLINE })
    expect(shown(deep).filter(line => line.split(' > ').length > 2)).toEqual([
      'target.ts:9 Cart.make > Cart.constructor > target',
      'target.ts:9 Cart.make > Cart.run > target',
      'target.ts:15 pong > ping > target',
      'uses.tsx:7 Page > Row > target',
    ])
    expect(deep.callers.find(({ name }) => name === 'Page')).toMatchObject({
      depth: 2,
      outermost: true,
      steps: [
        { name: 'Page', path: 'src/uses.tsx', line: 7 },
        { name: 'Row', path: 'src/uses.tsx', line: 6 },
      ],
    })
    expect(deep.callers.find(({ name }) => name === 'Row')?.outermost).toBe(false)

    const ask = async (name: string, path: string) =>
      shown(await code.engine.callers({ name, path, depth: 1, ...DEADLINE }))
    // Decorating calls the decorator, constructing the class, and rendering a component the component.
    expect(await ask('logged', 'src/uses.tsx')).toEqual(['uses.tsx:13 Decorated > logged'])
    expect(await ask('Cart', 'src/target.ts')).toEqual(['target.ts:9 Cart.make > Cart'])
    expect(await ask('Row', 'src/uses.tsx')).toEqual(['uses.tsx:7 Page > Row'])
    expect(await ask('ping', 'src/target.ts')).toEqual(['target.ts:15 pong > ping'])
    expect(await ask('target', 'src/look-alike.ts')).toEqual(['look-alike.ts:2 other > target'])
  })

  it('may be who hands it on in an object, by the short form and the long one; no declaration of that name is one', async () => {
    await using workspace = temporaryWorkspace({
      'tsconfig.json': CONFIGURATION,
      'src/a.ts': `export function one(n: number) { return n }
export const short = { one }
export const made = () => ({ one })
export const long = { one: one, other: one }
export class Own { one = 1 }
export interface Shape { one(n: number): number }
`,
    })
    await using code = openedCode(workspace)
    const found = await code.engine.callers({ name: 'one', path: 'src/a.ts', depth: 1, ...DEADLINE })
    expect(found).toMatchObject({ callers: [], partial: true })
    expect(possible(found)).toEqual([
      'a.ts:2 <module>: passed as a value',
      'a.ts:3 made: passed as a value',
      'a.ts:4 <module>: passed as a value',
    ])
  })

  it('are where the call is: of what a module imported at run time gives, and of a class that is extended', async () => {
    await using workspace = temporaryWorkspace({
      'tsconfig.json': CONFIGURATION,
      'src/a.ts': 'export function price(n: number) { return n }\nexport class K { constructor(readonly n = 1) {} }\n',
      'src/b.ts': `export async function renamed() {
  const { price: p } = await import('./a')
  return p(5)
}
export async function plain() {
  const { price } = await import('./a')
  return price(5)
}
export function then() {
  return import('./a').then(({ price: q }) =>
    q(6),
  )
}
`,
      'src/c.ts': `import { K as Q } from './a'
const other = 1
class L extends Q {
  constructor() {
    super(2)
    class Inner extends Object {
      constructor() { super() }
    }
  }
}
const M = class extends Q {}
new M()
new L()
const k = new Q()
`,
    })
    await using code = openedCode(workspace)
    const ask = async (name: string) =>
      shown(await code.engine.callers({ name, path: 'src/a.ts', depth: 1, ...DEADLINE }))
    expect(await ask('price')).toEqual(['b.ts:3 renamed > price', 'b.ts:7 plain > price', 'b.ts:11 then > price'])
    const made = (name: string) => [
      `c.ts:5 L.constructor > ${name}`,
      `c.ts:12 <module> > ${name}`,
      `c.ts:14 <module> > ${name}`,
    ]
    expect(await ask('K')).toEqual(made('K'))
    expect(await ask('K.constructor')).toEqual(made('K'))
  })

  it('of a method may be calls on any and through its interface, and are no doc links, aliases or siblings', async () => {
    await using workspace = temporaryWorkspace({
      'tsconfig.json': CONFIGURATION,
      'src/a.ts': `export interface Shape { area(): number }
export class Circle implements Shape { area() { return 1 } }
export class Square implements Shape { area() { return 2 } }
/** See {@link f} and {@link Circle.area}. */
export function f() {}
export const alias = f
export const aliased = () => alias()
`,
      'src/b.ts': `import { Circle, Square, type Shape } from './a'
export const onCircle = (c: Circle) => c.area()
export const onSquare = (s: Square) => s.area()
export const onShape = (s: Shape) => s.area()
export const onAny = (s: any) => s.area()
export const named = (s: object) => Reflect.get(s, 'area')
`,
    })
    await using code = openedCode(workspace)
    const ask = (name: string) => code.engine.callers({ name, path: 'src/a.ts', depth: 1, ...DEADLINE })
    const area = await ask('Circle.area')
    expect(shown(area)).toEqual(['b.ts:2 onCircle > Circle.area'])
    expect(possible(area)).toEqual([
      'b.ts:4 onShape: called through a declaration that it implements or overrides',
      'b.ts:5 onAny: same name, on a receiver of unknown type',
    ])
    expect(area.unknown).toEqual(['It is looked up by its name as a string: src/b.ts:6'])
    const alias = await ask('f')
    expect(shown(alias)).toEqual([])
    expect(possible(alias)).toEqual([
      'a.ts:6 <module>: passed as a value',
      'a.ts:7 aliased: calls alias, which it is assigned to',
    ])
  })

  it('of a method that is overridden are those on its own type, which are possible ones of what overrides it', async () => {
    await using workspace = temporaryWorkspace({
      'tsconfig.json': CONFIGURATION,
      'src/a.ts': `export class A { f() {} }
export class B extends A { f() {} }
export class C extends A { f() { super.f() } }
export function onA(a: A) { a.f() }
export function onB(b: B) { b.f() }
`,
    })
    await using code = openedCode(workspace)
    const ask = (name: string) => code.engine.callers({ name, path: 'src/a.ts', depth: 1, ...DEADLINE })
    const base = await ask('A.f')
    expect(shown(base)).toEqual(['a.ts:3 C.f > A.f', 'a.ts:4 onA > A.f'])
    expect(base).toMatchObject({ possible: [], unknown: [], partial: false })
    const override = await ask('B.f')
    expect(shown(override)).toEqual(['a.ts:5 onB > B.f'])
    expect(possible(override)).toEqual(['a.ts:4 onA: called through a declaration that it implements or overrides'])
  })

  it('of a getter are the keys of object patterns that take it', async () => {
    await using workspace = temporaryWorkspace({
      'tsconfig.json': CONFIGURATION,
      'src/a.ts': `export class P { get v() { return () => 1 } }
export class Q { v = 2 }
`,
      'src/b.ts': `import { P, Q } from './a'
export function short(p: P) { const { v } = p; return v() }
export function named(p: P) { const { v: w } = p; return [w] }
export function given({ v }: P) { console.log(v) }
export function other({ v }: Q) { return v }
export const late = ({ v = () => 3 }: P) => v
`,
    })
    await using code = openedCode(workspace)
    const found = await code.engine.callers({ name: 'P.v', path: 'src/a.ts', depth: 1, ...DEADLINE })
    expect(shown(found)).toEqual([
      'b.ts:2 short > P.v',
      'b.ts:3 named > P.v',
      'b.ts:4 given > P.v',
      'b.ts:6 late > P.v',
    ])
    expect(found).toMatchObject({ possible: [], unknown: [], partial: false })
  })

  it('of a method that the language calls by itself may be more', async () => {
    await using workspace = temporaryWorkspace({
      'tsconfig.json': CONFIGURATION,
      'src/a.ts': `export class A {
  toJSON() { return 1 }
  *[Symbol.iterator]() { yield 1 }
  other() {}
}
export const text = JSON.stringify(new A())
`,
    })
    await using code = openedCode(workspace)
    const ask = (name: string) => code.engine.callers({ name, path: 'src/a.ts', depth: 1, ...DEADLINE })
    expect(await ask('A.toJSON')).toMatchObject({
      unknown: ['The language calls toJSON without its name being written'],
      partial: true,
    })
    expect((await ask('A.[Symbol.iterator]')).partial).toBe(true)
    expect(await ask('A.other')).toMatchObject({ unknown: [], partial: false })
  })

  it('of a member whose value is a function are calls of it, and not of another that has its name', async () => {
    await using workspace = temporaryWorkspace({
      'tsconfig.json': CONFIGURATION,
      'src/a.ts': `interface Runs { run(): number }
export class A implements Runs {
  run = () => 1
  plain = function* inner() { yield 1 }
  late
  constructor() { this.late = () => 1 }
}
export class B implements Runs { run = async () => 2 as any }
export function use(a: A, b: B, runs: Runs) {
  a.run()
  b.run()
  runs.run()
  a.plain()
  a.late()
}
`,
    })
    await using opened = openedCode(workspace)
    const ask = (name: string) => opened.engine.callers({ name, path: 'src/a.ts', depth: 1, ...DEADLINE })
    const ofA = await ask('A.run')
    expect(shown(ofA)).toEqual(['a.ts:10 use > A.run'])
    expect(possible(ofA)).toEqual(['a.ts:12 use: called through a declaration that it implements or overrides'])
    expect(shown(await ask('B.run'))).toEqual(['a.ts:11 use > B.run'])
    expect(shown(await ask('A.plain'))).toEqual(['a.ts:13 use > A.plain'])
    expect(possible(await ask('A.late'))).toEqual(['a.ts:14 use: calls what is assigned to it elsewhere'])
  })

  it('through what is taken out of an object are certain only for its own type', async () => {
    await using workspace = temporaryWorkspace({
      'tsconfig.json': CONFIGURATION,
      'src/a.ts': `export class A { f() {} }
export class B extends A { f() {} }
export function onA(a: A) { const { f } = a; f() }
export function onB(b: B) { const { f: g } = b; g() }
export function one() { return 1 }
export const all = { one, two: one, three() { return one() } }
`,
    })
    await using code = openedCode(workspace)
    const ask = (name: string) => code.engine.callers({ name, path: 'src/a.ts', depth: 1, ...DEADLINE })
    const override = await ask('B.f')
    expect(shown(override)).toEqual(['a.ts:4 onB > B.f'])
    expect(possible(override)).toEqual(['a.ts:3 onA: called through a declaration that it implements or overrides'])
    // A value beside a call on the same line is one more place.
    const one = await ask('one')
    expect(shown(one)).toEqual(['a.ts:6 all.three > one'])
    expect(possible(one)).toEqual(['a.ts:6 <module>: passed as a value'])
  })

  it('through a type that only says what it wants are possible for a class that has all of it', async () => {
    await using workspace = temporaryWorkspace({
      'tsconfig.json': CONFIGURATION,
      'src/a.ts': `export class Square { area() { return 1 } side() { return 1 } }
export class Line { area() { return 0 } }
export interface Shape { area(): number; side(): number }
export function literal(x: { area(): number }) { return x.area() }
export function named(x: Shape) { return x.area() }
export function own(x: Line) { return x.area() }
`,
    })
    await using code = openedCode(workspace)
    const ask = (name: string) => code.engine.callers({ name, path: 'src/a.ts', depth: 1, ...DEADLINE })
    const why = 'through an interface that its type may satisfy'
    const square = await ask('Square.area')
    expect(shown(square)).toEqual([])
    expect(possible(square)).toEqual([`a.ts:4 literal: ${why}`, `a.ts:5 named: ${why}`])
    const line = await ask('Line.area')
    expect(shown(line)).toEqual(['a.ts:6 own > Line.area'])
    expect(possible(line)).toEqual([`a.ts:4 literal: ${why}`])
  })

  it('of a method that is put into a prototype may be calls on what the server does not know', async () => {
    await using workspace = temporaryWorkspace({
      'src/a.js': `function Old() {}
Old.prototype.run = function () { return 1 }
const old = new Old()
old.run()
`,
    })
    await using opened = openedCode(workspace)
    const answer = await opened.engine.callers({ name: 'run', path: 'src/a.js', depth: 1, ...DEADLINE })
    expect(possible(answer)).toEqual(['a.js:4 <module>: same name, on a receiver of unknown type'])
    expect(answer.partial).toBe(true)
  })

  it('of plain JavaScript are found without npm, which the server would start to install types', async () => {
    const source = 'const map = require("lodash")\nfunction go() { return map([]) }\ngo()\n'
    await using workspace = temporaryWorkspace({ 'package.json': '{"dependencies":{"lodash":"4"}}', 'a.js': source })
    await using code = openedCode(workspace)
    const started = new Set<number>()
    const sampling = setInterval(() => processesWith('types-registry').forEach(pid => started.add(pid)), 20)
    try {
      const callers = await code.engine.callers({ name: 'go', path: 'a.js', depth: 1, ...DEADLINE })
      expect(callers.callers).toHaveLength(1)
      await pause(1000)
    } finally {
      clearInterval(sampling)
    }
    expect([...started]).toEqual([])
  })
})
