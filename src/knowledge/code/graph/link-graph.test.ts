import { describe, expect, it } from 'vitest'
import { modelOf } from '../../model/model-of.ts'
import type { CodeGraph, Relation } from './code-graph.ts'
import { linkGraph } from './link-graph.ts'
import { projectOf } from '../resolve/project.ts'

describe('a call on super', () => {
  it('is none of the override that it stands in', async () => {
    const graph = await graphOf({
      'Shape.kt':
        'open class Shape {\n    open fun draw(n: Int = 1) {}\n}\nclass Circle : Shape() {\n    override fun draw(n: Int) { super.draw(n) }\n}\n' +
        'class Square : Shape() {\n    override fun draw(n: Int) {}\n}\n',
    })
    const calls = graph.edges.filter(({ relation }) => relation === 'CALLS')
    expect(calls.filter(({ from, to }) => from === to)).toEqual([])
    expect(calls.filter(({ direct }) => direct).map(({ to }) => to.lines[0])).toEqual([2])
  })
})

describe('TypeScript', () => {
  it('follows calls through aliases, re-exports, namespaces, defaults and require', async () => {
    const graph = await graphOf({
      'lib/a.ts': 'export function one() {}\nexport default function two() {}\nexport const three = () => one()\n',
      'lib/index.ts': "export { one as uno } from './a.ts'\nexport * from './a.ts'\nexport * as all from './a.ts'\n",
      'use.ts':
        "import two, { uno } from './lib/index.ts'\nimport zwei, * as a from './lib/a.ts'\nimport { all, three } from './lib/index.ts'\n" +
        'export function use() {\n  uno()\n  zwei()\n  a.one()\n  all.three()\n  three()\n}\n',
      'old.cjs':
        "const { one } = require('./lib/a')\nconst lib = require('./lib/a')\nmodule.exports = function old() { one(); lib.three() }\n",
    })
    expect(edges(graph, 'CALLS')).toEqual([
      'lib/a.ts#three -> lib/a.ts#one 3',
      'old.cjs#old -> lib/a.ts#one 3',
      'old.cjs#old -> lib/a.ts#three 3',
      'use.ts#use -> lib/a.ts#one 5',
      'use.ts#use -> lib/a.ts#one 7',
      'use.ts#use -> lib/a.ts#three 8',
      'use.ts#use -> lib/a.ts#three 9',
      'use.ts#use -> lib/a.ts#two 6',
    ])
  })

  it('follows what scripts hand on as a whole: Object.assign, spread, and what compilers write for export *', async () => {
    const graph = await graphOf({
      'a.js': 'exports.one = function one() {}\n',
      'b.js': 'function two() {}\nmodule.exports = { two }\n',
      'c.js': 'exports.three = function three() {}\n',
      'd.js': 'exports.four = function four() {}\n',
      'given.js': "Object.assign(exports, require('./a'), { own })\nfunction own() {}\n",
      'index.js':
        "const given = require('./given')\n__exportStar(require('./b'), exports)\ntslib_1.__exportStar(given, exports)\n",
      'spread.js': "module.exports = { ...require('./c'), more: require('./index').two }\n",
      'main.js': 'function main() {}\nmodule.exports = Object.assign(main, { five })\nfunction five() {}\n',
      'made.js': "module.exports = Object.assign({}, require('./spread'), require('./d'))\n",
      'use.js':
        "const { one, two, own } = require('./index')\nconst made = require('./made'), main = require('./main')\nexports.use = function use() {\n  one()\n  two()\n  own()\n  made.three()\n  made.more()\n  made.four()\n  main.five()\n  main()\n}\n",
    })
    expect(edges(graph, 'CALLS')).toEqual([
      'use.js#use -> a.js#one 4',
      'use.js#use -> b.js#two 5',
      'use.js#use -> b.js#two 8',
      'use.js#use -> c.js#three 7',
      'use.js#use -> d.js#four 9',
      'use.js#use -> given.js#own 6',
      'use.js#use -> main.js#five 10',
      'use.js#use -> main.js#main 11',
    ])
  })

  it('heeds shadowing: a parameter, a local or an inner function is not the import of its name', async () => {
    const graph = await graphOf({
      'a.ts': 'export function run() {}\n',
      'b.ts':
        "import { run } from './a.ts'\n" +
        'export function parameter(run: () => void) { run() }\n' +
        'export function local() { const run = () => 1; return run() }\n' +
        'export function block() { { function run() {} run() } run() }\n' +
        'export function caught() { try {} catch (run) { run() } }\n',
    })
    expect(edges(graph, 'CALLS')).toEqual([
      'b.ts#block -> a.ts#run 4',
      'b.ts#block -> b.ts#block.run 4',
      'b.ts#local -> b.ts#local.run 3',
    ])
  })

  it('finds methods by this, super, declared types, fields, results, and elements of lists', async () => {
    const graph = await graphOf({
      'shop.ts':
        'export interface Store { save(): void }\n' +
        'export class Item { price() { return 1 } }\n' +
        'class Base { log() {} }\n' +
        'export class Cart extends Base implements Store {\n' +
        '  items: Item[] = []\n' +
        '  constructor(private readonly store: Store) { super() }\n' +
        '  static make(store: Store) { return new Cart(store) }\n' +
        '  total() { this.log(); return this.items.map(item => item.price()) }\n' +
        '  save() { super.log(); this.store.save() }\n' +
        '}\n',
      'use.ts':
        "import { Cart, type Store } from './shop.ts'\n" +
        'export async function use(store: Store) {\n' +
        '  const cart = Cart.make(store)\n  cart.total()\n  for (const item of cart.items) item.price()\n  store.save()\n}\n',
    })
    expect(edges(graph, 'CALLS')).toEqual([
      'shop.ts#Cart.constructor -> shop.ts#Base 6',
      'shop.ts#Cart.make -> shop.ts#Cart 7',
      'shop.ts#Cart.make -> shop.ts#Cart.constructor 7',
      'shop.ts#Cart.save -> shop.ts#Base.log 9',
      'shop.ts#Cart.save -> shop.ts#Store.save 9',
      'shop.ts#Cart.total -> shop.ts#Base.log 8',
      'shop.ts#Cart.total -> shop.ts#Item.price 8',
      'use.ts#use -> shop.ts#Cart.make 3',
      'use.ts#use -> shop.ts#Cart.total 4',
      'use.ts#use -> shop.ts#Item.price 5',
      'use.ts#use -> shop.ts#Store.save 6',
    ])
    expect(edges(graph, 'EXTENDS')).toEqual(['shop.ts#Cart -> shop.ts#Base 4'])
    expect(edges(graph, 'IMPLEMENTS')).toEqual(['shop.ts#Cart -> shop.ts#Store 4'])
    const indirect = graph.edges.filter(edge => edge.relation === 'CALLS' && !edge.direct)
    expect(indirect.map(({ from, to }) => `${from.id} -> ${to.id}`)).toContain('use.ts#use -> shop.ts#Cart.save')
  })

  it('knows methods of objects by their type, `this` in them, and what a type that can be called gives', async () => {
    const graph = await graphOf({
      'cursor.ts':
        'export type Cursor = { at: number } & { check(): void; read: () => Item }\n' +
        'export interface Item { show(): void }\n' +
        'export interface Item { hide(): void }\n' +
        'class Text implements Item { show() {} hide() {} }\n' +
        'const start: Cursor = {\n' +
        '  at: 0,\n' +
        '  check() {},\n' +
        '  read() { this.check(); return new Text() },\n' +
        '  [Symbol.iterator]() { this.check() },\n' +
        '}\n' +
        'export const open: { (name: string): Cursor; <A>(): (a: A) => Cursor } = dual(start)\n' +
        'const nested = { method() { return wrap({ inner() { this.method() } }) } }\n',
      'use.ts':
        "import * as C from './cursor.ts'\n" +
        "export const use = () => C.open('x').read().show()\n" +
        'export const typed = dual<(c: C.Cursor) => void, (c: C.Cursor, n: number) => void>(2, (c, n) => c.check())\n' +
        'export function hides(item: C.Item) { item.hide() }\n',
    })
    expect(edges(graph, 'CALLS')).toEqual([
      'cursor.ts#start -> cursor.ts#start.check 9',
      'cursor.ts#start.read -> cursor.ts#Text 8',
      'cursor.ts#start.read -> cursor.ts#start.check 8',
      'use.ts#hides -> cursor.ts#Item.hide 4',
      'use.ts#typed -> cursor.ts#Cursor.check 3',
      'use.ts#use -> cursor.ts#Item.show 2',
      'use.ts#use -> cursor.ts#open 2',
    ])
    const indirect = graph.edges.filter(({ relation, direct }) => relation === 'CALLS' && !direct)
    const shown = indirect.map(({ from, to }) => `${from.id} -> ${to.id}`)
    for (const call of ['typed -> cursor.ts#start.check', 'use -> cursor.ts#Text.show', 'hides -> cursor.ts#Text.hide'])
      expect(shown).toContain(`use.ts#${call}`)
    expect(shown).toContain('use.ts#use -> cursor.ts#start.read')
  })

  it('knows components, decorators, overloads, signatures, exact lines, exports and tests', async () => {
    const graph = await graphOf({
      'view.tsx': 'export const Button = () => <button />\nexport function Page() {\n  return <Button />\n}\n',
      'over.ts':
        'export function over(a: string): void\nexport function over(a: number): void\nexport function over(a: unknown) {}\n' +
        'function mark(target: object) {}\n@mark\nclass Marked {}\nover(1)\n',
      'over.test.ts':
        "import { it } from 'vitest'\nimport { over } from './over.ts'\nfunction twice() { over(1) }\nit('works', () => {\n  twice()\n})\n",
    })
    expect(edges(graph, 'CALLS')).toEqual([
      'over.test.ts#twice -> over.ts#over 3',
      'over.test.ts#works -> over.test.ts#twice 5',
      'over.ts -> over.ts#over 7',
      'over.ts#Marked -> over.ts#mark 5',
      'view.tsx#Page -> view.tsx#Button 3',
    ])
    expect(edges(graph, 'TESTS')).toEqual(['over.test.ts#works -> over.ts#over 0'])
    expect(edges(graph, 'EXPORTS')).toEqual([
      'over.ts -> over.ts#over 1',
      'view.tsx -> view.tsx#Button 1',
      'view.tsx -> view.tsx#Page 2',
    ])
    const node = (id: string) => graph.nodes.find(each => each.id === id)
    expect(node('over.ts#over')).toMatchObject({
      label: 'Function',
      lines: [1, 3],
      exported: true,
      language: 'typescript',
    })
    expect(node('over.ts#over')?.signature).toBe('export function over(a: string): void')
    expect(node('over.ts#Marked')).toMatchObject({ label: 'Class', lines: [5, 6], exported: false })
    expect(node('over.test.ts#works')).toMatchObject({ label: 'Test', name: 'works', lines: [4, 6] })
  })

  it('finds packages of a workspace, paths of a tsconfig.json and modules from outside', async () => {
    const graph = await graphOf(
      {
        'packages/core/src/index.ts': 'export function core() {}\n',
        'app/src/deep/util.ts': 'export function util() {}\n',
        'app/src/main.ts':
          "import { core } from '@shop/core'\nimport { util } from '@/deep/util'\nimport { readFile } from 'node:fs'\ncore()\nutil()\nreadFile()\n",
      },
      {
        'packages/core/package.json': '{ "name": "@shop/core", "main": "dist/index.js" }',
        'app/tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"], }, } } // comment',
      },
    )
    expect(edges(graph, 'CALLS')).toEqual([
      'app/src/main.ts -> app/src/deep/util.ts#util 5',
      'app/src/main.ts -> packages/core/src/index.ts#core 4',
    ])
    expect(edges(graph, 'IMPORTS')).toContain('app/src/main.ts -> javascript:node:fs 3')
  })
})

