import { describe, expect, it } from 'vitest'
import { shownModel } from '../../../tests/code/shown-model.ts'

const SOURCE = `"""A shop."""
import os.path as paths
from .prices import price as cost, tax

__all__ = ["Basket", "total"]
RATES = {"full": cost, "less": tax}


class Basket(list):
    """What is bought."""

    limit = 3

    def __init__(self, owner):
        super().__init__()
        self.owner = owner
        self.first = Item("a")

    @property
    def size(self) -> int:
        return len(self)

    @staticmethod
    def empty():
        return Basket("nobody")

    @classmethod
    def of(cls, *names):
        return cls(names)

    def __enter__(self):
        return self


class Item:
    def __init__(self, name: str):
        self.name = name

    def __add__(self, other: "Item") -> "Item":
        return self


@cached
@retry(3)
def total(basket: Basket, rate=RATES["full"]):
    global last
    def inner(item):  # each of them
        return rate(item.name)

    last = Basket("x")
    sums = [inner(item) for item in basket]
    with Basket.of("a") as opened:
        opened.empty()
    one = Item("b") + Item("c")
    one.name
    for rest in opened:
        rest()
    try:
        pass
    except Broken as error:
        error.show()
        raise Item
    handler = inner
    return handed(inner, key=tax)


def made():
    yield Item("z")


last.empty()
RATES["less"](1)
`

const shown = shownModel('shop.py', SOURCE)

describe('the model of a file in Python', () => {
  it('has its declarations, each where it stands', async () => {
    const { declarations, spans, bodies, comments } = await shown
    expect(declarations).toEqual([
      'variable __all__ 5-5',
      'variable RATES 6-6',
      'class Basket 9-32',
      'property Basket.limit 12-12',
      'method Basket.__init__ 14-17',
      'property Basket.owner 16-16',
      'property Basket.first 17-17',
      'method Basket.size 19-21',
      'method Basket.empty 23-25',
      'method Basket.of 27-29',
      'method Basket.__enter__ 31-32',
      'class Item 35-40',
      'method Item.__init__ 36-37',
      'property Item.name 37-37',
      'method Item.__add__ 39-40',
      'function total 43-64',
      'function total.inner 47-48',
      'function made 67-68',
    ])
    expect(spans).toMatchObject({
      'Basket.size': '@property\n    def size(self) -> int:\n        return len(self)',
      'total.inner': 'def inner(item):  # each of them\n        return rate(item.name)',
      RATES: 'RATES = {"full": cost, "less": tax}',
    })
    expect(bodies).toMatchObject({ 'Item.__add__': 'return self' })
    expect(comments).toEqual(['# each of them'])
  })

  it('has its imports and exports', async () => {
    const { imports, exports } = await shown
    expect(imports).toEqual(['paths = * of os.path', 'cost = price of .prices', 'tax = tax of .prices'])
    expect(exports).toEqual(['Basket', 'total'])
  })

  it('has its calls, each with who calls what', async () => {
    expect((await shown).calls).toEqual([
      '15: Basket.__init__ > super(Basket).__init__/0',
      '17: Basket.__init__ > Item/1',
      '19: Basket > property/1',
      '21: Basket.size > a Basket~__len__/-1',
      '21: Basket.size > len/1',
      '23: Basket > staticmethod/1',
      '25: Basket.empty > Basket/1',
      '27: Basket > classmethod/1',
      '29: Basket.of > Basket/1',
      '43: file > cached/1',
      '44: file > retry()/1',
      '44: file > retry/1',
      '45: file > {full: cost,less: tax}~__getitem__/1',
      '48: total.inner > ?/1',
      '50: total > Basket/1',
      '51: total > inner/1',
      '51: total > a Basket~__iter__/0',
      '51: total > a Basket~__iter__()~__next__/0',
      '52: total > Basket.of()~__enter__/0',
      '52: total > Basket.of()~__exit__/3',
      '52: total > Basket.of/1',
      '53: total > Basket.of()~__enter__().empty/0',
      '54: total > Item()~__add__/1',
      '54: total > Item/1',
      '54: total > Item/1',
      '56: total > Basket.of()~__enter__()~__iter__/0',
      '56: total > Basket.of()~__enter__()~__iter__()~__next__/0',
      '57: total > Basket.of()~__enter__()[]/0',
      '61: total > a Broken.show/0',
      '62: total > Item/0',
      '64: total > handed/2',
      '68: made > Item/1',
      '71: file > Basket().empty/0',
      '72: file > {full: cost,less: tax}[less]/1',
      '72: file > {full: cost,less: tax}~__getitem__/1',
    ])
  })

  it('has the names that are read or handed on without a call', async () => {
    expect((await shown).uses).toEqual([
      '6: file > cost',
      '6: file > tax',
      '9: Basket > list',
      '48: total.inner > ?.name',
      '55: total > Item()~__add__().name',
      '63: total > inner',
      '64: total > inner',
      '64: total > tax',
    ])
  })

  it('says how its functions are called, and what they give', async () => {
    const { model } = await shown
    const [size, empty, total, made] = ['size', 'empty', 'total', 'made'].map(name =>
      model.symbols.find(each => each.name === name),
    )
    expect(size).toMatchObject({ accessor: 'read', arity: [0, 0], value: ['instance', ['name', 'int']] })
    expect(empty).toMatchObject({ isStatic: true, value: ['result', ['name', 'Basket']] })
    expect(total).toMatchObject({
      arity: [1, 2],
      decorators: [
        ['name', 'cached'],
        ['result', ['name', 'retry']],
      ],
    })
    expect(made?.value).toEqual(['list', ['result', ['name', 'Item']]])
  })
})
