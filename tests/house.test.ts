import { describe, expect, it } from 'vitest'
import { figuresOf } from '../scripts/house/figures.ts'
import { loadedFiles } from '../scripts/house/loaded-files.ts'

describe('the figures of the house', () => {
  it('count sources and their lines, and no tests', () => {
    const sources = Array.from({ length: 10 }, (_, place) => [`src/kernel/f${place}.ts`, '//\n'.repeat(place + 1)])
    const { files, medianLines, p90Lines, longestFile } = figuresOf({
      ...Object.fromEntries(sources),
      'src/kernel/f0.test.ts': '//\n'.repeat(500),
    })
    expect({ files, medianLines, p90Lines }).toEqual({ files: 10, medianLines: 5, p90Lines: 9 })
    expect(longestFile).toEqual({ file: 'src/kernel/f9.ts', lines: 10 })
  })

  it('count the imports between the rooms of a floor', () => {
    const { floors } = figuresOf({
      'src/machine/text/a.ts':
        "import '../workspace/w.ts'\nimport type { x } from '../workspace/w.ts'\nimport './b.ts'",
      'src/machine/text/b.ts': "import '../journal/j.ts'\nimport '../../kernel/k.ts'",
    })
    expect(floors.find(({ folder }) => folder === 'src/machine')?.edges).toEqual([
      { from: 'text', to: 'workspace', imports: 2 },
      { from: 'text', to: 'journal', imports: 1 },
    ])
  })

  it.each([
    ['a declaration', 'function one() {}\nfunction two() {\n}', { name: 'two', lines: 2 }],
    ['a constant', 'export const three = () => {\n\n}', { name: 'three', lines: 3 }],
    ['a method', 'class A {\n  four() {\n  }\n}', { name: 'four', lines: 2 }],
    ['a property', 'const a = { five: () => {\n} }', { name: 'five', lines: 2 }],
    ['a function without a name', 'call(() => {\n})', { name: 'a function without a name', lines: 2 }],
  ])('name the longest function: %s', (_what, text, found) => {
    expect(figuresOf({ 'src/a.ts': text }).longestFunction).toEqual({ ...found, file: 'src/a.ts' })
  })

  it('count what a call loads and what of it runs', async () => {
    const { loaded, ran } = await loadedFiles('read', 'library')
    expect(loaded).toEqual(
      expect.arrayContaining(['src/index.ts', 'src/toolkit.ts', 'src/contracts/toolwright/read.ts']),
    )
    expect(loaded).toEqual(expect.arrayContaining([...ran]))
    expect(ran).toContain('src/toolkit.ts')
    // It only names what others hold.
    expect(ran).not.toContain('src/index.ts')
  })
})