describe('Python', () => {
  it('follows imports, aliases, modules, self and classes, and knows tests', async () => {
    const graph = await graphOf({
      'app/__init__.py': '',
      'app/a.py':
        'def one():\n    pass\n\nclass Cart:\n    def __init__(self):\n        self.log()\n    def log(self):\n        one()\n',
      'app/b.py':
        'from .a import one as uno, Cart\nimport app.a\n\ndef two():\n    uno()\n    Cart().log()\n    app.a.one()\n',
      'other.py': 'def one():\n    pass\n',
      'tests/test_a.py': 'from app.a import one\n\ndef test_one():\n    assert one() is None\n',
    })
    expect(edges(graph, 'CALLS')).toEqual([
      'app/a.py#Cart.__init__ -> app/a.py#Cart.log 6',
      'app/a.py#Cart.log -> app/a.py#one 8',
      'app/b.py#two -> app/a.py#Cart 6',
      'app/b.py#two -> app/a.py#Cart.__init__ 6',
      'app/b.py#two -> app/a.py#Cart.log 6',
      'app/b.py#two -> app/a.py#one 5',
      'app/b.py#two -> app/a.py#one 7',
      'tests/test_a.py#test_one -> app/a.py#one 4',
    ])
    expect(edges(graph, 'TESTS')).toEqual(['tests/test_a.py#test_one -> app/a.py#one 0'])
    expect(edges(graph, 'IMPORTS')).toContain('app/b.py -> app/a.py 2')
  })

  it('follows calls through the name of a module, however that is imported', async () => {
    const graph = await graphOf({
      'pkg/__init__.py': '',
      'pkg/lib.py': 'def helper():\n    pass\n\nclass K:\n    def m(self):\n        pass\n',
      'pkg/sub/__init__.py': '',
      'pkg/sub/deep.py': 'from .. import lib as up\nfrom ..lib import K\n\ndef deep():\n    up.helper()\n',
      'pkg/near.py': 'from . import lib as Z\n\ndef near():\n    Z.helper()\n',
      'far.py':
        'from pkg import lib\nimport pkg.lib as L\nimport pkg.lib\n\ndef one():\n    lib.helper()\n    lib.K().m()\n\n' +
        'def two(k: lib.K):\n    L.helper()\n    pkg.lib.helper()\n    k.m()\n',
      // Neither is the module of that name.
      'lib.py': 'def helper():\n    pass\n',
      'other.py': 'from elsewhere import lib\n\ndef other(pkg):\n    pkg.lib.helper()\n    lib.helper()\n',
    })
    expect(edges(graph, 'CALLS')).toEqual([
      'far.py#one -> pkg/lib.py#K 7',
      'far.py#one -> pkg/lib.py#K.m 7',
      'far.py#one -> pkg/lib.py#helper 6',
      'far.py#two -> pkg/lib.py#K.m 12',
      'far.py#two -> pkg/lib.py#helper 10',
      'far.py#two -> pkg/lib.py#helper 11',
      'pkg/near.py#near -> pkg/lib.py#helper 4',
      'pkg/sub/deep.py#deep -> pkg/lib.py#helper 5',
    ])
    expect(edges(graph, 'IMPORTS')).toContain('far.py -> pkg/lib.py 1')
    expect(edges(graph, 'IMPORTS')).toContain('pkg/near.py -> pkg/lib.py 1')
  })
})

