// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect } from 'vitest'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { configuration } from './configuration.ts'

const it = needs('bubblewrap')

interface Answer {
  readonly ok: boolean
  readonly error?: {
    readonly message: string
    readonly details?: { readonly undecided?: readonly { readonly path: string; readonly line: number }[] }
  }
}

type Question = readonly [symbol: string, path: string, to?: string]

/** Renames or deletes one symbol after the other: `done`, the undecided places, or another message. */
async function asked(files: Readonly<Record<string, string>>, questions: readonly Question[]) {
  await using workspace = temporaryWorkspace(files)
  const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
  const found: [string, unknown][] = []
  for (const [symbol, path, to] of questions) {
    const question = { kind: to === undefined ? 'delete' : 'rename', symbol, path, effects: 'off', ...(to && { to }) }
    const { ok, error } = (await kit.call('refactor', question)) as Answer
    const open = error?.details?.undecided?.map(each => `${each.path}:${each.line}`)
    found.push([`${symbol} ${to ?? ''}`.trim(), ok ? 'done' : (open ?? error?.message)])
  }
  return found
}

describe('a Python member of which a Protocol has one of the same name', () => {
  const files = {
    'a.py': `from typing import Protocol, Any
class Go(Protocol):
    def go(self) -> int: ...
class A:
    def go(self) -> int: return 1
def run(x: Go) -> int: return x.go()
items: list[Any] = [A()]
class Other(Protocol):
    def stay(self) -> int: ...
    def go(self) -> int: ...
class Plain:
    def go(self) -> int: return 2
`,
    'b.py': 'from a import run, items, Plain\nfor i in items: print(run(i))\nprint(Plain().go())\n',
  }

  it('asks, if its class has the shape of the Protocol', async () => {
    expect(
      await asked(files, [
        ['A.go', 'a.py', 'walk'],
        ['A.go', 'a.py'],
        ['Go.go', 'a.py', 'walk'],
      ]),
    ).toEqual([
      ['A.go walk', ['a.py:3', 'a.py:6']],
      ['A.go', ['a.py:3', 'a.py:6']],
      ['Go.go walk', ['a.py:5', 'a.py:12', 'b.py:3']],
    ])
  })
})

describe('a Python name that a framework calls by its prefix', () => {
  const files = {
    'a.py': `import cmd
class C(cmd.Cmd):
    def do_hi(self, a): print("hi", a)
class D(dict):
    def norm(self): return 1
class E(Exception):
    def told(self): return 1
C().onecmd("hi x")
`,
    'test_a.py': `import unittest
class T(unittest.TestCase):
    def test_one(self): self.assertEqual(1, 1)
def test_x(): assert True
def test_y(): assert True
def checked(): assert True
`,
  }

  it('asks for members of a class with a base outside of the workspace, and for tests', async () => {
    expect(
      await asked(files, [
        ['C.do_hi', 'a.py', 'do_ho'],
        ['C.do_hi', 'a.py'],
        ['D.norm', 'a.py', 'size'],
        ['E.told', 'a.py', 'said'],
        ['T.test_one', 'test_a.py', 'check_one'],
        ['test_x', 'test_a.py', 'x_check'],
        ['test_y', 'test_a.py', 'test_z'],
        ['checked', 'test_a.py', 'test_checked'],
        ['test_x', 'test_a.py'],
      ]),
    ).toEqual([
      ['C.do_hi do_ho', ['a.py:2']],
      ['C.do_hi', ['a.py:3']],
      ['D.norm size', 'done'],
      ['E.told said', 'done'],
      ['T.test_one check_one', ['test_a.py:2', 'test_a.py:3']],
      ['test_x x_check', ['test_a.py:4']],
      ['test_y test_z', 'done'],
      ['checked test_checked', ['test_a.py:6']],
      ['test_x', 'done'],
    ])
  })
})

describe('a Python module that is loaded under a computed name', () => {
  const files = {
    'p/__init__.py': '',
    'p/one.py': 'def run(): return 1\ndef stop(): return 2\n',
    'q/two.py': 'def run(): return 1\n',
    'b.py': `import importlib, sys
n = sys.argv[1] if len(sys.argv) > 1 else "one"
m = importlib.import_module("p." + n)
print(m.run())
mod = __import__(f"p.{n}", fromlist=["x"])
print(mod.stop())
`,
  }

  it('asks about what may be one of its functions', async () => {
    expect(
      await asked(files, [
        ['run', 'p/one.py', 'walk'],
        ['stop', 'p/one.py', 'end'],
        ['run', 'p/one.py'],
        ['run', 'q/two.py', 'walk'],
      ]),
    ).toEqual([
      ['run walk', ['b.py:4']],
      ['stop end', ['b.py:6']],
      ['run', ['b.py:4']],
      ['run walk', 'done'],
    ])
  })
})

describe('a module of TypeScript that is loaded under a computed name', () => {
  const files = {
    'tsconfig.json': configuration({ allowImportingTsExtensions: true }),
    'src/plugins/one.ts': 'export function start() { return 1 }\n',
    'src/other/two.ts': 'export function start() { return 1 }\n',
    'src/main.ts': `export async function run(name: string) {
  const loaded: any = await import(\`./plugins/\${name}.ts\`)
  return loaded.start()
}
`,
  }

  it('asks about what may be one of its functions', async () => {
    expect(
      await asked(files, [
        ['start', 'src/plugins/one.ts', 'begin'],
        ['start', 'src/plugins/one.ts'],
        ['start', 'src/other/two.ts', 'begin'],
      ]),
    ).toEqual([
      ['start begin', ['src/main.ts:3']],
      ['start', ['src/main.ts:3']],
      ['start begin', 'done'],
    ])
  })
})
