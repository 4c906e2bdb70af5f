import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { alignLines } from './align-lines.ts'
import { processorMs } from '../../../../tests/processor-time.ts'

describe('alignLines', () => {
  it('keeps what is the same and pairs what lies between', () => {
    expect(alignLines(['a', 'b', 'c'], ['a', 'x', 'y', 'c'])).toEqual([{ kept: 0 }, { instead: 1 }, {}, { kept: 2 }])
    expect(alignLines([], ['a'])).toEqual([{}])
    expect(alignLines(['a'], [])).toEqual([])
  })

  it('never says of two different lines that they are the same, nor goes back', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 })
    fc.assert(
      fc.property(lines, lines, (old, now) => {
        const aligned = alignLines(old, now)
        expect(aligned.length).toBe(now.length)
        let last = -1
        for (const [i, { kept, instead }] of aligned.entries()) {
          const line = kept ?? instead
          if (kept !== undefined) expect(old[kept]).toBe(now[i])
          if (line === undefined) continue
          expect(line).toBeGreaterThan(last)
          expect(line).toBeLessThan(old.length)
          last = line
        }
      }),
    )
  })

  it('stays within its bound for long texts', () => {
    const old = Array.from({ length: 5000 }, (_, i) => `${i}`)
    const now = Array.from({ length: 5000 }, (_, i) => `${i * 7}`)
    const started = processorMs()
    expect(alignLines(old, now)[0]).toEqual({ kept: 0 })
    expect(processorMs() - started).toBeLessThan(1000)
  })
})