describe('type arguments', () => {
  it('say what members of a generic base are', async () => {
    const graph = await graphOf({
      'a.ts':
        'class Tool { run() {} }\ninterface Held<T> { value: T }\nclass Base<D extends Held<unknown>> {\n  def!: D\n}\n' +
        'class Own extends Base<Held<Tool>> {\n  use() {\n    this.def.value.run()\n  }\n}\n' +
        'export const use = (own: Own, other: Base<Held<Tool>>) => {\n  own.def.value.run()\n  other.def.value.run()\n}\n',
    })
    expect(edges(graph, 'CALLS')).toEqual([
      'a.ts#Own.use -> a.ts#Tool.run 8',
      'a.ts#use -> a.ts#Tool.run 12',
      'a.ts#use -> a.ts#Tool.run 13',
    ])
  })

  it('of a call say what it hands to a function, also where only the variable names them', async () => {
    const graph = await graphOf({
      'a.ts':
        'class Tool { run() {} }\ninterface Made<T> { (tool: T): void }\ndeclare function Made<T, D = T>(name: string, start: (one: T, other: D) => void): Made<T>\n' +
        "Made<Tool>('a', (one, other) => {\n  one.run()\n  other.run()\n})\nexport const made: Made<Tool> = Made('b', one => one.run())\n",
    })
    expect(edges(graph, 'CALLS').filter(each => each.includes('run'))).toEqual([
      'a.ts -> a.ts#Tool.run 5',
      'a.ts -> a.ts#Tool.run 6',
      'a.ts#made -> a.ts#Tool.run 8',
    ])
  })

  it('of types that hold themselves end', async () => {
    const graph = await graphOf({
      'a.ts':
        'class Nest<T> {\n  inner!: Nest<Nest<T>>\n  value!: T\n  run() {}\n}\n' +
        'export const use = (nest: Nest<string>) => nest.inner.inner.inner.inner.inner.run()\n',
    })
    expect(edges(graph, 'CALLS')).toEqual(['a.ts#use -> a.ts#Nest.run 6'])
  })

  it('leave static members of a base that is a value', async () => {
    const graph = await graphOf({
      'a.ts':
        'interface Schema { pipe(): Schema }\ninterface SchemaClass extends Schema { new (): object }\ndeclare function make(): SchemaClass\n' +
        'class Text extends make() {}\nexport const use = () => Text.pipe()\n',
    })
    expect(edges(graph, 'CALLS')).toContain('a.ts#use -> a.ts#Schema.pipe 5')
  })
})

