import { describe, expect, it } from 'vitest'
import { writtenCallers, writtenProject } from '../../../../tests/code/written-callers.ts'
import { callersIn } from './syntactic-callers.ts'

describe('DA-13: callers of a companion with a name of its own', () => {
  const files = {
    'cart.kt': `package shop

class Cart {
    companion object Factory { fun make() = 1 }
    fun inClass() = make()
}
object OtherFactory {
    fun make() = 2
}
fun byClass() = Cart.make()
fun byCompanion() = Cart.Factory.make()
fun onOther() = OtherFactory.make()
`,
    'use.kt': 'package use\n\nimport shop.Cart.Factory.make\n\nfun byImport() = make()\n',
  }

  it.each(['Cart.make', 'Cart.Factory.make'])('are found by %s', async name => {
    expect(await writtenCallers(files, 'cart.kt', name)).toEqual([
      'Cart.inClass > Cart.Factory.make @cart.kt:5',
      'byClass > Cart.Factory.make @cart.kt:10',
      'byCompanion > Cart.Factory.make @cart.kt:11',
      'byImport > Cart.Factory.make @use.kt:5',
    ])
  })
})

describe('a name that a class and its companion both have', () => {
  const files = {
    'Cart.kt': `class Cart {
    fun copy() = 1
    companion object {
        fun copy() = Cart()
    }
}

fun onObject(cart: Cart) = cart.copy()
`,
  }

  it('means the method of the class', async () => {
    expect(await writtenCallers(files, 'Cart.kt', 'Cart.copy')).toEqual(['onObject > Cart.copy @Cart.kt:8'])
  })

  it('means that of the companion where the companion is named', async () => {
    expect(callersIn(await writtenProject(files), 'Cart.kt', 'Cart.Companion.copy', 1).target.from).toBe(4)
  })
})
