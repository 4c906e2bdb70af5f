import { describe, expect, it } from 'vitest'
import { callTree, openCalls } from './call-tree.ts'

const target = { name: 'load', path: 'a.ts', from: 1 }
const call = (line: number, ...chain: readonly string[]) => ({
  name: chain[0] ?? '',
  path: 'b.ts',
  line,
  chain,
  depth: chain.length - 1,
})
const answer = (...callers: ReturnType<typeof call>[]) => ({
  target,
  callers,
  total: callers.length,
  possible: [],
  possibleTotal: 0,
  unknown: [],
  basis: 'syntax',
  partial: false,
})

describe('callTree', () => {
  it('shows a caller whose callee is on another page with its chain', () => {
    expect(callTree(answer(call(9, 'main', 'show', 'load'), call(5, 'start', 'main', 'show', 'load')))).toEqual([
      'load  a.ts:1',
      '  b.ts:9  main → show → load',
      '  └─ start  b.ts:5',
    ])
  })

  it('has the function at its root and callers of callers below', () => {
    expect(
      callTree(
        answer(
          call(3, 'show', 'load'),
          call(4, 'show', 'load'),
          call(9, 'main', 'show', 'load'),
          call(12, 'go', 'load'),
        ),
      ),
    ).toEqual(['load  a.ts:1', '├─ show  b.ts:3', '│  └─ main  b.ts:9', '├─ show  b.ts:4', '└─ go  b.ts:12'])
  })

  it('is the function alone without callers, and ends at a recursive call', () => {
    expect(callTree(answer())).toEqual(['load  a.ts:1'])
    expect(callTree(answer(call(2, 'load', 'load')))).toEqual(['load  a.ts:1', '└─ load  b.ts:2'])
  })
})

describe('openCalls', () => {
  it('lists what is possible with why, then what is unknown, and says nothing where all is certain', () => {
    const possible = [{ name: 'maybe', path: 'c.ts', line: 4, why: 'passed as a value' }]
    expect(openCalls({ possible, unknown: ['Looked up by name'] })).toEqual([
      'possible:',
      '  maybe  c.ts:4  passed as a value',
      'unknown:',
      '  Looked up by name',
    ])
    expect(openCalls(answer())).toEqual([])
  })
})
