import { describe, expect, it } from 'vitest'
import { loadBashSyntax } from '../../machine/grammar/bash-syntax.ts'
import { loadCommandParsers, provideSecondParser } from './command-parser.ts'
import { decide } from './decide.ts'
import { makePolicy } from './policy.ts'

const verdictOf = (line: string): string => {
  const policy = makePolicy({
    rules: [{ id: 'all', verdict: 'allow', source: 'user', action: 'exec', command: '*' }],
    defaults: { exec: 'allow' },
  })
  return decide(policy, [{ action: 'exec', resource: line }]).verdict
}

describe('the readers of command lines', () => {
  it('are loaded for lines that need them, and a line whose second parser is missing is asked about', async () => {
    let loads = 0
    let isThere = false
    provideSecondParser(() => {
      loads++
      return isThere ? loadBashSyntax() : Promise.reject(new Error('no grammar'))
    })
    await loadCommandParsers(['npm test -- a.ts', "git commit -m 'a b'"])
    expect([loads, verdictOf('npm test -- a.ts'), verdictOf('ls | wc')]).toEqual([0, 'allow', 'ask'])
    await loadCommandParsers(['ls | wc'])
    expect([loads, verdictOf('ls | wc')]).toEqual([1, 'ask'])
    isThere = true
    await loadCommandParsers(['ls | wc'])
    expect([loads, verdictOf('ls | wc')]).toEqual([2, 'allow'])
    await loadCommandParsers(['ls | wc'])
    expect(loads).toBe(2)
  })
})
