// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect } from 'vitest'
import type { Caller, Callers } from '../../src/knowledge/code/types.ts'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { openedCode } from './opened-code.ts'

const it = needs('bubblewrap')

const DEADLINE = { deadlineMs: 40_000 }

const PROJECT = {
  'pyproject.toml': '[tool.pyright]\n',
  'shop/__init__.py': '',
  'shop/price.py': `from typing import overload


@overload
def price(item: str) -> int: ...
@overload
def price(item: int) -> int: ...
def price(item):
    if item is None:
        return price('again')
    return 1


class Cart:
    def __init__(self):
        price('start')

    def total(self):
        return price('x')

    @staticmethod
    def make():
        return Cart().total()


def ping(n):
    pong(n)
    return price(n)


def pong(n):
    return ping(n - 1)


price('top')
`,
  'shop/uses.py': `from shop.price import price as cost
from shop import price as module
from shop.price import (
    Cart,
    price,
)


def aliased():
    return cost('a')


def by_module():
    return module.price('b')


def hands_over():
    return list(map(price, [1, 2]))


def decorated(f):
    return f


@decorated
def inner():
    key = lambda x: price(x)

    def nested():
        return price('n')

    return nested, key


def outer():
    return aliased()
`,
  'shop/look_alike.py': `def price(x):
    return x


def other():
    return price(1)
`,
}

const shown = ({ callers }: Callers): string[] =>
  callers.map(({ path, line, chain }: Caller) => `${path.slice(5)}:${line} ${chain.join(' > ')}`)

const possible = (answer: Callers): string[] =>
  answer.possible.map(({ path, line, name, why }) => `${path}:${line} ${name}: ${why}`)

describe('callers in Python', () => {
  it('of a function in a file that could not be parsed are refused for that reason', async () => {
    const deep = `x = ${'('.repeat(20_000)}1${')'.repeat(20_000)}\n\ndef f():\n    return f()\n`
    await using workspace = temporaryWorkspace({ 'deep.py': deep })
    await using code = openedCode(workspace)
    const unparsed = {
      code: 'no_match',
      message: "No function 'f' is known in deep.py: the file could not be parsed",
    }
    const asked = { name: 'f', path: 'deep.py', depth: 1, ...DEADLINE }
    await expect(code.engine.callers(asked)).rejects.toMatchObject(unparsed)
    await expect(code.engine.references(asked)).rejects.toMatchObject(unparsed)
  }, 60_000)

  it('are exact: overloads, aliases, methods, decorators, cycles, values', async () => {
    await using workspace = temporaryWorkspace(PROJECT)
    await using code = openedCode(workspace)
    const answer = await code.engine.callers({ name: 'price', path: 'shop/price.py', depth: 3, ...DEADLINE })
    expect(shown(answer)).toEqual([
      'price.py:10 price > price',
      'price.py:16 Cart.__init__ > price',
      'price.py:19 Cart.total > price',
      'price.py:23 Cart.make > Cart.__init__ > price',
      'price.py:23 Cart.make > Cart.total > price',
      'price.py:28 ping > price',
      'price.py:32 pong > ping > price',
      'price.py:35 <module> > price',
      'uses.py:10 aliased > price',
      'uses.py:14 by_module > price',
      'uses.py:27 inner > price',
      'uses.py:30 nested > price',
      'uses.py:36 outer > aliased > price',
    ])
    expect(answer).toMatchObject({ basis: { by: 'server', server: 'pyright' }, partial: true })
    expect(possible(answer)).toEqual(['shop/uses.py:18 hands_over: passed as a value'])
    expect(answer.unknown).toEqual(['nested, one of its callers, may have more callers of its own'])

    const ask = async (name: string, path: string) =>
      shown(await code.engine.callers({ name, path, depth: 1, ...DEADLINE }))
    // Decorating calls the decorator, and constructing calls the class.
    expect(await ask('decorated', 'shop/uses.py')).toEqual(['uses.py:25 <module> > decorated'])
    expect(await ask('Cart', 'shop/price.py')).toEqual(['price.py:23 Cart.make > Cart'])
    expect(await ask('pong', 'shop/price.py')).toEqual(['price.py:27 ping > pong'])
    expect(await ask('price', 'shop/look_alike.py')).toEqual(['look_alike.py:6 other > price'])
  })

  it('of protocol methods and constructors are what calls them in the language', async () => {
    await using workspace = temporaryWorkspace({
      'money.py': `class Money:
    def __init__(self, cents=0):
        self.cents = cents

    def __add__(self, o: "Money") -> "Money":
        return o

    def __iter__(self):
        return iter([self])

    def pick(self):
        return 1

    def __hash__(self):
        return 1


class Euro(Money):
    pass


class Lost(Exception):
    def __init__(self, why):
        self.why = why


def outer():
    def inner():
        return 1

    return inner()
`,
      'total.py': `from money import Euro, Lost, Money


def total(a: Money, b: Money):
    for part in a:
        print(part)
    return a + b


def made():
    return Euro()


def untyped(q, name):
    q.pick()
    for part in q:
        raise Lost("x")
    getattr(q, "pick")()
    return getattr(name, "other")


def keyed(a: Money):
    return {a: 1, "b": 2}


def gathered(a: Money):
    return {a}
`,
    })
    await using code = openedCode(workspace)
    const ask = async (name: string) => {
      const answer = await code.engine.callers({ name, path: 'money.py', depth: 1, ...DEADLINE })
      const callers = answer.callers.map(({ path, line, name: by }) => `${path}:${line} ${by}`)
      return { callers, possible: possible(answer), unknown: answer.unknown }
    }
    expect(await ask('Money.__add__')).toEqual({ callers: ['total.py:7 total'], possible: [], unknown: [] })
    expect(await ask('Money.__iter__')).toEqual({
      callers: ['total.py:5 total'],
      possible: [],
      unknown: ['Operations on values of unknown type may call __iter__: total.py:16'],
    })
    expect(await ask('Money.__hash__')).toEqual({
      callers: ['total.py:23 keyed', 'total.py:27 gathered'],
      possible: [],
      unknown: ['Sets, dictionaries and caches call __hash__ of whatever is put into them'],
    })
    expect(await ask('Money.__init__')).toEqual({ callers: ['total.py:11 made'], possible: [], unknown: [] })
    expect(await ask('Lost.__init__')).toEqual({ callers: ['total.py:17 untyped'], possible: [], unknown: [] })
    expect(await ask('outer.inner')).toMatchObject({ callers: ['money.py:31 outer'] })
    expect(await ask('Money.pick')).toEqual({
      callers: [],
      possible: ['total.py:15 untyped: same name, on a receiver of unknown type'],
      unknown: ['It is looked up by its name as a string: total.py:18'],
    })
  })
})

describe('callers of a constructor of Python', () => {
  it('are possible where a __new__ or a metaclass of its own may not run it', async () => {
    await using workspace = temporaryWorkspace({
      'made.py': `class Meta(type):
    def __call__(cls): return 1
class Quiet(type): pass
class Thing:
    def __init__(self): pass
class Fake(Thing):
    def __new__(cls): return object()
class Odd(Thing, metaclass=Meta): pass
class Even(Thing, metaclass=Quiet): pass
Fake()
Odd()
Even()
Thing()
`,
    })
    await using code = openedCode(workspace)
    const question = { name: 'Thing.__init__', path: 'made.py', depth: 1, ...DEADLINE }
    const answer = await code.engine.callers(question)
    expect(answer.callers.map(({ line }) => line)).toEqual([12, 13])
    expect(answer.possible.map(({ line }) => line)).toEqual([10, 11])
  })
})
