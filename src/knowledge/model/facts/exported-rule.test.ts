import { describe, expect, it } from 'vitest'
import { ownExports } from '../../index/table/followed-exports.ts'
import { packFacts } from '../../index/table/pack-facts.ts'
import { factsOf } from './facts-of.ts'

/** What the index lists for a file on its own. */
async function listed(path: string, code: string): Promise<readonly string[]> {
  const facts = await factsOf(path, Buffer.from(code))
  if (!facts) throw new Error('no facts')
  return ownExports(packFacts(facts))
}

interface Case {
  readonly path: string
  readonly code: string
  /** In the order in which they are listed. */
  readonly exports: readonly string[]
}

const CASES: Readonly<Record<string, Case>> = {
  'TypeScript: what is exported, types too': {
    path: 'a.ts',
    code: 'export const a = 1\nexport type T = 1\nconst b = 1, c = 1\nexport { b as d }\nexport * as n from "./n"\n',
    exports: ['a', 'T', 'd', 'n'],
  },
  'TypeScript: a default export by that word and by its own name, each once': {
    path: 'a.tsx',
    code: 'export default class Foo {}\nexport { Foo }\n',
    exports: ['default', 'Foo'],
  },
  'TypeScript: a default export without a name': { path: 'a.ts', code: 'export default 1\n', exports: ['default'] },
  'JavaScript: what CommonJS puts into its exports': {
    path: 'a.cjs',
    code: 'const hidden = 1\nexports.a = hidden\nmodule.exports.b = function () {}\n',
    exports: ['a', 'b'],
  },
  'JavaScript: a whole module that is a function': {
    path: 'a.js',
    code: 'function make() {}\nmodule.exports = make\n',
    exports: ['default', 'make'],
  },
  'JavaScript: a script without exports gives none': { path: 'a.js', code: 'function a() {}\n', exports: [] },
  'Vue: the component': {
    path: 'Panel.vue',
    code: '<script setup>\nconst hidden = 1\n</script>\n',
    exports: ['default', 'Panel'],
  },
  'Python: no underscore before it': {
    path: 'a.py',
    code: 'import os\na = 1\n_b = 2\ndef c(): pass\ndef _d(): pass\nclass E: pass\n__f__ = 1\n',
    exports: ['a', 'c', 'E'],
  },
  'Python: __all__ where there is one': { path: 'a.py', code: '__all__ = ["_b"]\na = 1\n_b = 2\n', exports: ['_b'] },
  'Go: what the language calls exported': {
    path: 'a.go',
    code: 'package a\nfunc A() {}\nfunc b() {}\ntype C struct{}\nvar D, e = 1, 2\ntype f int\n',
    exports: ['A', 'C', 'D'],
  },
  'Rust: pub, however far it goes beyond the module': {
    path: 'a.rs',
    code: `pub fn a() {}
fn b() {}
pub(crate) struct C;
pub(super) enum D { P }
pub(in crate::x) trait E {}
pub(self) const F: u8 = 1;
pub use other::{G, h as i};
pub(crate) use other::J;
use other::K;
/// For all.
#[macro_export]
#[doc(hidden)]
macro_rules! l { () => {} }
macro_rules! m { () => {} }
mod n;
extern "C" { pub fn o(); fn p(); }
`,
    exports: ['a', 'C', 'D', 'E', 'l', 'o', 'G', 'i', 'J'],
  },
  'Java: every type beside the others of its package': {
    path: 'A.java',
    code: 'package a;\npublic class A { private class In {} }\nclass B {}\ninterface C {}\nenum D { P }\nrecord E(int a) {}\n@interface F {}\n',
    exports: ['A', 'B', 'C', 'D', 'E', 'F'],
  },
  'Kotlin: what is not private': {
    path: 'a.kt',
    code: 'class A\ninternal class B\nprivate class C\npublic fun d() {}\ninternal fun e() {}\nprivate fun f() {}\ninternal val g = 1\nprivate val h = 1\n@Deprecated("private")\nfun i() {}\n',
    exports: ['A', 'B', 'd', 'e', 'g', 'i'],
  },
  'Swift: what is not private to its file': {
    path: 'a.swift',
    code: 'public class A {}\ninternal struct B {}\nstruct C {}\nprivate struct D {}\nfileprivate func e() {}\nfunc f() {}\npublic private(set) var g = 1\nopen class H {}\n',
    exports: ['A', 'B', 'C', 'f', 'g', 'H'],
  },
  'C#: internal is what a type is that says nothing': {
    path: 'a.cs',
    code: 'namespace N {\n  public class A { public class In {} }\n  internal class B {}\n  class C {}\n  file class D {}\n  interface E {}\n}\nstruct F {}\npublic delegate void G();\n',
    exports: ['A', 'B', 'C', 'E', 'F', 'G'],
  },
  'C#: the same in a namespace of the whole file': {
    path: 'a.cs',
    code: 'namespace N.M;\npublic record A(int B);\nenum C { P }\nfile class D {}\n',
    exports: ['A', 'C'],
  },
  'C: what is not static': {
    path: 'a.c',
    code: 'int a(void) { return 1; }\nstatic int b(void) { return 1; }\nstatic inline int c(void) { return 1; }\nint d;\nstatic int e;\n',
    exports: ['a', 'd'],
  },
  'C: what a header gives to files that include it': {
    path: 'a.h',
    code: '#ifndef A\n#define A\nint a(void);\nstatic inline int b(void) { return 1; }\n#endif\n',
    exports: ['a', 'b'],
  },
  'C++: what is not static or without a reachable namespace': {
    path: 'a.hpp',
    code: 'namespace n {\nclass A { static void s(); };\nint b();\nstatic int c();\n}\nnamespace { class D {}; }\n',
    exports: ['A', 'b'],
  },
  'Ruby: what stands outside of classes': {
    path: 'a.rb',
    code: 'module M\n  class A\n    def m; end\n  end\n  B = 1\nend\ndef c; end\n',
    exports: ['M', 'A', 'B', 'c'],
  },
  'PHP: what stands outside of classes': {
    path: 'a.php',
    code: '<?php\nnamespace N;\nabstract class A { private function m() {} }\nfunction b() {}\nconst C = 1;\ntrait D {}\n',
    exports: ['A', 'b', 'C', 'D'],
  },
}

