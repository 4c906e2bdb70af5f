import { describe, expect, it } from 'vitest'
import { shownModel } from '../../../tests/code/shown-model.ts'

const SOURCE = `<?php
namespace Shop\\Baskets;

use Shop\\Prices\\Amount as Money;
use Shop\\Kinds\\{Big, Small};
use function Shop\\tax;

const LIMIT = 3;

/** What is bought. */
class Basket extends Base implements Buyer
{
    use Counting;

    private ?Item $first = null;

    public function __construct(private Owner $owner, int $size = 1)
    {
        parent::__construct($owner);
        $this->made = new Item('a');
    }

    public static function of(string ...$names): self
    {
        return new self(...$names);
    }

    public function total(int $rate): int
    {
        foreach ($this->items as $item) {
            $item->price($rate);
        }
        $this->owner->greet();
        $this->made->price(2);
        $other = self::of('b');
        return $other->total(tax($rate));
    }
}

interface Buyer { public function total(int $rate): int; }

function helper() { return Basket::of('x'); }
`

const shown = shownModel('Basket.php', SOURCE)

describe('the model of a file in PHP', () => {
  it('has its declarations, each where it stands', async () => {
    const { declarations, spans, bodies, comments } = await shown
    expect(declarations).toEqual([
      'variable LIMIT 8-8',
      'class Basket 11-38',
      'property Basket.first 15-15',
      'method Basket.__construct 17-21',
      'property Basket.owner 17-17',
      'property Basket.made 20-20',
      'method Basket.of 23-26',
      'method Basket.total 28-37',
      'interface Buyer 40-40',
      'method Buyer.total 40-40',
      'function helper 42-42',
    ])
    expect(spans).toMatchObject({
      LIMIT: 'const LIMIT = 3;',
      'Basket.of':
        'public static function of(string ...$names): self\n    {\n        return new self(...$names);\n    }',
      helper: "function helper() { return Basket::of('x'); }",
    })
    expect(bodies).toMatchObject({ helper: "{ return Basket::of('x'); }" })
    expect(comments).toEqual(['/** What is bought. */'])
  })

  it('has its imports and exports', async () => {
    const { imports, exports, model } = await shown
    expect(model.package).toBe('Shop.Baskets')
    expect(imports).toEqual([
      'Money = Amount of Shop.Prices',
      'Big = Big of Shop.Kinds',
      'Small = Small of Shop.Kinds',
      'tax = tax of Shop',
    ])
    expect(exports).toEqual(['LIMIT', 'Basket', 'Buyer', 'helper'])
  })

  it('has its calls, each with who calls what', async () => {
    expect((await shown).calls).toEqual([
      '19: Basket.__construct > super(Basket).__construct/1',
      '20: Basket.__construct > new Item/1',
      '25: Basket.of > new Basket/-1',
      '31: Basket.total > a Basket.items[].price/1',
      '33: Basket.total > a Basket.owner.greet/0',
      '34: Basket.total > a Basket.made.price/1',
      '35: Basket.total > Basket.of/1',
      '36: Basket.total > Basket.of().total/1',
      '36: Basket.total > tax/1',
      '42: helper > Basket.of/1',
    ])
  })
})
