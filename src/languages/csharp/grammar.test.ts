import { describe, expect, it } from 'vitest'
import { shownModel } from '../../../tests/code/shown-model.ts'

const SOURCE = `using System.Linq;
using Money = Shop.Prices.Amount;

namespace Shop.Baskets
{
    /// What is bought.
    public class Basket : Base, IBuyer
    {
        private readonly List<Item> items = new List<Item>();
        public Owner Owner { get; }

        public Basket(Owner owner) : base(owner)
        {
            this.Owner = owner;
        }

        [Fact]
        public async Task<int> Total(int rate, params string[] more)
        {
            foreach (var item in items) item.Price(rate);
            Owner.Greet();
            var first = await Load<Item>(1);
            int Local() { return Tax(2); }
            return Local() + base.Total(rate);
        }
    }

    internal interface IBuyer { Task<int> Total(int rate, params string[] more); }

    static class Extensions
    {
        public static int Count(this Basket basket, int least = 0) => 1;
    }

    public enum Kind { Big, Small }
}
`

const shown = shownModel('Basket.cs', SOURCE)

describe('the model of a file in C#', () => {
  it('has its declarations, each where it stands', async () => {
    const { declarations, spans, bodies, comments } = await shown
    expect(declarations).toEqual([
      'module Shop.Baskets 4-36',
      'class Shop.Baskets.Basket 7-26',
      'property Shop.Baskets.Basket.items 9-9',
      'property Shop.Baskets.Basket.Owner 10-10',
      'method Shop.Baskets.Basket.Basket 12-15',
      'method Shop.Baskets.Basket.Total 17-25',
      'function Shop.Baskets.Basket.Total.Local 23-23',
      'interface Shop.Baskets.IBuyer 28-28',
      'method Shop.Baskets.IBuyer.Total 28-28',
      'class Shop.Baskets.Extensions 30-33',
      'method Shop.Baskets.Extensions.Count 32-32',
      'enum Shop.Baskets.Kind 35-35',
      'property Shop.Baskets.Kind.Big 35-35',
      'property Shop.Baskets.Kind.Small 35-35',
    ])
    expect(spans).toMatchObject({
      'Shop.Baskets.Basket.Basket':
        'public Basket(Owner owner) : base(owner)\n        {\n            this.Owner = owner;\n        }',
      'Shop.Baskets.Kind': 'public enum Kind { Big, Small }',
    })
    expect(bodies).toMatchObject({ 'Shop.Baskets.Kind': '{ Big, Small }' })
    expect(comments).toEqual(['/// What is bought.'])
  })

  it('has its imports and exports', async () => {
    const { imports, exports, model } = await shown
    expect(model.package).toBe('Shop.Baskets')
    expect(imports).toEqual([' = * of System.Linq', 'Money = Amount of Shop.Prices'])
    expect(exports).toEqual(['Basket', 'IBuyer', 'Extensions', 'Kind'])
  })

  it('has its calls, each with who calls what', async () => {
    expect((await shown).calls).toEqual([
      '9: Shop.Baskets.Basket > new List/0',
      '12: Shop.Baskets.Basket.Basket > super(Shop.Baskets.Basket)/1',
      '20: Shop.Baskets.Basket.Total > items[].Price/1',
      '21: Shop.Baskets.Basket.Total > Owner.Greet/0',
      '22: Shop.Baskets.Basket.Total > Load/1',
      '23: Shop.Baskets.Basket.Total.Local > Tax/1',
      '24: Shop.Baskets.Basket.Total > Local/0',
      '24: Shop.Baskets.Basket.Total > super(Shop.Baskets.Basket).Total/1',
    ])
  })
})
