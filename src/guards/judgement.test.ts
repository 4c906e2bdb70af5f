import { describe, expect, it } from 'vitest'
import { timeoutOf } from './judgement.ts'

describe('timeoutOf', () => {
  it('is the tool’s own where nothing names it', () => {
    expect(timeoutOf({}, 'sage/Read', 2000)).toBe(2000)
    expect(timeoutOf({ 'sage/Write': 1 }, 'sage/Read', undefined)).toBeUndefined()
  })

  it('takes the most exact name, in whatever order they stand', () => {
    const configured = { '*': 1, Read: 2, 'sage/*': 3, 'sage/Read': 4 }
    expect(timeoutOf(configured, 'sage/Read', 9)).toBe(4)
    expect(timeoutOf(configured, 'sage/Write', 9)).toBe(3)
    expect(timeoutOf(configured, 'other/Read', 9)).toBe(2)
    expect(timeoutOf(configured, 'other/Write', 9)).toBe(1)
  })
})
