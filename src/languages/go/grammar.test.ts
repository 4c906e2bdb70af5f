import { describe, expect, it } from 'vitest'
import { shownModel } from '../../../tests/code/shown-model.ts'

const SOURCE = `package shop

import (
	"fmt"
	money "example.com/shop/prices"
)

// Limit is the most.
const Limit, hidden = 3, 4

type Item struct {
	Name string
	cost *money.Amount
}

type Buyer interface {
	Buy(item Item) error
}

func (i *Item) Price(rates ...int) money.Amount {
	return i.cost.Times(len(rates))
}

func Total(items []Item) (int, error) {
	sum := 0
	for _, item := range items {
		first := item.Price(1, 2)
		fmt.Println(first.Text())
	}
	func() { helper() }()
	made := &Item{Name: "a"}
	made.Price()
	return sum, nil
}

func helper() {}
`

const shown = shownModel('basket.go', SOURCE)

describe('the model of a file in Go', () => {
  it('has its declarations, each where it stands', async () => {
    const { declarations, spans, bodies, comments } = await shown
    expect(declarations).toEqual([
      'variable Limit 9-9',
      'variable hidden 9-9',
      'class Item 11-14',
      'property Item.Name 12-12',
      'property Item.cost 13-13',
      'interface Buyer 16-18',
      'method Buyer.Buy 17-17',
      'method Item.Price 20-22',
      'function Total 24-34',
      'function helper 36-36',
    ])
    expect(spans).toMatchObject({
      Limit: 'const Limit, hidden = 3, 4',
      'Item.Price': 'func (i *Item) Price(rates ...int) money.Amount {\n\treturn i.cost.Times(len(rates))\n}',
      helper: 'func helper() {}',
    })
    expect(bodies).toMatchObject({ helper: '{}' })
    expect(comments).toEqual(['// Limit is the most.'])
  })

  it('has its imports and exports', async () => {
    const { imports, exports } = await shown
    expect(imports).toEqual(['fmt = * of fmt', 'money = * of example.com.shop.prices'])
    expect(exports).toEqual(['Limit', 'Item', 'Buyer', 'Total'])
  })

  it('has its calls, each with who calls what', async () => {
    expect((await shown).calls).toEqual([
      '21: Item.Price > a Item.cost.Times/1',
      '21: Item.Price > len/1',
      '27: Total > a []<a Item>[].Price/2',
      '28: Total > fmt.Println/1',
      '28: Total > a []<a Item>[].Price().Text/0',
      '30: Total > ?/0',
      '30: Total > helper/0',
      '32: Total > a Item.Price/0',
    ])
  })
})