describe('what refers to itself', () => {
  it('ends: an attribute of Python that has the name of an import', async () => {
    const graph = await graphOf({
      'z.py': 'def r():\n    pass\n',
      'a.py':
        'from z import r\n\nclass A:\n    def a(self):\n        self.r = r\n        self.r.y()\n        self.r.x = 1\n        r()\n',
    })
    expect(edges(graph, 'CALLS')).toEqual(['a.py#A.a -> z.py#r 8'])
  })

  it('ends: variables, bases, imports and exports in rings', async () => {
    const graph = await graphOf({
      'a.ts':
        "export * from './b.ts'\nimport { two } from './b.ts'\nexport const one = two\nexport class A extends B {}\nclass B extends A {}\nnew A().run()\none()\n",
      'b.ts':
        "export * from './a.ts'\nimport { one } from './a.ts'\nexport const two = one\nexport function real() {}\n",
      'c.ts': "import { real } from './a.ts'\nexport const use = () => real()\n",
      'd.py': 'from e import *\n\nclass C(D):\n    pass\n\nC().run()\n',
      'e.py': 'from d import *\n\nclass D(C):\n    def run(self):\n        pass\n',
    })
    expect(edges(graph, 'CALLS')).toEqual(expect.arrayContaining(['c.ts#use -> b.ts#real 2', 'd.py -> e.py#D.run 6']))
  })

  it('ends: a thousand variables, each the result of the one before', async () => {
    const lines = Array.from({ length: 1000 }, (_, at) => `export const v${at + 1} = v${at}\n`)
    const graph = await graphOf({ 'a.ts': `const v0 = run\nfunction run() {}\n${lines.join('')}v1000()\n` })
    expect(graph.nodes.length).toBeGreaterThan(1000)
  })
})

