// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { openedCode, type OpenedCode } from './opened-code.ts'

const it = needs('bubblewrap')

const DEADLINE = { deadlineMs: 40_000 }

const PROJECT = {
  'shop/__init__.py': '',
  'shop/base.py': `class Base:
    def run(self):
        return self.step()

    def step(self):
        return 1

    @classmethod
    def make(cls):
        return cls().run()


def exactly(one: Base):
    return Base.step(one)


def any_of(one: Base):
    return (
        one
        .step()
    )
`,
  'shop/sub.py': `import shop.base as b
from shop.base import Base as Old


class Middle(Old):
    pass


class Sub(Middle, object):
    def step(self):
        return super().step() + 1


class Other(b.Base):
    def step(self):
        return 3


class Apart:
    def step(self):
        return 4


def mine(one: Sub, apart: Apart):
    return one.step() + apart.step()
`,
  'shop/mixed.py': `from logging import Handler
from shop.base import Base


class First:
    def step(self):
        return 5


class Last:
    def step(self):
        return 6


class Both(First, Base, Last):
    pass


class Log(Handler):
    def emit(self, record):
        return record

    class Inner(Handler):
        def own(self):
            return self

    def own(self):
        return self
`,
}

const renamed = (symbol: string, path: string, to: string) =>
  ({ kind: 'rename', symbol, path, to, deadlineMs: 60_000 }) as const

/** One server for all of these: a refactoring is planned here, and changes no file. */
describe('in one project', () => {
  let workspace: TemporaryWorkspace
  let code: OpenedCode
  beforeAll(() => {
    workspace = temporaryWorkspace(PROJECT)
    code = openedCode(workspace)
  })
  afterAll(async () => {
    await code[Symbol.asyncDispose]()
    await workspace.remove()
  })

  describe('callers of methods of Python that override others', () => {
    it('may be those who call the overridden one on what may be of their class', async () => {
      const ask = async (name: string, path: string, depth = 1) => {
        const { callers, possible, unknown } = await code.engine.callers({ name, path, depth, ...DEADLINE })
        return {
          callers: callers.map(({ path: file, line, chain }) => `${file}:${line} ${chain.join(' > ')}`),
          possible: possible.map(each => `${each.path}:${each.line} ${each.name}: ${each.why}`),
          unknown,
        }
      }
      const why = 'through Base.step, which it overrides'
      const through = [`shop/base.py:3 Base.run: ${why}`, `shop/base.py:20 any_of: ${why}`]
      expect(await ask('Sub.step', 'shop/sub.py')).toEqual({
        callers: ['shop/sub.py:25 mine > Sub.step'],
        possible: through,
        unknown: [],
      })
      expect(await ask('Other.step', 'shop/sub.py')).toEqual({ callers: [], possible: through, unknown: [] })
      expect(await ask('Apart.step', 'shop/sub.py')).toMatchObject({ callers: ['shop/sub.py:25 mine > Apart.step'] })
      expect(await ask('Base.step', 'shop/base.py')).toEqual({
        callers: [
          'shop/base.py:3 Base.run > Base.step',
          'shop/base.py:14 exactly > Base.step',
          'shop/base.py:20 any_of > Base.step',
          'shop/sub.py:11 Sub.step > Base.step',
        ],
        possible: [],
        unknown: [],
      })
      // The base that a class names first has its method, and those behind it do not.
      expect(await ask('First.step', 'shop/mixed.py')).toEqual({ callers: [], possible: through, unknown: [] })
      expect(await ask('Last.step', 'shop/mixed.py')).toEqual({ callers: [], possible: [], unknown: [] })
      expect(await ask('Log.emit', 'shop/mixed.py')).toEqual({
        callers: [],
        possible: [],
        unknown: ['A base class outside the workspace may call Log.emit'],
      })
    })
  })

  describe('deleting a method of Python', () => {
    it('is refused while the one that it overrides is called on what may be of its class', async () => {
      const removed = (symbol: string, path: string) =>
        code.engine.refactoring({ kind: 'delete', symbol, path, deadlineMs: 60_000 })
      const asks = { code: 'conflict', message: expect.stringContaining('outside of the workspace, may call it') }
      await expect(removed('Other.step', 'shop/sub.py')).rejects.toMatchObject({
        code: 'conflict',
        message: "'Other.step' is still used: shop/base.py:3, shop/base.py:20",
      })
      await expect(removed('Log.own', 'shop/mixed.py')).rejects.toMatchObject(asks)
    })
  })

  describe('renaming a method of Python', () => {
    it('renames what overrides it and what it overrides along, whichever is named', async () => {
      const lines = async (symbol: string, path: string) => {
        const { edits, warnings } = await code.engine.refactoring(renamed(symbol, path, 'stride'))
        expect(warnings).toEqual([])
        return edits.flatMap(edit => {
          if (edit.kind !== 'change') return [edit.kind]
          const text = PROJECT[edit.path as keyof typeof PROJECT]
          return edit.splices
            .toSorted((one, other) => one.start - other.start)
            .map(({ start }) => `${edit.path}:${text.slice(0, start).split('\n').length}`)
        })
      }
      const all = [
        ...[3, 5, 14, 20].map(line => `shop/base.py:${line}`),
        ...[6, 11].map(line => `shop/mixed.py:${line}`),
        ...[10, 11, 15, 25].map(line => `shop/sub.py:${line}`),
      ]
      expect(await lines('Base.step', 'shop/base.py')).toEqual(all)
      expect(await lines('Other.step', 'shop/sub.py')).toEqual(all)
      expect(await lines('Last.step', 'shop/mixed.py')).toEqual(all)
      expect(await lines('Apart.step', 'shop/sub.py')).toEqual(['shop/sub.py:20', 'shop/sub.py:25'])
    })
  })
})

