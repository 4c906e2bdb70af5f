import { expect, it } from 'vitest'
import { diagnosticLines, errorLines, verdictLines } from './diagnostics.ts'

const style = { paint: (_colour: string, text: string): string => text }

it('shows an error with its place and the first line of its message', () => {
  const fault = { path: 'a.ts', line: 3, column: 5, code: 'TS2322', message: 'Not assignable\n  because' }
  expect(diagnosticLines([fault, { path: 'b.ts', line: 1, message: 'No' }], style)).toEqual([
    'a.ts:3:5 TS2322 Not assignable',
    'b.ts:1 No',
  ])
})

it('marks errors that are sentences, and validators by their verdict', () => {
  expect(errorLines(["Missing 'layout'"], style)).toEqual(["✗ Missing 'layout'"])
  const verdicts = [
    { name: 'types', passed: true, output: 'fine' },
    { name: 'lint', passed: false, output: 'one\ntwo\n' },
  ]
  expect(verdictLines(verdicts, style)).toEqual(['✓ types', '✗ lint', '  one', '  two'])
})
