import { describe, expect, it } from 'vitest'
import { shownModel } from '../../../tests/code/shown-model.ts'

const SOURCE = `use crate::prices::{Amount, tax as levy};
pub use other::Shape;

/// What is bought.
pub struct Item {
    pub name: String,
    cost: Box<Amount>,
}

pub trait Priced {
    fn price(&self, rate: u32) -> Amount;
}

impl Priced for Item {
    fn price(&self, rate: u32) -> Amount {
        self.cost.times(levy(rate))
    }
}

impl Item {
    pub fn new(name: String) -> Self {
        fn inner() {}
        inner();
        Item { name, cost: Box::new(Amount::zero()) }
    }
}

mod deep {
    pub fn total(items: Vec<Item>) -> u32 {
        for item in items {
            item.price(1);
        }
        println!("{}", helper(2));
        0
    }
}

#[test]
fn adds() {
    deep::total(vec![]);
}
`

const shown = shownModel('shop.rs', SOURCE)

describe('the model of a file in Rust', () => {
  it('has its declarations, each where it stands', async () => {
    const { declarations, spans, bodies, comments } = await shown
    expect(declarations).toEqual([
      'class Item 5-8',
      'property Item.name 6-6',
      'property Item.cost 7-7',
      'interface Priced 10-12',
      'method Priced.price 11-11',
      'method Item.price 15-17',
      'method Item.new 21-25',
      'function Item.new.inner 22-22',
      'module deep 28-36',
      'function deep.total 29-35',
      'function adds 39-41',
    ])
    expect(spans).toMatchObject({
      'Item.price': 'fn price(&self, rate: u32) -> Amount {\n        self.cost.times(levy(rate))\n    }',
      'Item.new.inner': 'fn inner() {}',
    })
    expect(bodies).toMatchObject({ 'Item.price': '{\n        self.cost.times(levy(rate))\n    }' })
    expect(comments).toEqual(['/// What is bought.\n'])
  })

  it('has its imports and exports', async () => {
    const { imports, exports } = await shown
    expect(imports).toEqual(['Amount = Amount of prices', 'levy = tax of prices', 'Shape = Shape of other'])
    expect(exports).toEqual(['Item', 'Priced', 'Shape'])
  })

  it('has its calls, each with who calls what', async () => {
    expect((await shown).calls).toEqual([
      '16: Item.price > a Item.cost.times/1',
      '16: Item.price > levy/1',
      '23: Item.new > inner/0',
      '24: Item.new > Box.new/1',
      '24: Item.new > Amount.zero/0',
      '31: deep.total > a Vec<a Item>[].price/1',
      '33: deep.total > helper/-1',
      '40: adds > deep.total/1',
    ])
  })
})
