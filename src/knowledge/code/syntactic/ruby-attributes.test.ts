import { describe, expect, it } from 'vitest'
import { writtenAnswer, writtenCallers } from '../../../../tests/code/written-callers.ts'

const FILES = {
  'cart.rb': `class Cart
  attr_reader :items, :size
  attr_accessor :note
  def own; items; self.note = 1; end
end
def reads; cart = Cart.new; cart.items; cart.note; end
def writes; cart = Cart.new; cart.note = 2; end
def maybe(other); other.items; end
`,
}

describe('callers of an attribute of Ruby', () => {
  it('read it, or assign it', async () => {
    expect(await writtenCallers(FILES, 'cart.rb', 'Cart.items')).toEqual([
      'Cart.own > Cart.items @cart.rb:4',
      'reads > Cart.items @cart.rb:6',
    ])
    expect((await writtenAnswer(FILES, 'cart.rb', 'Cart.items')).possible).toMatchObject([{ line: 8 }])
    expect(await writtenCallers(FILES, 'cart.rb', 'Cart.note')).toEqual(['reads > Cart.note @cart.rb:6'])
    expect(await writtenCallers(FILES, 'cart.rb', 'Cart.note=')).toEqual([
      'Cart.own > Cart.note= @cart.rb:4',
      'writes > Cart.note= @cart.rb:7',
    ])
  })
})
