import { describe, expect, it } from 'vitest'
import { effectiveBudget, isTool } from './budget.ts'

describe('effectiveBudget', () => {
  const scope = { task: 'button', tool: 'superconnect/readFile' }

  it('is nothing where nothing is set', () => {
    expect(effectiveBudget([], scope, undefined)).toBeUndefined()
    expect(effectiveBudget([{ tool: 'sage/Read', calls: 1 }], scope, undefined)).toBeUndefined()
    expect(effectiveBudget([{ task: 'other', calls: 1 }], scope, undefined)).toBeUndefined()
  })

  it('takes the lowest of each limit', () => {
    const configured = [
      { calls: 50 },
      { tool: 'superconnect/*', bytes: 9_000_000 },
      { tool: 'superconnect/readFile', task: 'button', concurrent: 2 },
      { task: 'button', calls: 60 },
    ]
    expect(effectiveBudget(configured, scope, { bytes: 5_000_000 })).toEqual({
      calls: 50,
      bytes: 5_000_000,
      concurrent: 2,
    })
  })

  it('keeps a limit of zero', () => {
    expect(effectiveBudget([{ calls: 0 }], scope, { calls: 5 })).toEqual({ calls: 0 })
  })
})

describe('isTool', () => {
  it('names tools exactly, by contract, or all', () => {
    expect([isTool(undefined, 'a/b'), isTool('*', 'a/b'), isTool('a/b', 'a/b'), isTool('a/*', 'a/b')]).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect([isTool('a', 'a/b'), isTool('a/bc', 'a/b'), isTool('a/*', 'aa/b'), isTool('', 'a/b')]).toEqual([
      false,
      false,
      false,
      false,
    ])
  })
})
