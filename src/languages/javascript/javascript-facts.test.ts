import { describe, expect, it } from 'vitest'
import { outlineFacts } from '../../knowledge/model/facts/outline-facts.ts'
import { scriptOutline } from './javascript-model.ts'

const facts = (path: string, text: string) =>
  outlineFacts(scriptOutline(path, /\.[cm]?tsx?$/.test(path) ? 'typescript' : 'javascript', text, { tags: true }))
const tags = (path: string, text: string) => facts(path, text).tags.filter(tag => !/^(java|type)script$/.test(tag))

describe('exports of modules', () => {
  it.each<[code: string, exports: readonly string[], defaultName?: string]>([
    ['export const a = 1, { b, c: [d, ...e], ...f } = x', ['a', 'b', 'd', 'e', 'f']],
    ['export function f() {}\nexport class C {}\nexport async function* g() {}', ['f', 'C', 'g']],
    ['export interface I {}\nexport type T = 1\nexport enum E { A }\nexport namespace N {}', ['I', 'T', 'E', 'N']],
    ['const a = 1\nexport { a as b, a as "c d" }\nexport type { X } from "./x"', ['b', 'c d', 'X']],
    [
      'export * as ns from "./x"\nexport { default } from "./y"\nexport { default as z } from "./y"',
      ['ns', 'default', 'z'],
    ],
    ['export default function Name() {}', ['default'], 'Name'],
    ['class Name {}\nexport default Name', ['default'], 'Name'],
    ['const a = 1\nexport { a as default }', ['default'], 'a'],
    ['export default () => 1', ['default']],
    ['export = Name\ndeclare namespace Name { export const a: 1; type B = 2 }', ['default', 'a', 'B'], 'Name'],
    ['export import a = require("a")', ['a']],
    ['export declare namespace A.B {}', ['A']],
  ])('%s', (code, exports, defaultName) => {
    const found = facts('a.ts', code)
    expect(found.exports).toEqual(exports)
    expect(found.defaultName).toBe(defaultName)
  })

  it('keeps export * as a reference', () => {
    expect(facts('a.ts', 'export * from "./x.js"\nexport type * from "y"')).toMatchObject({
      exports: [],
      stars: ['./x.js', 'y'],
    })
    expect(facts('a.ts', 'import x = require("./x.js")\nexport = x')).toMatchObject({
      exports: ['default'],
      stars: ['./x.js'],
    })
  })

  it('reads a declaration file as TypeScript does: without an export list everything is exported', () => {
    expect(facts('a.d.ts', 'import "x"\ninterface A {}\nexport type B = 1\ndeclare const c: 1').exports).toEqual([
      'A',
      'B',
      'c',
    ])
    expect(facts('a.d.ts', 'interface A {}\nexport type B = 1\nexport {}').exports).toEqual(['B'])
    expect(facts('a.d.ts', 'interface A {}').exports).toEqual([])
  })
})

describe('exports of CommonJS', () => {
  it.each<[code: string, exports: readonly string[], stars?: readonly string[]]>([
    ['exports.a = 1; module.exports.b = 2; exports["c"] = 3', ['a', 'b', 'c']],
    ['exports.a = exports.b = void 0', ['a', 'b']],
    ['module.exports = { a, b: 1, c() {}, "d": 2, [e]: 3, ...require("./x") }', ['a', 'b', 'c', 'd'], ['./x']],
    ['module.exports = require("./x")', [], ['./x']],
    ['function Main() {}\nmodule.exports = Main\nmodule.exports.extra = 1', ['default', 'extra']],
    ['const api = { a: 1 }\nmodule.exports = api\napi.b = 2', ['a', 'b']],
    ['var api = module.exports = {}\napi.a = 1', ['a']],
    ['exports = module.exports = {}\nexports.a = 1', ['a']],
    [
      'Object.defineProperty(exports, "__esModule", { value: true })\nObject.defineProperty(exports, "a", { get() {} })',
      ['a'],
    ],
    ['__exportStar(require("./x"), exports); tslib_1.__exportStar(require("./y"), exports)', [], ['./x', './y']],
    [
      'const api = { b: 1 }\nObject.assign(exports, require("./x"), { a, ...require("./y") }, api)',
      ['a', 'b'],
      ['./x', './y'],
    ],
    ['module.exports = Object.assign({}, require("./x"), { a })', ['a'], ['./x']],
    ['function Main() {}\nmodule.exports = Object.assign(Main, { a })', ['default', 'a']],
    ['Object.assign(other, require("./x"))', []],
    ['var _x = require("./x")\nObject.keys(_x).forEach(function (key) { exports[key] = _x[key] })', [], ['./x']],
    ['__export(src_exports, { a: () => a, b: () => b })\nmodule.exports = __toCommonJS(src_exports)', ['a', 'b']],
    ['0 && (module.exports = { a, b })', ['a', 'b']],
  ])('%s', (code, exports, stars = []) => {
    expect(facts('a.js', code)).toMatchObject({ exports, stars })
  })
})

