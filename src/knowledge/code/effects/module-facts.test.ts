import { describe, expect, it } from 'vitest'
import { includedFiles } from '../../../languages/c/included-files.ts'
import { COMPUTED } from '../../../languages/import-facts.ts'
import { moduleFacts } from './module-facts.ts'
import { moduleFiles } from '../../../languages/python/module-files.ts'

const requests = (path: string, text: string) => moduleFacts(path, text).requests.toSorted()
const isAmbient = (path: string, text: string) => moduleFacts(path, text).isAmbient

describe('moduleFacts', () => {
  it('finds every way in which a script names a module', () => {
    const text = `import a from './a'
import type { B } from './b'
export * from './c'
export { d } from './d'
const e = await import('./e')
type F = import('./f').F
const g = require("./g")
vi.mock('./h', () => ({}))
jest.requireActual<typeof import('./i')>('./j')
import k = require('./k')
/// <reference path="l.d.ts" />
const not = \`./\${a}\`
`
    expect(requests('x.ts', text)).toEqual([...'abcdefghijk'].map(name => `./${name}`).concat('./l.d.ts'))
  })

  it('finds a module behind a comment, and none in a text that only looks like an import', () => {
    const text = `import a from /* the first */ './a'\nit("isn't", () => load(/* lazily */ import('./b')))\nvar c = "c './d'"\n`
    expect(requests('x.ts', text)).toEqual(['./a', './b'])
    expect(requests('x.ts', `import r from './$id'\n`)).toEqual(['./$id'])
  })

  it('finds a module behind a line comment, and behind a byte order mark', () => {
    const text = `\uFEFFimport './a'\nconst b = import( // see https://b\n  // and more\n  './b')\n`
    expect(requests('x.ts', text)).toEqual(['./a', './b'])
    expect(requests('x.py', '\uFEFFimport a\n')).toEqual(['a'])
  })

  it.each([
    '\n',
    ' ',
    '/* ',
    'import ',
    'export { a as ',
    'mock<',
    'require<',
    "from '",
    "*/'",
    "//'\n",
    '`',
    'a',
    '{',
    'from a import (\n',
    '__has_include(<',
    '#define A(\n',
  ])('reads a text that repeats %j in one pass', repeated => {
    // What looked at the rest of the text at every place would take hours.
    const text = repeated.repeat(1_000_000 / repeated.length)
    for (const path of ['x.ts', 'x.py', 'x.c']) expect(moduleFacts(path, `${text}\n)`).isAmbient).toBeTypeOf('boolean')
  })

  it('knows what concerns files that do not import it', () => {
    expect(isAmbient('x.d.ts', 'declare const x: number\n')).toBe(true)
    expect(isAmbient('x.ts', 'interface Window { x: number }\n')).toBe(true)
    expect(isAmbient('x.ts', `import './y'\ndeclare global { interface Window { x: number } }\n`)).toBe(true)
    expect(isAmbient('x.ts', `export {}\ndeclare module './y' { interface Z { x: number } }\n`)).toBe(true)
    expect(isAmbient('x.ts', 'export interface Window { x: number }\n')).toBe(false)
    expect(isAmbient('x.cjs', `const y = require('./y')\n`)).toBe(false)
    expect(isAmbient('x.go', 'package x\n')).toBe(true)
    expect(isAmbient('x.d.ts', '/*\nexport nothing\n*/\n// import nothing\ndeclare const x: number\n')).toBe(true)
    expect(isAmbient('x.js', 'var a=1;export{a}')).toBe(false)
    expect(isAmbient('x.d.ts', 'declare namespace A {\n  export const a: 1\n}\n')).toBe(true)
  })

  it('finds what Python imports, and what its tests replace', () => {
    const text = `import os, shop.price as p
from . import near
from ..far import (one,  # the first
    two as three)
from star import *
    from inner import name
patch('shop.cart.total')
`
    expect(requests('x.py', text)).toEqual([
      '.',
      '..far',
      '..far.one',
      '..far.two',
      '.near',
      'inner',
      'inner.name',
      'os',
      'shop.cart.total',
      'shop.price',
      'star',
    ])
  })
})

describe('imports of Python', () => {
  it.each([
    ['from a import \\\n  b', ['a', 'a.b']],
    ['from a import b, \\\r\n  c', ['a', 'a.b', 'a.c']],
    ['from a import*', ['a']],
    ['from .import a', ['.', '.a']],
    ['from.a import b', ['.a', '.a.b']],
    ['from . import(a)', ['.', '.a']],
    ['if x: import b', ['b']],
    ['try: from a import b', ['a', 'a.b']],
    ['import a;import b', ['a', 'b']],
    ['from a import b; x = 1', ['a', 'a.b']],
    ['from a import (b, # one) of two\n  c)', ['a', 'a.b', 'a.c']],
    ['x = "#"; import a', ['a']],
    ['from a.importer import b', ['a.importer', 'a.importer.b']],
  ])('are found in %j', (text, expected) => {
    expect(requests('x.py', `${text}\n`)).toEqual(expected)
  })
})

describe('includedFiles', () => {
  it('finds every file that an include of C may mean, and all where a macro says which', () => {
    const text = `#include "price.h"
  #  include <shop/../shop/cart.h>
#if __has_include("../extra.h")
#include CONFIG
#endif
`
    expect(requests('x.cpp', text)).toEqual([COMPUTED, '../extra.h', 'price.h', 'shop/../shop/cart.h'])
    const files = ['a/price.h', 'b/price.h', 'b/my-price.h', 'include/shop/cart.h', 'cart.h', 'extra.h']
    const find = includedFiles(files)
    expect(find('price.h')).toEqual(['a/price.h', 'b/price.h'])
    expect(find('b/price.h')).toEqual(['b/price.h'])
    expect(find('shop/../shop/cart.h')).toEqual(['include/shop/cart.h'])
    expect(find('../extra.h')).toEqual(['extra.h'])
    expect(find('stdio.h')).toEqual([])
    expect(find(COMPUTED)).toEqual(files)
  })
})

describe('moduleFiles', () => {
  const files = new Set(['shop/__init__.py', 'shop/cart.py', 'shop/api/__init__.py', 'src/lib/core.py', 'top.py'])
  const find = moduleFiles(path => files.has(path))

  it('finds a module with the packages around it, from any folder above and in src', () => {
    expect(find('tests/test_cart.py', 'shop.cart.total')).toEqual(['shop/__init__.py', 'shop/cart.py'])
    expect(find('shop/api/deep.py', 'top')).toEqual(['top.py'])
    expect(find('tests/x.py', 'lib.core')).toEqual(['src/lib/core.py'])
    expect(find('tests/x.py', 'requests')).toEqual([])
  })

  it('follows dots', () => {
    expect(find('shop/api/deep.py', '..cart')).toEqual(['shop/cart.py'])
    expect(find('shop/cart.py', '.')).toEqual(['shop/__init__.py'])
    expect(find('shop/cart.py', '.api')).toEqual(['shop/api/__init__.py'])
  })
})