describe('renaming a method of Python', () => {
  it('is refused where another of the new name would override it, or one from outside keeps the old one', async () => {
    await using workspace = temporaryWorkspace({
      ...PROJECT,
      'shop/more.py': `from shop.sub import Sub
from enum import Enum
from nowhere import View


class More(Sub):
    def stride(self):
        return 1

    def __len__(self):
        return 1


class Kind(Enum):
    ONE = 1

    def label(self):
        return 1


class Seen(View):
    def show(self):
        return 1
`,
    })
    await using code = openedCode(workspace)
    const refused = (symbol: string, path: string, to: string, message: string) =>
      expect(code.engine.refactoring(renamed(symbol, path, to))).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining(message),
      })
    await refused('Base.step', 'shop/base.py', 'stride', "'stride' is taken: More.stride (shop/more.py:7)")
    await refused('More.stride', 'shop/more.py', 'run', "'run' is taken: Base.run (shop/base.py:2)")
    await refused('More.__len__', 'shop/more.py', 'size', 'Python itself')
    await refused('Log.emit', 'shop/mixed.py', 'send', 'Log (shop/mixed.py:19)')
    await refused('Log.own', 'shop/mixed.py', 'flush', "'flush' is taken")
    await refused('Kind.label', 'shop/more.py', 'name', "'name' is taken")
    await refused('Log.Inner.own', 'shop/mixed.py', 'flush', 'Log.Inner (shop/mixed.py:23)')
    expect(
      await code.engine.refactoring({ ...renamed('Log.Inner.own', 'shop/mixed.py', 'mine'), strict: false }),
    ).toMatchObject({
      edits: [{ path: 'shop/mixed.py', splices: [{ old: 'own', new: 'mine' }] }],
      warnings: [],
    })
    await refused('Seen.show', 'shop/more.py', 'draw', 'shop/more.py:21')
    const question = { ...renamed('Seen.show', 'shop/more.py', 'draw'), leave: ['file:shop/more.py'] }
    expect(await code.engine.refactoring(question)).toMatchObject({ occurrences: { undecided: 1 } })
  })
})
