import { describe, expect, it } from 'vitest'
import { broughtNames } from './brought-names.ts'

/** Each `f` of a text with whether it is only brought along. */
async function marked(path: string, text: string): Promise<string[]> {
  const { isBrought } = await broughtNames(path, text)
  return text.split('\n').flatMap((line, at) =>
    Array.from(line.matchAll(/\bf\b/g), ({ index }) => {
      const brought = isBrought({ line: at, character: index })
      return `${at + 1}:${index} ${brought ? 'brought' : 'used'}`
    }),
  )
}

describe('broughtNames', () => {
  it('tells imports and exports of a module from uses', async () => {
    const text = `import {\n  f,\n  g as h,\n} from './a'\nexport { f }\nexport default f\nexport const x = f()\ntype T = typeof f\nlog('f', f)`
    expect(await marked('a.ts', text)).toEqual([
      '2:2 brought',
      '5:9 brought',
      '6:15 brought',
      '7:17 used',
      '8:16 brought',
      '9:5 brought',
      '9:9 used',
    ])
  })

  it('tells imports and declarations of Python from uses', async () => {
    const text = `from m import (\n    f,\n    g\n)\nfrom n import a, \\\n    f\nimport f\ndef f(): ...\n__all__ = ['f']\nf()`
    expect(await marked('a.py', text)).toEqual([
      '2:4 brought',
      '6:4 brought',
      '7:7 brought',
      '8:4 brought',
      '9:12 brought',
      '10:0 used',
    ])
  })

  it('finds the other name that an import gives', async () => {
    const { aliasAt } = await broughtNames('a.py', 'from m import f as g, h')
    expect(aliasAt({ line: 0, character: 15 })).toEqual({ line: 0, character: 19 })
    expect(aliasAt({ line: 0, character: 23 })).toBeUndefined()
  })
})
