import { describe, expect, it } from 'vitest'
import { factsOf } from './facts/facts-of.ts'
import { headsOf } from './heads-of.ts'

async function heads(path: string, text: string): Promise<readonly string[]> {
  const { symbols = [] } = (await factsOf(path, Buffer.from(text))) ?? {}
  const head = headsOf(path, text, symbols)
  return Promise.all(symbols.map(async each => `${[...each.within, each.name].join('.')}: ${await head(each)}`))
}

describe('headsOf', () => {
  it('tells apart what stands on one line', async () => {
    const text =
      'class A { m(x: number) { return x } n() {} } function z(y: string) { return y }\nclass B { m() {} } class C { m(c: C) {} }\n'
    expect(await heads('a.ts', text)).toEqual([
      'A: class A',
      'A.m: m(x: number)',
      'A.n: n()',
      'z: function z(y: string)',
      'B: class B',
      'B.m: m()',
      'C: class C',
      'C.m: m(c: C)',
    ])
    const java = 'class A { void m(int x) {} void m(String x) {} }\n'
    expect(await heads('A.java', java)).toEqual(['A: class A', 'A.m: void m(int x)', 'A.m: void m(String x)'])
  })

  it('leaves out what a line begins with', async () => {
    const kotlin =
      'enum class Mode {\n    A { override fun act(): Int { return 1 } };\n    abstract fun act(): Int\n}\n'
    expect(await heads('Mode.kt', kotlin)).toEqual([
      'Mode: enum class Mode',
      'Mode.act: override fun act(): Int',
      'Mode.act: abstract fun act(): Int',
    ])
    const java = 'enum Mode {\n  A { int act() { return 1; } };\n  abstract int act();\n}\n'
    expect(await heads('Mode.java', java)).toEqual([
      'Mode: enum Mode',
      'Mode.act: int act()',
      'Mode.act: abstract int act()',
    ])
  })

  it('leaves out decorators, whatever they hold', async () => {
    const python =
      '@cached\n@skip(\n    "why", (1, 2)\n)  # later\ndef name(a: int) -> str:\n    return a\n\n\nclass Box:\n    @property\n    def e(self) -> int:\n        return 1\n'
    expect(await heads('a.py', python)).toEqual([
      'name: def name(a: int) -> str',
      'Box: class Box',
      'Box.e: def e(self) -> int',
    ])
    const odd = '@skip(":)")\ndef odd(): ...\n'
    expect(await heads('b.py', odd)).toEqual(['odd: def odd()'])
  })

  it('reads the line where that says it all', async () => {
    expect(await heads('a.ts', 'export const f = (x: number) => x\n')).toEqual(['f: export const f = (x: number)'])
  })
})
