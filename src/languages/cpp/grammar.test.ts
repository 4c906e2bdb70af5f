import { describe, expect, it } from 'vitest'
import { shownModel } from '../../../tests/code/shown-model.ts'

const SOURCE = `#include "basket.hpp"

namespace shop {
// What is bought.
class Item : public Base {
public:
    Item(std::string name);
    virtual ~Item();
    int price(int rate = 1) const { return cost->times(rate); }
    bool operator==(const Item& other) const;

private:
    std::unique_ptr<Amount> cost;
    void hidden();
};

template <class T>
T first(std::vector<T> items) { return items.front(); }

using Items = std::vector<Item>;
}

int shop::Item::total(Items& items) {
    for (auto& item : items) item.price(2);
    auto made = std::make_unique<Item>("a");
    made->price();
    auto* raw = new Item("b");
    return first<Item>(items).price(static_cast<int>(3));
}

namespace {
int own() { return 1; }
}
`

const shown = shownModel('basket.cpp', SOURCE)

describe('the model of a file in C++', () => {
  it('has its declarations, each where it stands', async () => {
    const { declarations, spans, bodies, comments } = await shown
    expect(declarations).toEqual([
      'module shop 3-21',
      'class shop.Item 5-15',
      'method shop.Item.Item 7-7',
      'method shop.Item.~Item 8-8',
      'method shop.Item.price 9-9',
      'method shop.Item.operator== 10-10',
      'property shop.Item.cost 13-13',
      'method shop.Item.hidden 14-14',
      'function shop.first 17-18',
      'type shop.Items 20-20',
      'method shop.Item.total 23-29',
      'function own 32-32',
    ])
    expect(spans).toMatchObject({
      'shop.first': 'template <class T>\nT first(std::vector<T> items) { return items.front(); }',
      'shop.Item.~Item': 'virtual ~Item();',
      'shop.Item.operator==': 'bool operator==(const Item& other) const;',
      own: 'int own() { return 1; }',
    })
    expect(bodies).toMatchObject({ 'shop.first': '{ return items.front(); }' })
    expect(comments).toEqual(['// What is bought.'])
  })

  it('has its imports and exports', async () => {
    const { imports, exports } = await shown
    expect(imports).toEqual([' = * of basket.hpp'])
    expect(exports).toEqual(['Item', 'first', 'Items'])
  })

  it('has its calls, each with who calls what', async () => {
    expect((await shown).calls).toEqual([
      '9: shop.Item.price > cost.times/1',
      '18: shop.first > a std.vector<a T>.front/0',
      '24: shop.Item.total > a Items[].price/1',
      '25: shop.Item.total > new Item/1',
      '26: shop.Item.total > a Item.price/0',
      '27: shop.Item.total > new Item/1',
      '28: shop.Item.total > first().price/1',
      '28: shop.Item.total > first/1',
    ])
  })
})
