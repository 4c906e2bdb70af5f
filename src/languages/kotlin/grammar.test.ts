import { describe, expect, it } from 'vitest'
import { shownModel } from '../../../tests/code/shown-model.ts'

const SOURCE = `package org.shop

import org.shop.prices.tax as levy
import org.shop.kinds.*

/** What is bought. */
class Basket(val owner: Owner, size: Int = 3) : Base(), Buyer {
    private val items = listOf(Item("a"))

    override fun total(rate: Int): Int {
        for (item in items) item.price(rate)
        owner.let { it.greet() }
        owner.apply { greet() }
        val (first, second) = pair()
        items[0] += levy(1)
        return super.total(rate)
    }

    companion object {
        fun of(vararg names: String) = Basket(Owner(names))
    }
}

fun Basket.count(): Int = items.size()

private fun hidden() = object : Buyer {
    override fun total(rate: Int) = 1
}

operator fun Item.plus(other: Item): Item = this

val shared = Basket.of("a")

typealias Names = List<String>
`

const shown = shownModel('Basket.kt', SOURCE)

describe('the model of a file in Kotlin', () => {
  it('has its declarations, each where it stands', async () => {
    const { declarations, spans, bodies, comments } = await shown
    expect(declarations).toEqual([
      'class Basket 7-22',
      'property Basket.owner 7-22',
      'property Basket.items 8-8',
      'method Basket.total 10-17',
      'class Basket.Companion 19-21',
      'method Basket.Companion.of 20-20',
      'function count 24-24',
      'function hidden 26-28',
      'class hidden. 26-28',
      'method hidden.total 27-27',
      'function plus 30-30',
      'variable shared 32-32',
      'type Names 34-34',
    ])
    expect(spans).toMatchObject({
      'Basket.Companion': 'companion object {\n        fun of(vararg names: String) = Basket(Owner(names))\n    }',
      count: 'fun Basket.count(): Int = items.size()',
      shared: 'val shared = Basket.of("a")',
    })
    expect(bodies).toMatchObject({ 'Basket.Companion.of': '= Basket(Owner(names))' })
    expect(comments).toEqual(['/** What is bought. */'])
  })

  it('has its imports and exports', async () => {
    const { imports, exports, model } = await shown
    expect(model.package).toBe('org.shop')
    expect(imports).toEqual(['levy = tax of org.shop.prices', ' = * of org.shop.kinds'])
    expect(exports).toEqual(['Basket', 'count', 'plus', 'shared', 'Names'])
  })

  it('has its calls, each with who calls what', async () => {
    expect((await shown).calls).toEqual([
      '8: Basket > listOf/1',
      '8: Basket > Item/1',
      '11: Basket.total > items~iterator/0',
      '11: Basket.total > items[].price/1',
      '12: Basket.total > owner.let/1',
      '12: Basket.total > owner.greet/0',
      '13: Basket.total > owner.apply/1',
      '13: Basket.total > owner.greet | greet/0',
      '14: Basket.total > pair()~component1/0',
      '14: Basket.total > pair()~component2/0',
      '14: Basket.total > pair/0',
      '15: Basket.total > items[]~plusAssign | items[]~plus/1',
      '15: Basket.total > items~set/2',
      '15: Basket.total > items~get/1',
      '15: Basket.total > levy/1',
      '16: Basket.total > super(Basket).total/1',
      '20: Basket.Companion.of > Basket/1',
      '20: Basket.Companion.of > Owner/1',
      '24: count > items.size/0',
      '32: file > Basket.of/1',
    ])
  })
})
