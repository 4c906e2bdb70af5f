import { describe, expect, it } from 'vitest'
import { syntaxOf } from '../../knowledge/model/syntax/syntax-of.ts'
import { scriptModel, scriptOutline } from './javascript-model.ts'

const referencesIn = (text: string) =>
  scriptModel('a.ts', 'typescript', text).references.map(
    ({ kind, line, value, handed }) => `${line} ${kind}${handed ? ' handed' : ''} ${JSON.stringify(value)}`,
  )

const spansIn = async (path: string, text: string) => {
  const { spans = [] } = (await syntaxOf(path, text)) ?? {}
  return spans.map(({ name, kind, start, end }) => `${name} ${kind}: ${text.slice(start, end).replaceAll(/\s+/g, ' ')}`)
}

describe('references', () => {
  it('are calls where something is called, and nothing else is', () => {
    const code = 'function f() {}\n/** See {@link f} */\nconst alias = f\ntypeof f\nf()\nnew f()\n'
    expect(referencesIn(code)).toEqual([
      '3 use handed ["symbol",0]',
      '4 use ["symbol",0]',
      '5 call ["symbol",0]',
      '6 new ["symbol",0]',
    ])
  })

  it('are types of parameters, and never the names of parameters', () => {
    const code = 'interface T {}\nfunction f() {}\ninterface A {\n  go(f: T): void\n  [f: keyof T]: unknown\n}\n'
    expect(referencesIn(code)).toEqual(['4 use ["symbol",0]'])
  })

  it.each([
    ['an argument', 'run(f)'],
    ['an element', '[f]'],
    ['a property', '({ a: f })'],
    ['a shorthand property', '({ f })'],
    ['a result', '() => f'],
    ['a returned value', 'function g() { return f }'],
    ['one of two', 'const a = b ? f : c'],
    ['a default', 'function g(a = f) {}'],
    ['what something else is set to', 'a.b = f'],
    ['a spread', 'run(...f)'],
    ['an attribute', 'export const a = [f as Function]'],
  ])('say that a function is handed on: %s', (_what, code) => {
    expect(referencesIn(`function f() {}\n${code}`)).toContain('2 use handed ["symbol",0]')
  })

  it.each([
    ['an operand', 'f === g'],
    ['what a member is taken of', 'run(f.name)'],
    ['what is tested', 'if (f) {}'],
    ['a type', 'let a: typeof f'],
  ])('say nothing of the kind of what is only looked at: %s', (_what, code) => {
    expect(referencesIn(`function f() {}\n${code}`)).toContain('2 use ["symbol",0]')
  })

  it('keep the name of what is called on something unknown', () => {
    const code = 'function use(q) {\n  q.pick()\n  q[key]()\n  run(q.other)\n}\n'
    expect(referencesIn(code)).toContain('2 call ["member",["name",""],"pick"]')
    expect(referencesIn(code)).toContain('4 use handed ["member",["name",""],"other"]')
  })

  it('know what a class without a name has', () => {
    const code = 'export const mixin = () => class {\n  run() { this.stop() }\n  stop() {}\n}\n'
    const { symbols, references } = scriptModel('a.ts', 'typescript', code)
    expect(symbols.map(({ name, parent }) => `${name} in ${parent}`)).toEqual([
      'mixin in -1',
      ' in 0',
      'run in 1',
      'stop in 1',
    ])
    expect(references).toMatchObject([{ kind: 'call', by: 2, value: ['member', ['instance', ['symbol', 1]], 'stop'] }])
  })
})

