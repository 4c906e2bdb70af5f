// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect } from 'vitest'
import type { Caller, Callers } from '../../src/engines/code/types.ts'
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

describe('callers in Python', () => {
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
      'uses.py:18 hands_over > price',
      'uses.py:27 inner > price',
      'uses.py:30 nested > price',
      'uses.py:32 inner > nested > price',
      'uses.py:36 outer > aliased > price',
    ])
    expect(answer).toMatchObject({ basis: { by: 'server', server: 'pyright' }, partial: false })

    const ask = async (name: string, path: string) =>
      shown(await code.engine.callers({ name, path, depth: 1, ...DEADLINE }))
    // Whoever decorates calls the decorator, and whoever makes one the class.
    expect(await ask('decorated', 'shop/uses.py')).toEqual(['uses.py:25 inner > decorated'])
    expect(await ask('Cart', 'shop/price.py')).toEqual(['price.py:23 Cart.make > Cart'])
    expect(await ask('pong', 'shop/price.py')).toEqual(['price.py:27 ping > pong'])
    expect(await ask('price', 'shop/look_alike.py')).toEqual(['look_alike.py:6 other > price'])
  })

  it('are partial of a method that signs call, as pyright does not say who puts them', async () => {
    await using workspace = temporaryWorkspace({
      'money.py':
        'class Money:\n    def __add__(self, o: "Money") -> "Money":\n        return o\n\n    def cents(self):\n        return 1\n',
      'total.py': 'from money import Money\n\n\ndef total(a: Money, b: Money):\n    return a + b\n',
    })
    await using code = openedCode(workspace)
    const ask = (name: string) => ({ name, path: 'money.py', depth: 1, ...DEADLINE })
    expect(await code.engine.callers(ask('Money.__add__'))).toMatchObject({ partial: true })
    expect(await code.engine.references(ask('Money.__add__'))).toMatchObject({ partial: true })
    expect(await code.engine.callers(ask('Money.cents'))).toMatchObject({ callers: [], partial: false })
  })
})
