import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { processorMs } from '../../../../tests/processor-time.ts'
import { compilePattern } from './compile-pattern.ts'

function found(pattern: string, text: string): string[] {
  const compiled = compilePattern({ patterns: [pattern], regex: true })
  const bytes = Buffer.from(text)
  const lines: string[] = []
  compiled?.find(bytes, (start, end) => void lines.push(bytes.toString('utf8', start, end)))
  return lines
}

/** Parts beside a text, and the characters that they are about. */
const part = fc.constantFrom('\\s+', '\\s*', '\\w+', '\\w*', '[a-c]+', 'x{2}', 'x{1,2}', '[^b]', '.*', '\\d', 'b+', '')
const unit = fc.constantFrom('a', 'b', 'c', 'x', ' ', '\t', '1', 'Er', 'Er', 'Er', 'fn', 'fn', '\n')
const letters = fc.string({ unit, minLength: 100, maxLength: 300 })

describe('a text beside others in an expression', () => {
  it('is found in the lines in which the expression matches', () => {
    let lines = 0
    fc.assert(
      fc.property(part, part, part, part, letters, (one, two, three, four, text) => {
        for (const pattern of [
          `${one}${two}Er${three}${four}`,
          `fn${one}${two}Er${three}`,
          `${one}Er${two}Er${three}`,
        ]) {
          const expression = new RegExp(pattern)
          const expected = text.split('\n').filter(line => expression.test(line))
          // No line follows the last line break.
          if (text.endsWith('\n') && expression.test('')) expected.pop()
          lines += expected.length
          expect({ pattern, lines: found(pattern, text) }).toEqual({ pattern, lines: expected })
        }
      }),
      { numRuns: 200 },
    )
    expect(lines).toBeGreaterThan(200)
  })

  it('is found beside characters beyond ASCII', () => {
    const text =
      'function écoleError\nfunction\u00a0xError\nfunction  日本Error\nfunction (Error\nfunctionError\nfunction Error\n'
    expect(found('function\\s+\\w+Error', text)).toEqual([
      'function écoleError',
      'function\u00a0xError',
      'function  日本Error',
    ])
  })

  it('is looked at in time that grows with the text', () => {
    const before = processorMs()
    expect(found('\\s+\\w+Error', `${'Error'.repeat(100_000)}\n xError\n`)).toEqual([' xError'])
    expect(processorMs() - before).toBeLessThan(2_000)
  })
})
