import { describe, expect, it } from 'vitest'
import { shownModel } from '../../../tests/code/shown-model.ts'

const SOURCE = `import Foundation

/// What is bought.
public class Basket: Base, Buyer {
    private var items: [Item] = []
    let owner: Owner

    init(owner: Owner, size: Int = 1) {
        self.owner = owner
        super.init()
    }

    func total(rate: Int, more: String...) -> Int {
        for item in items { item.price(rate) }
        items.forEach { $0.price(1) }
        owner.greet()
        if let first = items.first { first.price(2) }
        let made = Item(name: "a")
        return made.price(3) + super.total(rate: rate)
    }

    static func of(_ name: String) -> Basket { Basket(owner: Owner(name)) }
}

protocol Buyer { func total(rate: Int, more: String...) -> Int }

extension Basket {
    func count() -> Int { items.count }
}

enum Kind { case big, small }

private func hidden() {}

let shared = Basket.of("x")

typealias Items = [Item]
`

const shown = shownModel('Basket.swift', SOURCE)

describe('the model of a file in Swift', () => {
  it('has its declarations, each where it stands', async () => {
    const { declarations, spans, bodies, comments } = await shown
    expect(declarations).toEqual([
      'class Basket 4-23',
      'property Basket.items 5-5',
      'property Basket.owner 6-6',
      'method Basket.init 8-11',
      'method Basket.total 13-20',
      'method Basket.of 22-22',
      'interface Buyer 25-25',
      'method Buyer.total 25-25',
      'method Basket.count 28-28',
      'enum Kind 31-31',
      'function hidden 33-33',
      'variable shared 35-35',
      'type Items 37-37',
    ])
    expect(spans).toMatchObject({
      'Basket.of': 'static func of(_ name: String) -> Basket { Basket(owner: Owner(name)) }',
      'Basket.count': 'func count() -> Int { items.count }',
      Kind: 'enum Kind { case big, small }',
      shared: 'let shared = Basket.of("x")',
    })
    expect(bodies).toMatchObject({ 'Basket.count': '{ items.count }' })
    expect(comments).toEqual(['/// What is bought.'])
  })

  it('has its imports and exports', async () => {
    const { imports, exports } = await shown
    expect(imports).toEqual([' = * of Foundation'])
    expect(exports).toEqual(['Basket', 'Buyer', 'Kind', 'shared', 'Items'])
  })

  it('has its calls, each with who calls what', async () => {
    expect((await shown).calls).toEqual([
      '10: Basket.init > super(Basket).init/0',
      '14: Basket.total > items[].price/1',
      '15: Basket.total > items.forEach/1',
      '15: Basket.total > items[].price/1',
      '16: Basket.total > owner.greet/0',
      '17: Basket.total > items.first.price/1',
      '18: Basket.total > Item/1',
      '19: Basket.total > super(Basket).total/1',
      '19: Basket.total > Item().price/1',
      '22: Basket.of > Basket/1',
      '22: Basket.of > Owner/1',
      '35: file > Basket.of/1',
    ])
  })
})