describe('Java and Kotlin', () => {
  it('tells packages, overloads by arity, companions and extension functions apart', async () => {
    const graph = await graphOf({
      'a/Tool.java':
        'package a;\npublic class Tool {\n  public static void run(int x) {}\n  public static void run(int x, int y) {}\n  void own() { run(1); }\n}\n',
      'b/Tool.java': 'package b;\npublic class Tool {\n  public static void run(int x) {}\n}\n',
      'c/Use.java':
        'package c;\nimport a.Tool;\nimport android.view.View;\nclass Use {\n  void use(View view) {\n    Tool.run(1, 2);\n    view.run(1);\n  }\n}\n',
      'k/Shop.kt':
        'package k\nclass Cart {\n  companion object {\n    fun make(): Cart = Cart()\n  }\n  fun total(): Int = 1\n}\nfun Cart.shown(): String = total().toString()\n',
      'k/Use.kt':
        'package u\nimport k.Cart\nimport k.shown\nfun use(cart: Cart) {\n  Cart.make().total()\n  cart.shown()\n}\n',
    })
    expect(edges(graph, 'CALLS')).toEqual([
      'a/Tool.java#Tool.own -> a/Tool.java#Tool.run 5',
      'c/Use.java#Use.use -> a/Tool.java#Tool.run~2 6',
      'k/Shop.kt#Cart.Companion.make -> k/Shop.kt#Cart 4',
      'k/Shop.kt#shown -> k/Shop.kt#Cart.total 8',
      'k/Use.kt#use -> k/Shop.kt#Cart.Companion.make 5',
      'k/Use.kt#use -> k/Shop.kt#Cart.total 5',
      'k/Use.kt#use -> k/Shop.kt#shown 6',
    ])
  })
})

