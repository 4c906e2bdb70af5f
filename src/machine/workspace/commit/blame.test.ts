import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { blameLines } from './blame.ts'
import type { FileVersion } from './file-history.ts'

/** Versions of a file as the store has them, from its contents in order. */
function historyOf(...contents: readonly string[]): readonly FileVersion[] {
  return contents
    .map((content, at): FileVersion => {
      const before = contents[at - 1]
      return {
        commit: `c${at}`,
        after: hash('sha256', content),
        before: before === undefined ? undefined : Buffer.from(before),
      }
    })
    .toReversed()
}

const blame = (content: string, history: readonly FileVersion[]) => blameLines(Buffer.from(content), history)

describe('blame', () => {
  it('names the commit that wrote each line', () => {
    const history = historyOf('a\nb\n', 'a\nx\nb\n', 'a\nx\nb\nc\n')
    expect(blame('a\nx\nb\nc\n', history)).toEqual(['c0', 'c1', 'c0', 'c2'])
  })

  it('leaves lines from before the first commit without one', () => {
    const history = historyOf('a\nb\n', 'a\nB\n').slice(0, 1)
    expect(blame('a\nB\n', history)).toEqual([undefined, 'c1'])
  })

  it('does not blame what was undone, nor the undo', () => {
    const history = historyOf('a\n', 'a\nb\n', 'a\nb\nc\n', 'a\nb\n')
    expect(blame('a\nb\n', history)).toEqual(['c0', 'c1'])
  })

  it('says nothing of lines that it cannot follow', () => {
    expect(blame('changed by hand\n', historyOf('a\n', 'b\n'))).toEqual([undefined])
    expect(blame('', historyOf('a\n', ''))).toEqual([])
  })
})