describe('exports are what other files of the workspace can use', () => {
  it.each(Object.entries(CASES))('SC-19: %s', async (_what, { path, code, exports }) => {
    expect(await listed(path, code)).toEqual(exports)
  })

  const MEMBERS: Readonly<Record<string, readonly [path: string, code: string, shared: readonly string[]]>> = {
    'C#': [
      'a.cs',
      'class A { public void a() {} internal void b() {} protected void c() {} void d() {} private void e() {} }\ninterface I { void f(); }\n',
      ['A', 'a', 'b', 'c', 'I', 'f'],
    ],
    Java: [
      'A.java',
      'class A { public void a() {} void b() {} protected void c() {} private void d() {} }\n',
      ['A', 'a', 'b', 'c'],
    ],
    PHP: [
      'a.php',
      '<?php\nclass A { function a() {} protected function b() {} private function c() {} }\n',
      ['A', 'a', 'b'],
    ],
    'C++': [
      'a.hpp',
      'class A { void a(); public: static void b(); protected: void c(); private: void d(); };\nstruct S { void e(); };\n',
      ['A', 'b', 'c', 'S', 'e'],
    ],
    Rust: [
      'a.rs',
      'pub struct A;\nimpl A { pub fn a() {} fn b() {} }\nimpl T for A { fn c() {} }\npub trait T { fn d() {} fn e(); }\n',
      ['A', 'a', 'c', 'T', 'd', 'e'],
    ],
  }
  it.each(Object.entries(MEMBERS))('members are held to the same rule: %s', async (_language, [path, code, shared]) => {
    const facts = await factsOf(path, Buffer.from(code))
    expect(facts?.symbols.filter(({ exported }) => exported).map(({ name }) => name)).toEqual(shared)
  })
})
