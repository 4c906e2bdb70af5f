import { describe, expect, it } from 'vitest'
import { glossaryWords, isUnclear, unclearNames } from './unclear-names.ts'

describe('the count of unclear names', () => {
  const names = (text: string, glossary: readonly string[] = []) =>
    unclearNames('src/a.ts', text, new Set(glossary)).map(({ name, line }) => `${line} ${name}`)

  it('takes participles and words of this house, and no noun or verb of the field', () => {
    expect(['held', 'found', 'own', 'changed', 'isNear'].filter(name => !isUnclear(name))).toEqual([])
    expect(['matches', 'isHeld', 'closedParts', 'seed', 'read', 'run'].filter(isUnclear)).toEqual([])
  })

  it('finds constants, variables, functions and what a pattern names itself', () => {
    expect(names('const found = 1\nlet held\nfunction told() {}')).toEqual(['1 found', '2 held', '3 told'])
    expect(names('const [kept, { key: left = 1, ...gone }] = f()')).toEqual(['1 kept', '1 left', '1 gone'])
  })

  it('leaves out what takes over the name of a property', () => {
    expect(names('const { found, known = 1 } = f()')).toEqual([])
  })

  it('finds parameters of exported functions alone', () => {
    expect(names('export function f(given: string, { asked, x: shown }: A) {}')).toEqual(['1 given', '1 shown'])
    expect(names('export const f = (given = 1) => given')).toEqual(['1 given'])
    expect(names('const f = (given: string) => given')).toEqual([])
  })

  it('leaves out words of the glossary', () => {
    expect(names('const staged = 1\nconst held = 2', ['staged'])).toEqual(['2 held'])
    expect([...glossaryWords('| word | meaning |\n| **floor, staged** | A folder. |')]).toEqual(['floor', 'staged'])
  })
})
