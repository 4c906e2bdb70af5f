import { describe, expect, it } from 'vitest'
import { possibleCallers, writtenAnswer, writtenCallers } from '../../../../tests/code/written-callers.ts'

describe('callers in Python, from the text', () => {
  const files = {
    'shop/cart.py': `def price(item):
    return 1


class Cart:
    def total(self):
        return price("apple")

    def show(self):
        return self.total()
`,
    'shop/order.py': `def price(item):
    return 2


class Order:
    def total(self):
        return price("pear")
`,
    'app.py': `from shop.cart import price as cost, Cart
import shop.cart
from shop.order import Order


def by_alias():
    cost(1)


def by_module():
    shop.cart.price(2)


def by_constructor():
    cart = Cart()
    cart.total()


def by_parameter(order: Order):
    order.total()


class View:
    def __init__(self, cart: Cart):
        self.cart = cart

    def by_attribute(self):
        self.cart.total()

    def unrelated(self):
        total()
`,
  }

  it('of a function come by its alias, by its module and by its plain name', async () => {
    expect(await writtenCallers(files, 'shop/cart.py', 'price')).toEqual([
      'by_alias > price @app.py:7',
      'by_module > price @app.py:11',
      'Cart.total > price @shop/cart.py:7',
    ])
  })

  it('of a method come by a constructor, an attribute and self, not by its bare name', async () => {
    expect(await writtenCallers(files, 'shop/cart.py', 'Cart.total')).toEqual([
      'by_constructor > Cart.total @app.py:16',
      'View.by_attribute > Cart.total @app.py:28',
      'Cart.show > Cart.total @shop/cart.py:10',
    ])
  })

  it('of a method of the same name in another class stay apart', async () => {
    expect(await writtenCallers(files, 'shop/order.py', 'Order.total')).toEqual([
      'by_parameter > Order.total @app.py:20',
    ])
  })
})

describe('a method of Python that is called on something unknown', () => {
  const files = {
    'writer.py': `class Writer:
    def close(self):
        pass

    def close_quietly(self):
        self.close()
`,
    'use.py': `def use(unknown):
    unknown.close()
    unknown.close_quietly()
`,
  }

  it.each(['close', 'close_quietly'])('is possible and never certain: %s', async name => {
    const { callers, possible } = await writtenAnswer(files, 'writer.py', `Writer.${name}`)
    expect(callers.filter(each => each.path === 'use.py')).toEqual([])
    expect(possible).toEqual([
      {
        name: 'use',
        path: 'use.py',
        line: name === 'close' ? 2 : 3,
        why: 'same name, on a receiver of unknown type',
      },
    ])
  })
})

describe('a protocol method of Python', () => {
  const files = {
    'a.py':
      'class Both:\n    def __bool__(self): return True\n    def __len__(self): return 1\n    def __contains__(self, x): return True\n    def __getitem__(self, x): return x\nclass Long:\n    def __len__(self): return 1\ndef use(b: Both, l: Long):\n    if b: pass\n    if l: pass\n    1 in b\nclass Wide:\n    def __bool__(self): return True\ndef wide(q: Wide, y: list):\n    q and 1\n    q or 1\n    1 if q else 2\n    [x for x in y if q]\n    assert q\n    while (y and q): pass\n    1 and q\n',
  }

  it.each([
    ['Both.__bool__', [9]],
    ['Both.__len__', []],
    ['Both.__contains__', [11]],
    ['Both.__getitem__', []],
    ['Long.__len__', [10]],
    ['Wide.__bool__', [15, 16, 17, 18, 19, 20]],
  ])('is called where none comes before it: %s', async (name, lines) => {
    const { callers } = await writtenAnswer(files, 'a.py', name)
    expect(callers.map(({ line }) => line)).toEqual(lines)
  })
})

describe('a call of Python that runs one of several', () => {
  const files = {
    'several.py': `import sys

def target(): return 1
def other(): return 2

class A:
    def run(self): return 1

class B:
    def run(self): return 2

def conditional(flag):
    chosen = target if flag else other
    return chosen()

def fallback(given):
    chosen = given or target
    return chosen()

def receivers(flag):
    return (A() if flag else B()).run()

def classes(flag):
    made = A if flag else B
    return made()

def same(flag):
    chosen = target if flag else target
    return chosen()

def default(a=target()): return a

class Holder:
    def method(self, a=target()): return a
`,
  }

  it('is possible for each of them, and says so', async () => {
    const { callers, possible } = await writtenAnswer(files, 'several.py', 'target')
    expect(callers.map(({ chain, line }) => `${chain[0]}:${line}`)).toEqual(['same:29', '<module>:31', 'Holder:34'])
    expect(possible.filter(({ why }) => why.startsWith('one of several'))).toEqual([
      {
        name: 'conditional',
        path: 'several.py',
        line: 14,
        why: 'one of several possible values: other is another',
      },
      {
        name: 'fallback',
        path: 'several.py',
        line: 18,
        why: 'one of several possible values, some of them unknown',
      },
    ])
  })

  it.each([
    ['A.run', 'receivers @several.py:21'],
    ['B.run', 'receivers @several.py:21'],
    ['A', 'classes @several.py:25'],
    ['other', 'conditional @several.py:14'],
  ])('is possible for %s', async (name, place) => {
    const { callers } = await writtenAnswer(files, 'several.py', name)
    const lines = callers.map(({ line }) => line)
    expect(lines).toEqual(name === 'A' ? [21] : [])
    expect(await possibleCallers(files, 'several.py', name)).toContain(place)
  })
})