describe('declarations', () => {
  it('have exact spans, with overloads as one and entries where they are asked for', async () => {
    const code = `export function f(a: string): void
export function f(a: number): void
export function f(a: unknown) {}
@made
export class C { @own() m() {} options = { deep: 1 } }
const { left, rest: [right] } = x, other = 2
enum E { A, B = 2 }
interface I { a(): void; a(b: 1): void; b: { c: 1 } }
`
    expect(await spansIn('a.ts', code)).toEqual([
      'f function: export function f(a: string): void export function f(a: number): void export function f(a: unknown) {}',
      'C class: @made export class C { @own() m() {} options = { deep: 1 } }',
      'C.m method: @own() m() {}',
      'C.options property: options = { deep: 1 }',
      'C.options.deep property: deep: 1',
      'left variable: { left, rest: [right] } = x',
      'right variable: { left, rest: [right] } = x',
      'other variable: other = 2',
      'E enum: enum E { A, B = 2 }',
      'E.A property: A',
      'E.B property: B = 2',
      'I interface: interface I { a(): void; a(b: 1): void; b: { c: 1 } }',
      'I.a method: a(): void; a(b: 1): void;',
      'I.b property: b: { c: 1 }',
      'I.b.c property: c: 1',
    ])
  })

  it('are told apart where a namespace or another member stands between those of one name', async () => {
    const code =
      'declare function f(): void\ndeclare namespace f { const a: 1 }\ninterface I { m(): 1; n(): 2; m(b: 1): 3 }\n'
    expect((await spansIn('a.ts', code)).map(each => each.slice(0, each.indexOf(':')))).toEqual(
      [
        'f function',
        'f module',
        'f.a variable',
        'I interface',
        'I.m method',
        'I.n method',
        'I.m method',
        'I.m.b parameter',
      ].filter(each => !each.endsWith('parameter')),
    )
  })

  it('of scripts are exported where they are put into the exports', () => {
    const code = 'exports.a = function () {}\nfunction B() {}\nB.prototype.run = function () {}\nmodule.exports.b = B\n'
    const { symbols } = scriptOutline('a.js', 'javascript', code, {})
    expect(symbols.map(({ name, parent, exported }) => `${name} ${parent} ${exported}`)).toEqual([
      'a -1 true',
      'B -1 true',
      'run 1 false',
    ])
  })
})

describe('type parameters', () => {
  it('of an overloaded function are those of its first head; in others they stand for their constraints', () => {
    const code = `interface Base { run(): void }
function make<A, B>(a: A, b: B): B
function make<B extends Base>(b: B): B { b.run(); return b }
`
    const { symbols, references } = scriptModel('a.ts', 'typescript', code)
    const make = symbols.findIndex(({ name }) => name === 'make')
    expect(symbols[make]).toMatchObject({ value: ['instance', ['parameter', make, 1]], typeParameters: [null, null] })
    const called = references.find(({ kind }) => kind === 'call')
    expect(called?.value).toEqual(['member', ['instance', ['instance', ['symbol', 0]]], 'run'])
  })
})

describe('exports', () => {
  it('stand for what they are, also where a compiler wrote them', () => {
    const code = `Object.defineProperty(exports, "one", { enumerable: true, get: function () { return other.one } })
const other = __importStar(require("./other"))
function two() {}
module.exports.two = two
Object.assign(exports, { three: two })
`
    const { exports } = scriptModel('a.js', 'javascript', code)
    expect(exports).toEqual([
      { name: 'one', value: ['member', ['symbol', expect.any(Number)], 'one'] },
      { name: 'two', value: ['symbol', expect.any(Number)] },
      { name: 'three', value: ['symbol', expect.any(Number)] },
    ])
  })
})

describe('a hostile text', () => {
  it('ends: long chains, and classes with very many members', () => {
    const chain = scriptModel('a.js', 'javascript', `f(1${'+ a.b'.repeat(500)})`)
    expect(chain.references.filter(({ kind }) => kind === 'call')).toHaveLength(1)
    const members = Array.from({ length: 20_000 }, (_, at) => `this.m${at} = ${at}`).join('\n')
    expect(scriptModel('a.js', 'javascript', `class C { constructor() {\n${members}\n} }`).symbols).toHaveLength(20_002)
  })
})