describe('overrides in Java and Kotlin', () => {
  it('are only methods that say so, or take the same and are neither static nor private', async () => {
    const graph = await graphOf({
      'a.kt':
        'package a\nopen class Base {\n  open fun f(x: Int) {}\n  open fun g(x: Int) {}\n}\nclass D : Base() {\n  fun f(s: String) {}\n  override fun g(x: Int) {}\n}\nfun on(b: Base) { b.f(3); b.g(3) }\n',
      'B.java':
        'package b;\nclass B {\n  private void p(int x) {}\n  void q(int x) {}\n  void r(int x) {}\n  void in() { p(1); q(1); r(1); }\n}\n',
      'C.java': 'package b;\nclass C extends B {\n  void p(int x) {}\n  void q(int x) {}\n  void r(String x) {}\n}\n',
    })
    const indirect = graph.edges.filter(({ relation, direct }) => relation === 'CALLS' && !direct)
    expect(indirect.map(({ from, to }) => `${from.id} -> ${to.id}`)).toEqual([
      'a.kt#on -> a.kt#D.g',
      'B.java#B.in -> C.java#C.q',
    ])
  })
})

describe('C, C++, PHP, Ruby and Swift', () => {
  it('have calls and imports, and what is private to a file stays there', async () => {
    const graph = await graphOf({
      'include/price.h': 'int price(int item);\n',
      'src/price.c':
        '#include "price.h"\nint price(int item) { return item; }\nstatic int own(void) { return price(1); }\n',
      'src/use.c': '#include "../include/price.h"\nint use(void) { return price(1) + own(); }\n',
      'src/cart.cpp': 'namespace shop {\nint find(int x) { return x; }\nint run() { return find(1); }\n}\n',
      'a.rb': 'class Cart\n  def total\n    price 1\n  end\n\n  def price(x)\n    x\n  end\nend\n',
      'a.php':
        '<?php\nfunction price($x) { return $x; }\nclass Cart { function total() { return price(1) + $this->own(); } function own() {} }\n',
      'a.swift': 'func price(_ x: Int) -> Int { return x }\n',
      'b.swift': 'class Cart { func total() -> Int { return price(1) } }\n',
    })
    expect(edges(graph, 'CALLS')).toEqual([
      'a.php#Cart.total -> a.php#Cart.own 3',
      'a.php#Cart.total -> a.php#price 3',
      'a.rb#Cart.total -> a.rb#Cart.price 3',
      'b.swift#Cart.total -> a.swift#price 1',
      'src/cart.cpp#shop.run -> src/cart.cpp#shop.find 3',
      'src/price.c#own -> src/price.c#price 3',
      'src/use.c#use -> include/price.h#price 2',
      'src/use.c#use -> src/price.c#price 2',
    ])
    expect(edges(graph, 'IMPORTS')).toEqual(['src/price.c -> include/price.h 1', 'src/use.c -> include/price.h 1'])
  })
})

