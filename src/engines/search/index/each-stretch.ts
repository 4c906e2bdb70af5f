import type { CompiledPattern } from '../pattern/types.ts'
import type { Blocks } from './candidate-blocks.ts'
import { BLOCK_FIELDS, NEAR_BYTES, type Segment } from './segment.ts'

const TEXT_END = 0x7f_ff_ff_ff
/** Bytes around a match that say whether it is one, such as the character before it. */
const AROUND = 16
const NEWLINE = 10

type Take = (from: number, to: number, file: number) => void

/**
 * Hands over the whole lines of these blocks, and the file in which or before which they begin. With a pattern that one
 * block has whole, of lines that were cut only those that it may be in.
 */
export function eachStretch(
  segment: Segment,
  blocks: Blocks,
  near: Pick<CompiledPattern, 'isSteady' | 'find'> | undefined,
  take: Take,
): void {
  const count = blocks === 'all' ? (segment.counts[1] ?? 0) : blocks.length
  const isCut = segment.counts[3] !== 0
  const byBlock = near && blocks !== 'all' && isCut
  let done = 0
  for (let at = 0; at < count; at++) {
    const block = blocks === 'all' ? at : (blocks[at] as number)
    const field = block * BLOCK_FIELDS
    const [from, file] = [segment.blocks[field] as number, segment.blocks[field + 1] as number]
    const isWithin = segment.blocks[field + 3] !== block
    if (byBlock) done = takeLines(segment, block, near, done, take)
    else if (!isWithin) take(from, groupEnd(segment, block, isCut), file)
  }
}

/** Where a block ends, or where all end that go on with lines which were cut. */
export function groupEnd({ blocks, counts }: Segment, block: number, withAll: boolean): number {
  const count = counts[1] ?? 0
  let next = block + 1
  if (withAll) while (next < count && blocks[next * BLOCK_FIELDS + 3] !== next) next++
  return next < count ? (blocks[next * BLOCK_FIELDS] as number) : TEXT_END
}

/** The lines that lie in a block or go on there, unless they were taken before; where those that are taken end. */
function takeLines(
  segment: Segment,
  block: number,
  { isSteady, find }: Pick<CompiledPattern, 'isSteady' | 'find'>,
  done: number,
  take: Take,
): number {
  const { blocks, text } = segment
  const field = block * BLOCK_FIELDS
  const [from, file] = [blocks[field] as number, blocks[field + 1] as number]
  const to = groupEnd(segment, block, false)
  const beginsWithin = blocks[field + 3] !== block
  const endsWithin = to !== TEXT_END && blocks[field + BLOCK_FIELDS + 3] !== block + 1
  if (!text || (!beginsWithin && !endsWithin)) {
    take(Math.max(from, done), to, file)
    return done
  }
  const all = Buffer.from(text.buffer)
  const end = endsWithin ? all.indexOf(NEWLINE, to) + 1 : to
  if (end <= done) return done
  const start = Math.max(done, beginsWithin ? all.lastIndexOf(NEWLINE, from - 1) + 1 : from)
  const window = { from: Math.max(start, from - AROUND), to: Math.min(end, to + NEAR_BYTES + AROUND, all.length) }
  if (isSteady && !isFound(find, characters(all.subarray(window.from, window.to)))) return done
  take(start, end, file)
  return end
}

function isFound(find: CompiledPattern['find'], text: Buffer): boolean {
  let isIt = false
  find(text, () => (isIt = true))
  return isIt
}

/** Without halves of characters at its ends. */
function characters(text: Buffer): Buffer {
  let [from, to] = [0, text.length]
  while (from < 3 && ((text[from] ?? 0) & 0xc0) === 0x80) from++
  while (to > from && text.length - to < 3 && ((text[to - 1] ?? 0) & 0xc0) === 0x80) to--
  if ((text[to - 1] ?? 0) >= 0xc0) to--
  return text.subarray(from, to)
}
