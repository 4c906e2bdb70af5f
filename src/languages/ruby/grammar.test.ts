import { describe, expect, it } from 'vitest'
import { shownModel } from '../../../tests/code/shown-model.ts'

const SOURCE = `require_relative 'prices'
require 'json'

module Shop
  # What is bought.
  class Basket < Base
    include Enumerable
    LIMIT = 3

    def initialize(owner, size = 1, *rest)
      super(owner)
      @owner = owner
      @first = Item.new('a')
    end

    def self.of(name)
      new(name)
    end

    def total(rate)
      items.each { |item| item.price(rate) }
      @first.price(2)
      owner.greet
      Prices::Tax.of(rate)
    end

    def owner
      @owner
    end
  end
end

def helper
  Shop::Basket.of('x').total(1)
end
`

const shown = shownModel('basket.rb', SOURCE)

describe('the model of a file in Ruby', () => {
  it('has its declarations, each where it stands', async () => {
    const { declarations, spans, bodies, comments } = await shown
    expect(declarations).toEqual([
      'module Shop 4-31',
      'class Shop.Basket 6-30',
      'variable Shop.Basket.LIMIT 8-8',
      'method Shop.Basket.initialize 10-14',
      'property Shop.Basket.@owner 12-12',
      'property Shop.Basket.@first 13-13',
      'method Shop.Basket.of 16-18',
      'method Shop.Basket.total 20-25',
      'method Shop.Basket.owner 27-29',
      'function helper 33-35',
    ])
    expect(spans).toMatchObject({
      'Shop.Basket.LIMIT': 'LIMIT = 3',
      'Shop.Basket.of': 'def self.of(name)\n      new(name)\n    end',
    })
    expect(bodies).toMatchObject({ 'Shop.Basket.of': 'new(name)' })
    expect(comments).toEqual(['# What is bought.'])
  })

  it('has its imports and exports', async () => {
    const { imports, exports } = await shown
    expect(imports).toEqual([' = * of prices', ' = * of json'])
    expect(exports).toEqual(['Shop', 'Basket', 'helper'])
  })

  it('has its calls, each with who calls what', async () => {
    expect((await shown).calls).toEqual([
      '1: file > require_relative/1',
      '2: file > require/1',
      '7: Shop.Basket > include/1',
      '11: Shop.Basket.initialize > super(Shop.Basket).initialize/1',
      '11: Shop.Basket.initialize > ?/0',
      '12: Shop.Basket.initialize > ?/0',
      '13: Shop.Basket.initialize > new Item/1',
      '17: Shop.Basket.of > new Basket/1',
      '17: Shop.Basket.of > ?/0',
      '21: Shop.Basket.total > items().each/0',
      '21: Shop.Basket.total > items/0',
      '21: Shop.Basket.total > items()[]().price/1',
      '21: Shop.Basket.total > items()[]/0',
      '21: Shop.Basket.total > ?/0',
      '22: Shop.Basket.total > @first.price/1',
      '23: Shop.Basket.total > owner().greet/0',
      '23: Shop.Basket.total > owner/0',
      '24: Shop.Basket.total > Prices.Tax.of/1',
      '24: Shop.Basket.total > ?/0',
      '34: helper > Shop.Basket.of().total/1',
      '34: helper > Shop.Basket.of/1',
    ])
  })
})
