import { describe, expect, it } from 'vitest'
import { factsOf, LARGEST } from './facts-of.ts'

const read = async (path: string, text: string) => {
  const facts = await factsOf(path, Buffer.from(text))
  if (!facts) throw new Error('no facts')
  const { exports, tags, symbols } = facts
  const shown = symbols.map(
    ({ name, kind, from, to, within }) => `${[...within, name].join('.')} ${kind} ${from}-${to}`,
  )
  return { exports, tags, symbols: shown }
}

const BROKEN = `export function App() {
  return <div/>
}
export const helper = 1
export function LATER
export const last = {
  a: 1,
}
`

describe('facts of other languages', () => {
  it('Python: __all__ decides, else what does not begin with an underscore', async () => {
    const code = `import os
VERSION = "1"
_hidden = 2

@cached
def outer(a):
    def inner():
        pass

class Shape(Base):
    def area(self):
        pass

if os.name == "nt":
    async def only_there():
        pass
`
    expect(await read('a.py', code)).toEqual({
      exports: ['VERSION', 'outer', 'Shape', 'only_there'],
      tags: ['python'],
      symbols: [
        'VERSION variable 2-2',
        '_hidden variable 3-3',
        'outer function 5-8',
        'outer.inner function 7-8',
        'Shape class 10-12',
        'Shape.area method 11-12',
        'only_there function 15-16',
      ],
    })
    expect((await read('a.py', `__all__ = ["a"]\n__all__ += ['_b']\n__all__.extend(("c",))\n${code}`)).exports).toEqual(
      ['a', '_b', 'c'],
    )
    expect(
      (await read('pkg/__init__.py', 'from .shapes import Shape, _x\nfrom .other import a as b\nimport os\n')).exports,
    ).toEqual(['Shape', 'b'])
  })

  it('Go: what begins with a capital', async () => {
    const code = `package a

const A, b, C = 1, 2, 3

type T struct{}

type I interface {
	M()
}

func (t *T) Meth() {
}

func f() { var Local = 1; _ = Local }
`
    expect(await read('a.go', code)).toEqual({
      exports: ['A', 'C', 'T', 'I'],
      tags: ['go'],
      symbols: [
        'A variable 3-3',
        'b variable 3-3',
        'C variable 3-3',
        'T class 5-5',
        'I interface 7-9',
        'I.M method 8-8',
        'T.Meth method 11-12',
        'f function 14-14',
      ],
    })
  })

  it('Rust: what is pub, and what is passed on', async () => {
    const code = `pub use shapes::{Shape, area as size};
pub mod inner { pub fn deep() {} }
fn hidden() {}
pub(crate) struct S;
impl S {
    pub fn new() -> Self { S }
}
pub trait T { fn t(&self); }
#[macro_export]
macro_rules! m { () => {} }
`
    expect(await read('a.rs', code)).toEqual({
      exports: ['inner', 'S', 'T', 'm', 'Shape', 'size'],
      tags: ['rust'],
      symbols: [
        'inner module 2-2',
        'inner.deep function 2-2',
        'hidden function 3-3',
        'S class 4-4',
        'S.new method 6-6',
        'T interface 8-8',
        'T.t method 8-8',
        'm function 10-10',
      ],
    })
  })

  it('Java, Kotlin, C# and Swift: by their words for it', async () => {
    const java =
      'package a;\n@Deprecated\npublic class A {\n  public void m() {}\n  static class In {}\n}\nclass Beside {}\n'
    expect(await read('A.java', java)).toEqual({
      exports: ['A', 'Beside'],
      tags: ['java'],
      symbols: ['A class 2-6', 'A.m method 4-4', 'A.In class 5-5', 'Beside class 7-7'],
    })
    const kotlin =
      'class A {\n    fun m() {}\n    companion object {\n        fun c() {}\n    }\n}\n\nprivate fun hidden() {}\n\ninternal val v = 1\n\ninterface I\n\nenum class E { P }\n\ntypealias T = Int\n'
    expect(await read('a.kt', kotlin)).toEqual({
      exports: ['A', 'v', 'I', 'E', 'T'],
      tags: ['kotlin'],
      symbols: [
        'A class 1-6',
        'A.m method 2-2',
        'A.Companion class 3-5',
        'A.Companion.c method 4-4',
        'hidden function 8-8',
        'v variable 10-10',
        'I interface 12-12',
        'E enum 14-14',
        'T type 16-16',
      ],
    })
    const extensions =
      'package a\n\nfun String.shout(loud: Boolean = true): String = this\n\nfun <T> List<T>.second() = this[1]\n\nprivate fun Int.own() {}\n'
    expect(await read('b.kt', extensions)).toMatchObject({
      exports: ['shout', 'second'],
      symbols: ['shout function 3-3', 'second function 5-5', 'own function 7-7'],
    })
    const csharp =
      'namespace N.M {\n  public class A {\n    public void M() {}\n  }\n  internal class H {}\n  public enum E { P }\n}\n'
    expect(await read('a.cs', csharp)).toEqual({
      exports: ['A', 'H', 'E'],
      tags: ['csharp'],
      symbols: ['N.M module 1-7', 'N.M.A class 2-4', 'N.M.A.M method 3-3', 'N.M.H class 5-5', 'N.M.E enum 6-6'],
    })
    const swift =
      'public class A {\n  func m() {}\n}\nextension A {\n  func e() {}\n}\nprivate func hidden() {}\nlet v = 1\nenum E { case p }\n'
    expect(await read('a.swift', swift)).toEqual({
      exports: ['A', 'v', 'E'],
      tags: ['swift'],
      symbols: [
        'A class 1-3',
        'A.m method 2-2',
        'A.e method 5-5',
        'hidden function 7-7',
        'v variable 8-8',
        'E enum 9-9',
      ],
    })
  })

  it('C and C++: what is not static, and not in a namespace without a name', async () => {
    const c =
      '#ifndef A_H\n#define A_H\n#define LIMIT 10\nstatic int hidden(void) { return 1; }\nint f(int a)\n{\n  int local = 1;\n  return a;\n}\nchar *g(void);\nstruct S { int a; };\ntypedef struct { int a; } T;\nextern int global;\n#endif\n'
    expect(await read('a.h', c)).toEqual({
      exports: ['LIMIT', 'f', 'g', 'S', 'T', 'global'],
      tags: ['c'],
      symbols: [
        'LIMIT variable 3-3',
        'hidden function 4-4',
        'f function 5-9',
        'g function 10-10',
        'S class 11-11',
        'T type 12-12',
        'global variable 13-13',
      ],
    })
    const cpp =
      'namespace n {\nclass C {\npublic:\n  void m();\n};\ntemplate <class T>\nT f(T t) { return t; }\n}\nvoid n::C::m() {}\nnamespace { int hidden() { return 1; } }\nusing Alias = int;\n'
    const found = {
      exports: ['C', 'f', 'Alias'],
      tags: ['cpp'],
      symbols: [
        'n module 1-8',
        'n.C class 2-5',
        'n.C.m method 4-4',
        'n.f function 6-7',
        'n.C.m method 9-9',
        'hidden function 10-10',
        'Alias type 11-11',
      ],
    }
    expect(await read('a.cpp', cpp)).toEqual(found)
    expect(await read('a.h', cpp)).toEqual(found)
  })

  it('Ruby and PHP', async () => {
    expect(
      await read(
        'a.rb',
        'module M\n  class C < B\n    LIMIT = 1\n    def m\n    end\n    def self.s; end\n  end\nend\ndef top; end\n',
      ),
    ).toEqual({
      exports: ['M', 'C', 'top'],
      tags: ['ruby'],
      symbols: [
        'M module 1-8',
        'M.C class 2-7',
        'M.C.LIMIT variable 3-3',
        'M.C.m method 4-5',
        'M.C.s method 6-6',
        'top function 9-9',
      ],
    })
    expect(
      await read(
        'a.php',
        '<?php\nnamespace A;\nfinal class C {\n  const X = 1;\n  private function m() {}\n}\ninterface I {}\nfunction f() {}\nconst K = 1;\n',
      ),
    ).toEqual({
      exports: ['C', 'I', 'f', 'K'],
      tags: ['php'],
      symbols: ['C class 3-6', 'C.m method 5-5', 'I interface 7-7', 'f function 8-8', 'K variable 9-9'],
    })
  })

  it.each([
    ['a.py', 'def test_a():\n    assert 1\n'],
    ['a.py', 'import pytest\n\ndef test_b(f):\n    check(f)\n'],
    ['a.py', 'from unittest import mock\n\nclass A:\n    def test_b(self):\n        check(self)\n'],
    ['a.py', 'import unittest\n\nclass A(unittest.TestCase):\n    def runTest(self):\n        check(self)\n'],
    ['a.py', 'import os, unittest\n\nclass A(IsolatedAsyncioTestCase):\n    pass\n'],
    ['a.go', 'package a\nfunc TestA(t *testing.T) {}\n'],
    ['a.rs', '#[test]\nfn a() {}\n'],
    ['a.java', 'class A { @Test void a() {} }'],
    ['a.kt', 'class A {\n    @Test\n    fun a() {}\n}\n'],
    ['a.cs', 'class A { [Fact] public void A() {} }'],
    ['a.rb', 'describe "a" do\n  it("b") { }\nend\n'],
    ['a.rb', 'class A < Minitest::Test\nend\n'],
    ['a.php', '<?php class A extends TestCase {}'],
    ['a.swift', 'final class A: XCTestCase {\n  func testA() {}\n}\n'],
    ['a.cc', 'TEST(Suite, Name) { }\n'],
  ])('SC-20: a test in %s is one by its code', async (path, code) => {
    expect((await read(path, code)).tags).toContain('test')
    expect((await read(`test_${path}`, '')).tags).not.toContain('test')
  })

  it.each([
    'def test_connection(host):\n    return ping(host)\n',
    'import pytest\n\ndef fixture_for(f):\n    return f\n',
    'import mypkg.unittest\n\ndef test_mode():\n    return 1\n',
    'from mypkg import unittests\n\ndef test_mode():\n    return 1\n',
    'from unittest.mock import TestCaseLike\n\nclass A(TestCases):\n    pass\n',
  ])('SC-20: what only looks like a test in Python is none: %j', async code => {
    expect((await read('a.py', code)).tags).not.toContain('test')
  })

  it('Vue: the component, its scripts on their own lines', async () => {
    const code =
      '<template>\n  <b />\n</template>\n<script setup lang="ts">\nimport { ref } from "vue"\nconst open = ref(false)\nfunction toggle() {}\n</script>\n'
    expect(await read('src/Panel.vue', code)).toEqual({
      exports: ['default'],
      tags: ['vue', 'vue-component'],
      symbols: ['open variable 6-6', 'toggle function 7-7'],
    })
  })

  it('SC-20: Svelte: the component, and what its module exports', async () => {
    const code =
      '<script context="module" lang="ts">\nexport const sizes = [1]\n</script>\n<script lang="ts">\nexport let open = false\nfunction toggle() {}\n</script>\n<b on:click={toggle} />\n'
    const facts = {
      exports: ['default', 'sizes'],
      tags: ['svelte', 'svelte-component'],
      symbols: ['sizes variable 2-2', 'open variable 5-5', 'toggle function 6-6'],
    }
    expect(await read('src/Panel.svelte', code)).toEqual(facts)
    expect(await read('src/Panel.svelte', code.replace('context="module"', 'module'))).toEqual(facts)
    expect((await read('src/Plain.svelte', '<b>text</b>\n')).tags).toEqual(['svelte', 'svelte-component'])
    expect((await read('src/Named.svelte', '<script data-module>\nexport let x\n</script>\n')).exports).toEqual([
      'default',
    ])
  })

  it('styles are tagged, other files have no facts', async () => {
    expect((await read('a.scss', '.a { }')).tags).toEqual(['scss', 'style'])
    expect(await factsOf('README.md', Buffer.from('# a'))).toBeUndefined()
  })

  it('gives what could be read of broken, huge and binary files', async () => {
    expect((await read('a.py', 'def a():\n    pass\n\ndef (:\n')).exports).toContain('a')
    expect((await read('a.go', 'package a\nfunc A() {\n')).exports).toEqual(['A'])
    for (const later of ['() {\n  const x =\n}', '() {\n  if (x) {\n}', '() {\n  call(1, {a: [\n}', ' {\n}'])
      expect(await read('a.tsx', BROKEN.replace('LATER', `later${later}`))).toMatchObject({
        exports: expect.arrayContaining(['App', 'helper', 'last']),
        tags: ['react-component', 'typescript'],
        symbols: expect.arrayContaining(['App function 1-3', 'helper variable 4-4']),
      })
    expect((await factsOf('a.js', Buffer.alloc(LARGEST + 1, 0x20)))?.exports).toEqual([])
    for (const ending of ['ts', 'py', 'go', 'rs', 'java', 'kt', 'c', 'cpp', 'cs', 'rb', 'php', 'swift', 'vue'])
      for (const bytes of [
        Buffer.from([0xff, 0xfe, 0, 1]),
        Buffer.from('\u0000'),
        Buffer.from('{'.repeat(2000)),
        Buffer.from([0xc3, 0x28]),
      ])
        expect((await factsOf(`a.${ending}`, bytes))?.exports).toBeDefined()
  })
})
