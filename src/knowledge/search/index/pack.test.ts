import { expect, test } from 'vitest'
import { openPack } from './pack.ts'
import { BLOCK_FIELDS, KIND } from './segment.ts'

const NUMBERS = 65_536
const MIB = 1024 * 1024

test.each([
  { mebibytes: 32, files: 40_000, signed: false },
  { mebibytes: 300, files: 40_000, signed: false },
  { mebibytes: 512, files: 16_384, signed: true },
])('16 bits number every block of as much text as $mebibytes MiB', ({ mebibytes, files, signed }) => {
  const { segment } = openPack({ id: 1, textBytes: mebibytes * MIB, files, signed })
  expect(segment.blocks.length / BLOCK_FIELDS).toBeLessThanOrEqual(NUMBERS)
})

test.each([{ mebibytes: 1 }, { mebibytes: 300 }])(
  'where there is room for $mebibytes MiB, blocks begin with lines and are long enough that it suffices',
  ({ mebibytes }) => {
    const textBytes = mebibytes * MIB
    const pack = openPack({ id: 1, textBytes, files: 1, signed: false })
    pack.add(0, KIND.text, Buffer.from('a line of text\n'.repeat(50_000)))
    const { blocks, text } = pack.segment
    const [, count = 0] = pack.counts()
    const room = blocks.length / BLOCK_FIELDS
    expect(count).toBeGreaterThan(1)
    for (let block = 1; block < count; block++) {
      const [before, from] = [blocks[(block - 1) * BLOCK_FIELDS] ?? 0, blocks[block * BLOCK_FIELDS] ?? 0]
      expect(text?.[from - 1]).toBe(10)
      expect((from - before) * room).toBeGreaterThanOrEqual(textBytes)
    }
  },
)
