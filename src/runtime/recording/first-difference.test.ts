import { describe, expect, it } from 'vitest'
import { firstDifference } from './first-difference.ts'

describe('firstDifference', () => {
  it.each([
    [{ a: { b: [1, 2] } }, { a: { b: [1, 3] } }, { at: 'a.b[1]', recorded: 2, now: 3 }],
    [{ a: 1, b: 2 }, { a: 1 }, { at: 'b', recorded: 2, now: undefined }],
    [{ a: 1 }, { a: 1, b: 2 }, { at: 'b', recorded: undefined, now: 2 }],
    [[1], [1, 2], { at: '[1]', recorded: undefined, now: 2 }],
    ['x', { x: 1 }, { at: '', recorded: 'x', now: { x: 1 } }],
    [null, [], { at: '', recorded: null, now: [] }],
  ])('of %j and %j', (recorded, now, expected) => {
    expect(firstDifference(recorded, now)).toEqual(expected)
  })
})
