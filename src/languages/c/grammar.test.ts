import { describe, expect, it } from 'vitest'
import { shownModel } from '../../../tests/code/shown-model.ts'

const SOURCE = `#include "prices.h"
#include <stdio.h>

#define LIMIT 3
#define TWICE(x) ((x) * 2)

/* What is bought. */
typedef struct item {
    const char *name;
    struct amount *cost;
} item_t;

enum kind { BIG, SMALL };

static int hidden(void);
extern int counter;

int total(struct item *items, int count)
{
    int sum = 0;
    for (int at = 0; at < count; at++)
        sum += price(&items[at], TWICE(at));
    printf("%d\\n", sum);
    return hidden();
}

static int hidden(void) { return items->cost->times(2); }
`

const shown = shownModel('basket.c', SOURCE)

describe('the model of a file in C', () => {
  it('has its declarations, each where it stands', async () => {
    const { declarations, spans, bodies, comments } = await shown
    expect(declarations).toEqual([
      'variable LIMIT 4-4',
      'function TWICE 5-5',
      'type item_t 8-11',
      'class item 8-11',
      'property item.name 9-9',
      'property item.cost 10-10',
      'enum kind 13-13',
      'function hidden 15-15',
      'variable counter 16-16',
      'function total 18-25',
      'function hidden 27-27',
    ])
    expect(spans).toMatchObject({
      LIMIT: '#define LIMIT 3',
      item_t: 'typedef struct item {\n    const char *name;\n    struct amount *cost;\n} item_t;',
      item: 'struct item {\n    const char *name;\n    struct amount *cost;\n}',
      counter: 'extern int counter;',
    })
    expect(bodies).toMatchObject({ item: '{\n    const char *name;\n    struct amount *cost;\n}' })
    expect(comments).toEqual(['/* What is bought. */'])
  })

  it('has its imports and exports', async () => {
    const { imports, exports } = await shown
    expect(imports).toEqual([' = * of prices.h', ' = * of stdio.h'])
    expect(exports).toEqual(['LIMIT', 'TWICE', 'item_t', 'item', 'kind', 'counter', 'total'])
  })

  it('has its calls, each with who calls what', async () => {
    expect((await shown).calls).toEqual([
      '22: total > price/2',
      '22: total > TWICE/1',
      '23: total > printf/2',
      '24: total > hidden/0',
      '27: hidden > items.cost.times/1',
    ])
  })
})