describe('SC-20: tags come from the code', () => {
  it.each<[what: string, tags: readonly string[], path: string, code: string]>([
    ['a function', ['react-component'], 'a.jsx', 'export function Button() { return <b /> }'],
    ['an arrow', ['react-component'], 'a.jsx', 'export const Button = () => open ? <b /> : null'],
    ['a default export without a name', ['react-component'], 'a.jsx', 'export default () => <b />'],
    [
      'a class',
      ['react-component'],
      'a.js',
      'import { Component } from "react"\nexport class Button extends Component {}',
    ],
    [
      'a class of React',
      ['react-component'],
      'a.js',
      'const React = require("react")\nmodule.exports = class extends React.PureComponent {}',
    ],
    [
      'forwardRef',
      ['react-component'],
      'a.tsx',
      'import { forwardRef } from "react"\nexport const Button = forwardRef((props, ref) => <b ref={ref} />)',
    ],
    ['memo', ['react-component'], 'a.ts', 'import * as React from "react"\nexport default React.memo(Inner)'],
    [
      'createElement in a plain file',
      ['react-component'],
      'a.ts',
      'import { createElement as h } from "react"\nexport function Button() { return h("b") }',
    ],
    [
      'what a compiler made of JSX',
      ['react-component'],
      'a.js',
      'import { jsx as _jsx } from "react/jsx-runtime"\nexport function Button() { return _jsx("b", {}) }',
    ],
    ['elements of the document', [], 'a.ts', 'export function Make() { return document.createElement("b") }'],
    [
      'a function that only passes JSX on',
      [],
      'a.jsx',
      'export const icon = <b />\nexport function render() { return <b /> }',
    ],
    [
      'JSX of another framework',
      [],
      'a.jsx',
      'import { createSignal } from "solid-js"\nexport function Button() { return <b /> }',
    ],
    [
      'Component of nobody knows where',
      [],
      'a.ts',
      'import { Component } from "./mine"\nexport class A extends Component {}',
    ],
    [
      'an Angular component',
      ['angular-component'],
      'a.ts',
      'import { Component } from "@angular/core"\n@Component({ selector: "a" })\nexport class A {}',
    ],
    [
      'an Angular service',
      ['angular-service'],
      'a.ts',
      'import { Injectable } from "@angular/core"\n@Injectable()\nexport class A {}',
    ],
    [
      'another decorator of that name',
      [],
      'a.ts',
      'import { Component } from "./mine"\n@Component({})\nexport class A {}',
    ],
    [
      'a Vue component',
      ['vue-component'],
      'a.ts',
      'import { defineComponent } from "vue"\nexport default defineComponent({})',
    ],
    ['a test', ['test'], 'a.ts', 'import { it } from "vitest"\nit("works", () => {})'],
    ['a test with globals', ['test'], 'a.js', 'describe("x", function () { it("y", () => {}) })'],
    ['a table of tests', ['test'], 'a.ts', 'test.each([1])("x %s", () => {})'],
    ['node:test', ['test'], 'a.mjs', 'import test from "node:test"\ntest("x", () => {})'],
    ['a test by name only', [], 'a.test.ts', 'export const x = 1'],
    ['a method called test', [], 'a.ts', '/x/.test("y")\nfunction test(a) {}\ntest(1)'],
    [
      'a test of a component',
      ['test'],
      'a.tsx',
      'import { it } from "vitest"\nfunction Wrap() { return <b /> }\nit("x", () => render(<Wrap />))',
    ],
    [
      'a story',
      ['story'],
      'a.jsx',
      'export default { title: "Button", component: Button }\nexport const Primary = () => <Button />',
    ],
    [
      'a typed story',
      ['story'],
      'a.ts',
      'import type { Meta } from "@storybook/react"\nconst meta = { component: Button } satisfies Meta<typeof Button>\nexport default meta\nexport const A = {}',
    ],
    [
      'a story with a title only',
      ['story'],
      'a.jsx',
      'export default { title: "x" }\nexport const Primary = () => <Button />',
    ],
    [
      'a bound story with a title only',
      ['story'],
      'a.js',
      'const Template = args => render(args)\nexport default { title: "x" }\nexport const Primary = Template.bind({})',
    ],
    [
      'a story object with a title only',
      ['story'],
      'a.ts',
      'export default { title: "x", tags: ["a"] }\nexport const Primary = { args: { a: 1 } }',
    ],
    ['a title in a file for stories', ['story'], 'a.stories.js', 'export default { title: "x" }'],
    ['a title of something else', [], 'a.ts', 'export default { title: "x" }\nexport const order = () => 1'],
    [
      'a title among settings',
      [],
      'a.ts',
      'export default { title: "x", themeConfig: {} }\nexport const Search = () => 1',
    ],
    ['a story by name only', [], 'a.stories.ts', 'export const x = 1'],
    ['a hook', ['hook'], 'a.ts', 'import { useState } from "react"\nexport function useThing() { return useState(1) }'],
    ['a hook that calls none', [], 'a.ts', 'export function useThing() { return 1 }'],
    ['a hook that is not exported', [], 'a.ts', 'function useThing() { return useState(1) }'],
    [
      'a styled element',
      ['react-component', 'style'],
      'a.ts',
      'import styled from "styled-components"\nexport const Box = styled.div`color: red`',
    ],
    [
      'a styled element with attributes',
      ['react-component', 'style'],
      'a.ts',
      'import { styled } from "@linaria/react"\nexport const Box = styled.div.attrs({ a: 1 })`color: red`',
    ],
    [
      'a styled element by an object',
      ['react-component', 'style'],
      'a.ts',
      'import styled from "@emotion/styled"\nexport const Box = styled(Other)({ color: "red" })',
    ],
    [
      'styles that are no component',
      ['style'],
      'a.ts',
      'import { css } from "styled-components"\nexport const Red = css`color: red`',
    ],
    ['an element of its own', ['web-component'], 'a.ts', 'export class Box extends HTMLElement {}'],
    ['an element that is defined', ['web-component'], 'a.js', 'customElements.define("my-box", Box)'],
    [
      'an element by Lit',
      ['web-component'],
      'a.ts',
      'import { LitElement } from "lit"\nexport class Box extends LitElement {}',
    ],
    [
      'an element by a decorator',
      ['web-component'],
      'a.ts',
      'import { customElement } from "lit/decorators.js"\n@customElement("my-box")\nexport class Box extends Base {}',
    ],
    [
      'a class of that name that is imported',
      [],
      'a.ts',
      'import { HTMLElement } from "./dom"\nexport class Box extends HTMLElement {}',
    ],
    [
      'a styled component',
      ['react-component', 'style'],
      'a.ts',
      'import styled from "@emotion/styled"\nexport const Box = styled(Other)`color: red`',
    ],
  ])('%s', (_what, expected, path, code) => {
    expect(tags(path, code)).toEqual(expected)
  })
})

