import { describe, expect, it } from 'vitest'
import { budgetsOf } from './budget.ts'

describe('budgetsOf', () => {
  const scope = { task: 'button', tool: 'superconnect/readFile' }

  it('is nothing where nothing is set', () => {
    expect(budgetsOf([], scope, undefined)).toEqual([])
    expect(budgetsOf([{ tool: 'sage/Read', calls: 1 }], scope, undefined)).toEqual([])
    expect(budgetsOf([{ task: 'other', calls: 1 }], scope, undefined)).toEqual([])
  })

  it('keeps apart what is counted over other tools', () => {
    const configured = [
      { calls: 50 },
      { tool: 'superconnect/*', bytes: 9_000_000 },
      { tool: 'superconnect/readFile', task: 'button', concurrent: 2 },
      { tool: 'readFile', calls: 40 },
      { task: 'button', calls: 60 },
    ]
    expect(budgetsOf(configured, scope, { bytes: 5_000_000 })).toEqual([
      { tool: 'superconnect/readFile', bytes: 5_000_000, concurrent: 2 },
      { tool: '*', calls: 50 },
      { tool: 'superconnect/*', bytes: 9_000_000 },
      { tool: 'readFile', calls: 40 },
    ])
  })

  it('takes the lowest of each limit over the same tools, and keeps a limit of zero', () => {
    const configured = [
      { tool: scope.tool, calls: 0, bytes: 9 },
      { tool: scope.tool, bytes: 8 },
    ]
    expect(budgetsOf(configured, scope, { calls: 5 })).toEqual([{ tool: scope.tool, calls: 0, bytes: 8 }])
  })
})
