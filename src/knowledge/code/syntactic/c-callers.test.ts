import { describe, expect, it } from 'vitest'
import { writtenCallers } from '../../../../tests/code/written-callers.ts'

describe('callers in C, from the text', () => {
  const files = {
    'price.h': `int price(int item);
int discount();
#define PRICE_OF(item) price(item)
`,
    'price.c': `#include "price.h"
int price(int item) {
  return item > 9 ? price(item - 1) : item;
}
int discount(percent) int percent; { return percent; }
`,
    'checkout.c': `#include "price.h"
static int subtotal(void) { return price(1); }
int checkout(void) { return subtotal() + discount(1); }
int is_odd(int n);
int is_even(int n) { return is_odd(n) + price(n); }
int is_odd(int n) { return is_even(n); }
`,
    'static_price.c': `static int price(int item) { return item; }
struct price_table { int (*price)(int); };
static int subtotal(void) { return price(2); }
int total_of(struct price_table *table) { return subtotal() + table->price(3); }
`,
    'without_header.c': 'int without_header(void) { return subtotal() + price(4); }\n',
  }
  const callersOfPrice = [
    'subtotal > price @checkout.c:2',
    'is_even > price @checkout.c:5',
    'price > price @price.c:3',
    'without_header > price @without_header.c:1',
  ]

  it('are found with the header, without it, and in the function itself', async () => {
    expect(await writtenCallers(files, 'price.c', 'price')).toEqual(callersOfPrice)
  })

  it('are the same for the declaration in the header', async () => {
    expect(await writtenCallers(files, 'price.h', 'price')).toEqual(callersOfPrice)
  })

  it('of a static function are in its own file, and no call through a pointer of that name', async () => {
    expect(await writtenCallers(files, 'static_price.c', 'price')).toEqual(['subtotal > price @static_price.c:3'])
  })

  it('of a static function are not those of another file that has one of the same name', async () => {
    expect(await writtenCallers(files, 'checkout.c', 'subtotal')).toEqual(['checkout > subtotal @checkout.c:3'])
  })

  it('of a function in the old style, whose parameters are declared behind it, are found', async () => {
    expect(await writtenCallers(files, 'price.c', 'discount')).toEqual(['checkout > discount @checkout.c:3'])
  })

  it('go around a cycle once', async () => {
    expect(await writtenCallers(files, 'checkout.c', 'is_odd', 3)).toEqual([
      'is_even > is_odd @checkout.c:5',
      'is_odd > is_even > is_odd @checkout.c:6',
    ])
  })
})
