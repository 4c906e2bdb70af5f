import { describe, expect, it } from 'vitest'
import { shownModel } from '../../../tests/code/shown-model.ts'

const SOURCE = `package org.shop;

import java.util.List;
import static org.shop.Prices.tax;
import org.shop.kinds.*;

/** What is bought. */
public class Basket extends Base implements Buyer {
    private final List<Item> items;
    static Counter counter = new Counter(1);

    public Basket(List<Item> items) {
        super(items);
        this.items = items;
    }

    @Override
    public int total(int rate, String... more) {
        for (Item item : items) {
            item.price(rate);
        }
        items.forEach(each -> each.price(1));
        Runnable run = new Runnable() {
            public void run() { tax(2); }
        };
        var first = items.get(0);
        return counter.next().value();
    }

    enum Kind { BIG, SMALL }
}

record Point(int x, int y) {}

interface Buyer { int total(int rate, String... more); }
`

const shown = shownModel('Basket.java', SOURCE)

describe('the model of a file in Java', () => {
  it('has its declarations, each where it stands', async () => {
    const { declarations, spans, bodies, comments } = await shown
    expect(declarations).toEqual([
      'class Basket 8-31',
      'property Basket.items 9-9',
      'property Basket.counter 10-10',
      'method Basket.Basket 12-15',
      'method Basket.total 17-28',
      'class Basket.total. 23-25',
      'method Basket.total.run 24-24',
      'enum Basket.Kind 30-30',
      'property Basket.Kind.BIG 30-30',
      'property Basket.Kind.SMALL 30-30',
      'class Point 33-33',
      'property Point.x 33-33',
      'property Point.y 33-33',
      'method Point.x 33-33',
      'method Point.y 33-33',
      'interface Buyer 35-35',
      'method Buyer.total 35-35',
    ])
    expect(spans).toMatchObject({
      Point: 'record Point(int x, int y) {}',
      'Basket.Kind': 'enum Kind { BIG, SMALL }',
      'Basket.Basket': 'public Basket(List<Item> items) {\n        super(items);\n        this.items = items;\n    }',
    })
    expect(bodies).toMatchObject({ 'Basket.Kind': '{ BIG, SMALL }' })
    expect(comments).toEqual(['/** What is bought. */'])
  })

  it('has its imports and exports', async () => {
    const { imports, exports, model } = await shown
    expect(model.package).toBe('org.shop')
    expect(imports).toEqual(['List = List of java.util', 'tax = tax of org.shop.Prices', ' = * of org.shop.kinds'])
    expect(exports).toEqual(['Basket', 'Point', 'Buyer'])
  })

  it('has its calls, each with who calls what', async () => {
    expect((await shown).calls).toEqual([
      '10: Basket > new Counter/1',
      '13: Basket.Basket > super(Basket)/1',
      '20: Basket.total > a Item.price/1',
      '22: Basket.total > items.forEach/1',
      '22: Basket.total > items[].price/1',
      '23: Basket.total > new Runnable/0',
      '24: Basket.total.run > tax/1',
      '26: Basket.total > items.get/1',
      '27: Basket.total > counter.next().value/0',
      '27: Basket.total > counter.next/0',
    ])
  })
})