describe('tests', () => {
  it('are those that JUnit, pytest, go test, cargo test, xUnit, NUnit, PHPUnit and XCTest run', async () => {
    const graph = await graphOf({
      'main/Shop.java': 'package shop;\npublic class Shop { public int price() { return 1; } }\n',
      'test/ShopTest.java':
        'package shop;\nimport org.junit.jupiter.api.Test;\nclass ShopTest {\n  @Test void works() { new Shop().price(); }\n  @Test @DisplayName("again") void again() { help(); }\n  void help() { new Shop().price(); }\n}\n',
      'main/Cart.kt': 'package cart\nclass Cart { fun total(): Int = 1 }\n',
      'test/CartTest.kt':
        'package cart\nimport org.junit.Test\nclass CartTest {\n  @Test fun `adds up`() { Cart().total() }\n  fun help() {}\n}\n',
      'shop/price.py': 'def price():\n    return 1\n',
      'shop/test_price.py':
        'from shop.price import price\n\n\ndef test_price():\n    assert price() == 1\n\n\ndef helper():\n    pass\n',
      'go/shop.go': 'package shop\n\nfunc Price() int { return 1 }\n',
      'go/shop_test.go':
        'package shop\n\nimport "testing"\n\nfunc TestPrice(t *testing.T) { Price() }\n\nfunc helper() {}\n',
      'rust/lib.rs':
        'pub fn price() -> i32 {\n    1\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    #[should_panic]\n    fn works() {\n        price();\n    }\n\n    fn helper() {}\n}\n',
      'cs/Shop.cs': 'namespace Shop { public class Till { public int Price() { return 1; } } }\n',
      'cs/ShopTests.cs':
        'using Xunit;\nnamespace Shop { public class TillTests {\n  [Fact] public void Works() { new Till().Price(); }\n  [Test] public void Again() { new Till().Price(); }\n  public void Help() {}\n} }\n',
      'php/Shop.php': '<?php\nfunction price() { return 1; }\n',
      'php/ShopTest.php':
        '<?php\nclass ShopTest extends TestCase {\n  public function testPrice() { price(); }\n  #[Test] public function again() { price(); }\n  private function help() {}\n}\n',
      'ios/Shop.swift': 'func price() -> Int { return 1 }\n',
      'ios/ShopTests.swift': 'class ShopTests: XCTestCase {\n  func testPrice() { price() }\n  func help() {}\n}\n',
    })
    const tests = graph.nodes.flatMap(({ label, id }) => (label === 'Test' ? [id] : []))
    expect(tests.toSorted()).toEqual([
      'cs/ShopTests.cs#Shop.TillTests.Again',
      'cs/ShopTests.cs#Shop.TillTests.Works',
      'go/shop_test.go#TestPrice',
      'ios/ShopTests.swift#ShopTests.testPrice',
      'php/ShopTest.php#ShopTest.again',
      'php/ShopTest.php#ShopTest.testPrice',
      'rust/lib.rs#tests.works',
      'shop/test_price.py#test_price',
      'test/CartTest.kt#CartTest.`adds up`',
      'test/ShopTest.java#ShopTest.again',
      'test/ShopTest.java#ShopTest.works',
    ])
    expect(edges(graph, 'TESTS')).toEqual([
      'cs/ShopTests.cs#Shop.TillTests.Again -> cs/Shop.cs#Shop.Till 0',
      'cs/ShopTests.cs#Shop.TillTests.Again -> cs/Shop.cs#Shop.Till.Price 0',
      'cs/ShopTests.cs#Shop.TillTests.Works -> cs/Shop.cs#Shop.Till 0',
      'cs/ShopTests.cs#Shop.TillTests.Works -> cs/Shop.cs#Shop.Till.Price 0',
      'go/shop_test.go#TestPrice -> go/shop.go#Price 0',
      'ios/ShopTests.swift#ShopTests.testPrice -> ios/Shop.swift#price 0',
      'php/ShopTest.php#ShopTest.again -> php/Shop.php#price 0',
      'php/ShopTest.php#ShopTest.testPrice -> php/Shop.php#price 0',
      'rust/lib.rs#tests.works -> rust/lib.rs#price 0',
      'shop/test_price.py#test_price -> shop/price.py#price 0',
      'test/CartTest.kt#CartTest.`adds up` -> main/Cart.kt#Cart 0',
      'test/CartTest.kt#CartTest.`adds up` -> main/Cart.kt#Cart.total 0',
      'test/ShopTest.java#ShopTest.again -> main/Shop.java#Shop 0',
      'test/ShopTest.java#ShopTest.again -> main/Shop.java#Shop.price 0',
      'test/ShopTest.java#ShopTest.works -> main/Shop.java#Shop 0',
      'test/ShopTest.java#ShopTest.works -> main/Shop.java#Shop.price 0',
    ])
  })
})

describe('Vue', () => {
  it('has the code of its scripts, on the lines where it stands', async () => {
    const graph = await graphOf({
      'a.ts': 'export function price() {}\n',
      'Cart.vue':
        '<template>\n  <p />\n</template>\n<script setup lang="ts">\nimport { price } from \'./a.ts\'\nfunction total() {\n  price()\n}\n</script>\n',
    })
    expect(edges(graph, 'CALLS')).toEqual(['Cart.vue#total -> a.ts#price 7'])
    expect(graph.nodes.find(({ id }) => id === 'Cart.vue#total')).toMatchObject({ lines: [6, 8], language: 'vue' })
  })
})

async function graphOf(
  files: Readonly<Record<string, string>>,
  configs: Readonly<Record<string, string>> = {},
): Promise<CodeGraph> {
  const codes = []
  for (const [path, text] of Object.entries(files)) {
    const code = await modelOf(path, Buffer.from(text))
    if (code) codes.push([path, code] as const)
  }
  return linkGraph(
    projectOf(codes),
    Object.entries(configs).map(([path, text]) => ({ path, text })),
  )
}

/** Direct ones, in order. */
const edges = (graph: CodeGraph, relation: Relation): readonly string[] =>
  graph.edges
    .filter(edge => edge.relation === relation && edge.direct)
    .map(({ from, to, line }) => `${from.id} -> ${to.id} ${line}`)
    .toSorted()
