import { describe, expect, it } from 'vitest'
import { expandedSize } from './expanded-size.ts'

describe('the size of an expression', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['a*b+c?', 3],
    ['a|b', 2],
    ['a{3}', 3],
    ['a{2,5}', 5],
    ['a{2,}', 2],
    ['a{,7}', 7],
    ['a{0}', 1],
    ['(ab){1,9}', 18],
    ['((a{10}){10}){10}', 1000],
    ['a{1,1000}{1,1000}', 1_000_000],
    ['(?:a|b{3}){2}c', 11],
    ['\\p{L}{20}', 20],
    ['\\x{61}{5}\\{5}', 8],
    ['\\(a{4}', 5],
    ['[a-z{9}]{4}', 4],
    ['[[:alpha:]_]{4}', 4],
    ['[]a]{3}', 3],
    ['[^]a]{3}', 3],
    ['[\\]]{3}', 3],
    ['(?x)(aaa) { 1 , 30 }', 92],
    ['(a{5}', 5],
    ['a{x}', 4],
    ['[a', 1],
    ['\\', 1],
    [')a', 2],
  ])('%s is %i', (pattern, size) => {
    expect(expandedSize(pattern)).toBe(size)
  })
})
