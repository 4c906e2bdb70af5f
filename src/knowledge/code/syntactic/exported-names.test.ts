import { describe, expect, it } from 'vitest'
import { writtenCallers } from '../../../../tests/code/written-callers.ts'

describe('callers in TypeScript, from the text', () => {
  const files = {
    'a.ts': 'function price() { return 1 }\nfunction other() { return 2 }\nexport { price as cost, other as price }\n',
    'named.ts': "import { cost } from './a'\nexport function byOtherName() { return cost() }\n",
    'handed.ts': "export { cost as fee } from './a'\n",
    'again.ts': "import { fee as mine } from './handed'\nexport const byThirdName = () => mine()\n",
    'whole.ts': "import * as all from './a'\nexport function byMember() { return all.cost() }\n",
    'else.ts': "import { price } from './a'\nexport function ofAnother() { return price() }\n",
  }

  it('go by every name that a function is exported under, and by none of another', async () => {
    expect(await writtenCallers(files, 'a.ts', 'price')).toEqual([
      'byThirdName > price @again.ts:2',
      'byOtherName > price @named.ts:2',
      'byMember > price @whole.ts:2',
    ])
  })
})