describe('symbols', () => {
  it('have exact lines, from the first word to the last brace, and know what they stand in', () => {
    const code = `import x from 'x'

/** Not a part of it. */
@decorated
export class Shape {
  area = () => {
    const inner = () => 1
    return inner()
  }
  get name() { return '' }
}
const hidden = {
  run() {},
}, other = 2
namespace N {
  export function deep() {}
}
export const { left, right } = x
export default function () {
  function nested() {}
}
`
    const shown = facts('a.ts', code).symbols.map(
      ({ name, kind, from, to, within, exported }) =>
        `${[...within, name].join('.')} ${kind} ${from}-${to}${exported ? ' exported' : ''}`,
    )
    expect(shown).toEqual([
      'Shape class 4-11 exported',
      'Shape.area method 6-9',
      'Shape.area.inner function 7-7',
      'Shape.name method 10-10',
      'hidden variable 12-14',
      'hidden.run method 13-13',
      'other variable 14-14',
      'N module 15-17',
      'N.deep function 16-16 exported',
      'left variable 18-18 exported',
      'right variable 18-18 exported',
      'default function 19-21 exported',
      'default.nested function 20-20',
    ])
  })

  it('are what could be read of a file that does not parse, and never an exception', () => {
    for (const code of [
      'export const a = 1\nexport function {',
      '<<<<<<< HEAD\nexport const a = 1',
      '',
      '\u0000',
      'const = = =',
      '}'.repeat(1000),
    ])
      expect(facts('a.ts', code).language).toBe('typescript')
  })
})

describe('a file with a mistake in it', () => {
  it.each<[path: string, code: string]>([
    ['a.ts', 'export const one = 1\nexport function two() {}\nexport const = \n'],
    ['a.js', 'export const one = 1\nfunction ( {\n'],
    ['a.tsx', 'export const One = () => <div>\n'],
    ['a.cjs', 'exports.one = 1\n}}}\n'],
    ['a.d.ts', 'export declare const one: {\n'],
    ['a.js', '\0\u2028export'],
    ['a.ts', '('.repeat(3000)],
  ])('never throws: %s %j', (path, code) => {
    const found = facts(path, code)
    expect(found.tags).toContain(found.language)
  })

  it('gives what could be read', () => {
    const found = facts('a.ts', 'export const one = 1\nexport function two() {}\nlet three: number = await\n')
    expect(found.exports).toEqual(['one', 'two'])
    expect(facts('a.ts', 'export const one = 1\nreturn 2\nlet one = 3\n').exports).toEqual(['one'])
  })
})
