import { describe, expect, it } from 'vitest'
import { compareDiagnostics } from './compare-diagnostics.ts'

const fault = (line: number, code = 'E1', message = 'wrong', column = 1) => ({
  path: 'a.ts',
  line,
  column,
  code,
  message,
})
const lines = ({ introduced, cured }: ReturnType<typeof compareDiagnostics>) => [
  introduced.map(({ line }) => line),
  cured.map(({ line }) => line),
]

describe('compareFaults', () => {
  it('tells what came and what went by place and code', () => {
    const before = [fault(1), fault(2), fault(3, 'E2')]
    const after = [fault(2), fault(3, 'E3'), fault(4)]
    expect(lines(compareDiagnostics({ before, after }))).toEqual([
      [3, 4],
      [1, 3],
    ])
  })

  it('takes another wording of an old error for the old one, and counts those at one place', () => {
    expect(lines(compareDiagnostics({ before: [fault(1)], after: [fault(1, 'E1', 'worse')] }))).toEqual([[], []])
    expect(lines(compareDiagnostics({ before: [fault(1)], after: [fault(1), fault(1, 'E1', 'other')] }))).toEqual([
      [1],
      [],
    ])
  })

  it('follows lines that moved, and pairs by words what was on a line that changed', () => {
    const texts = { before: 'a\nb\nc\n', after: 'new\na\nB\nc\n' }
    expect(lines(compareDiagnostics({ before: [fault(1), fault(3)], after: [fault(2), fault(4)], texts }))).toEqual([
      [],
      [],
    ])
    expect(lines(compareDiagnostics({ before: [fault(2)], after: [fault(3)], texts }))).toEqual([[], []])
    const renamed = { before: [fault(2)], after: [fault(3, 'E1', 'else')], texts }
    expect(lines(compareDiagnostics(renamed))).toEqual([[3], [2]])
  })
})
