import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openPack } from './pack.ts'
import { Pieces, RUN_FIELDS } from './pieces.ts'
import { KIND } from './segment.ts'

const FILES = 40

test('parts of files come in the order of paths, and those of one file as they were added', () => {
  const { segment, add } = openPack({ id: 1, textBytes: 4_096, files: FILES, signed: false })
  for (let file = 0; file < FILES; file++) add(file, KIND.text, Buffer.from('a line\nand one more\n'))
  const rank = fc.nat(FILES - 1)
  fc.assert(
    fc.property(fc.array(rank, { maxLength: 120 }), ranks => {
      const pieces = new Pieces()
      for (const [at, one] of ranks.entries()) pieces.add(0, one, at * 20, at * 20 + 7, one)
      const { list, count } = pieces.joined([segment], false)
      const runs = Array.from({ length: count }, (_, run) => [list[run * RUN_FIELDS + 3], list[run * RUN_FIELDS + 1]])
      const expected = ranks.map((file, at) => [file, at * 20])
      expect(runs).toEqual(expected.toSorted(([one = 0], [other = 0]) => one - other))
    }),
  )
})
