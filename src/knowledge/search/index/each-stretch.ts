import type { CompiledPattern } from '../pattern/types.ts'
import type { Blocks } from './evaluate-needs.ts'
import type { TextWindow } from './segment-texts.ts'
import { BLOCK_FIELDS, NEAR_BYTES, textEnd, type Segment } from './segment.ts'

const TEXT_END = 0x7f_ff_ff_ff
/** Bytes around a match that decide whether it is one, such as the character before it. */
const AROUND = 16
const NEWLINE = 10

/** `isFound` if the stretch is one line that certainly matches. */
type Take = (from: number, to: number, file: number, isFound: boolean) => void

/** A pattern that fits in one block, and what reads the block, and beside it the ends of its lines. */
export interface Near {
  readonly pattern: Pick<CompiledPattern, 'isSteady' | 'isPlain' | 'find'>
  readonly block: TextWindow
  readonly ends: TextWindow
}

/**
 * Passes on the whole lines of these blocks, and the file in which or before which they begin. For a pattern that fits
 * in one block, passes on only the cut lines that may contain it.
 */
export function eachStretch(segment: Segment, blocks: Blocks, near: Near | undefined, take: Take): void {
  const count = blocks === 'all' ? (segment.counts[1] ?? 0) : blocks.length
  const isCut = segment.counts[3] !== 0
  const byBlock = blocks !== 'all' && isCut ? near : undefined
  let endOfTaken = 0
  for (let at = 0; at < count; at++) {
    const block = blocks === 'all' ? at : (blocks[at] as number)
    const field = block * BLOCK_FIELDS
    if (byBlock) {
      endOfTaken = takeLines(segment, block, byBlock, endOfTaken, take)
      continue
    }
    const to = groupEnd(segment, block, isCut)
    if (to <= endOfTaken) continue
    const first = (segment.blocks[field + 3] as number) * BLOCK_FIELDS
    take(segment.blocks[first] as number, to, segment.blocks[first + 1] as number, false)
    endOfTaken = to
  }
}

/** Returns the end of a block, or of all blocks that continue its cut lines. */
export function groupEnd({ blocks, counts }: Segment, block: number, withAll: boolean): number {
  const count = counts[1] ?? 0
  let next = block + 1
  if (withAll) while (next < count && blocks[next * BLOCK_FIELDS + 3] !== next) next++
  return next < count ? (blocks[next * BLOCK_FIELDS] as number) : TEXT_END
}

/** Takes the lines that lie in a block or continue there, unless already taken. Returns the end of the lines taken. */
function takeLines(segment: Segment, block: number, near: Near, done: number, take: Take): number {
  const { blocks } = segment
  const field = block * BLOCK_FIELDS
  const [from, file] = [blocks[field] as number, blocks[field + 1] as number]
  const to = groupEnd(segment, block, false)
  const beginsWithin = blocks[field + 3] !== block
  const endsWithin = to !== TEXT_END && blocks[field + BLOCK_FIELDS + 3] !== block + 1
  if (!beginsWithin && !endsWithin) {
    take(Math.max(from, done), to, file, false)
    return done
  }
  if (to <= done) return done
  const begin = (): number => Math.max(done, beginsWithin ? lineStartBefore(segment, near.ends, block) : from)
  const end = (): number => (endsWithin ? lineEndBehind(segment, near.ends, block + 1) : to)
  const { pattern } = near
  if (!pattern.isSteady) {
    const last = end()
    take(begin(), last, file, false)
    return last
  }
  const start = Math.max(done, from - AROUND, 0)
  const stop = Math.min(to + NEAR_BYTES + AROUND, textEnd(segment))
  const { bytes, base } = near.block.read(segment, start, stop)
  const window = characters(bytes, start - base, stop - base)
  const part = bytes.subarray(window.from, window.to)
  const offset = base + window.from
  let endOfTaken = done
  pattern.find(part, (first, last) => {
    // The lines before and after belong to other blocks.
    if (offset + last < from) return false
    if (offset + first >= to) return true
    const lineEnd = last === part.length ? end() : offset + last + 1
    take(first === 0 ? begin() : offset + first, lineEnd, file, pattern.isPlain)
    endOfTaken = lineEnd
    return false
  })
  return endOfTaken
}

/** Returns the start of the line that continues in this block. Skips blocks without a line feed unread. */
function lineStartBefore(segment: Segment, ends: TextWindow, block: number): number {
  const { blocks } = segment
  let at = block
  while (at > 0 && blocks[at * BLOCK_FIELDS + 3] !== at && isOneLine(blocks, at - 1)) at--
  if (at === 0) return 0
  const start = blocks[at * BLOCK_FIELDS] as number
  const { bytes, base } = ends.read(segment, blocks[(at - 1) * BLOCK_FIELDS] as number, start)
  return base + bytes.lastIndexOf(NEWLINE, start - 1 - base) + 1
}

/** Returns the end, including the line feed, of the line that continues in this block. */
function lineEndBehind(segment: Segment, ends: TextWindow, block: number): number {
  const { blocks, counts } = segment
  const count = counts[1] ?? 0
  let at = block
  while (at + 1 < count && blocks[(at + 1) * BLOCK_FIELDS + 3] !== at + 1 && isOneLine(blocks, at)) at++
  const start = blocks[at * BLOCK_FIELDS] as number
  const { bytes, base } = ends.read(segment, start, Math.min(groupEnd(segment, at, false), textEnd(segment)))
  return base + bytes.indexOf(NEWLINE, start - base) + 1
}

/** Reports whether no line feed lies between the start of this block and the next, which continues a line. */
function isOneLine(blocks: Int32Array, block: number): boolean {
  const [at, next] = [block * BLOCK_FIELDS, (block + 1) * BLOCK_FIELDS]
  return blocks[at + 1] === blocks[next + 1] && blocks[at + 2] === blocks[next + 2]
}

/** Trims partial characters at both ends. */
function characters(text: Buffer, start: number, end: number): { readonly from: number; readonly to: number } {
  let [from, to] = [start, end]
  while (from - start < 3 && ((text[from] ?? 0) & 0xc0) === 0x80) from++
  while (to > from && end - to < 3 && ((text[to - 1] ?? 0) & 0xc0) === 0x80) to--
  if ((text[to - 1] ?? 0) >= 0xc0) to--
  return { from, to }
}
