// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect } from 'vitest'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { openedCode } from './opened-code.ts'

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
`,
}

describe('callers of methods of Python that override others', () => {
  it('include those who call the overridden one on what may be of their class', async () => {
    await using workspace = temporaryWorkspace(PROJECT)
    await using code = openedCode(workspace)
    const ask = async (name: string, path: string, depth = 1) => {
      const { callers, partial } = await code.engine.callers({ name, path, depth, ...DEADLINE })
      return { partial, callers: callers.map(({ path: file, line, chain }) => `${file}:${line} ${chain.join(' > ')}`) }
    }
    const through = ['shop/base.py:3 Base.run', 'shop/base.py:20 any_of']
    const named = (name: string) => through.map(each => `${each} > ${name}`)
    expect(await ask('Sub.step', 'shop/sub.py')).toEqual({
      partial: false,
      callers: [...named('Sub.step'), 'shop/sub.py:25 mine > Sub.step'],
    })
    expect(await ask('Other.step', 'shop/sub.py')).toEqual({ partial: false, callers: named('Other.step') })
    expect(await ask('Apart.step', 'shop/sub.py')).toMatchObject({ callers: ['shop/sub.py:25 mine > Apart.step'] })
    expect(await ask('Base.step', 'shop/base.py')).toEqual({
      partial: false,
      callers: [
        'shop/base.py:3 Base.run > Base.step',
        'shop/base.py:14 exactly > Base.step',
        'shop/base.py:20 any_of > Base.step',
        'shop/sub.py:11 Sub.step > Base.step',
      ],
    })
    expect((await ask('Sub.step', 'shop/sub.py', 2)).callers).toContain(
      'shop/base.py:10 Base.make > Base.run > Sub.step',
    )
    // The base that a class names first has its method, and those behind it do not.
    expect(await ask('First.step', 'shop/mixed.py')).toEqual({ partial: false, callers: named('First.step') })
    expect(await ask('Last.step', 'shop/mixed.py')).toEqual({ partial: false, callers: [] })
    expect(await ask('Log.emit', 'shop/mixed.py')).toEqual({ partial: true, callers: [] })
  })
})
