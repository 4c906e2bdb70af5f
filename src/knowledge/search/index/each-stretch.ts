import type { CompiledPattern } from '../pattern/types.ts'
import type { Blocks } from './evaluate-needs.ts'
import { BLOCK_FIELDS, NEAR_BYTES, type Segment } from './segment.ts'

const TEXT_END = 0x7f_ff_ff_ff
/** Bytes around a match that decide whether it is one, such as the character before it. */
const AROUND = 16
const NEWLINE = 10

/** `isFound` if the stretch is one line that certainly matches. */
type Take = (from: number, to: number, file: number, isFound: boolean) => void

type Near = Pick<CompiledPattern, 'isSteady' | 'isPlain' | 'find'>

/**
 * Passes on the whole lines of these blocks, and the file in which or before which they begin. For a pattern that fits
 * in one block of a text in memory, passes on only the cut lines that may contain it.
 */
export function eachStretch(segment: Segment, blocks: Blocks, near: Near | undefined, take: Take): void {
  const count = blocks === 'all' ? (segment.counts[1] ?? 0) : blocks.length
  const isCut = segment.counts[3] !== 0
  const byBlock = near && blocks !== 'all' && isCut
  const text = byBlock && segment.text ? Buffer.from(segment.text.buffer) : undefined
  let done = 0
  for (let at = 0; at < count; at++) {
    const block = blocks === 'all' ? at : (blocks[at] as number)
    const field = block * BLOCK_FIELDS
    if (byBlock) {
      done = takeLines(segment, text, block, near, done, take)
      continue
    }
    const to = groupEnd(segment, block, isCut)
    if (to <= done) continue
    const first = (segment.blocks[field + 3] as number) * BLOCK_FIELDS
    take(segment.blocks[first] as number, to, segment.blocks[first + 1] as number, false)
    done = to
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
function takeLines(
  segment: Segment,
  all: Buffer | undefined,
  block: number,
  near: Near,
  done: number,
  take: Take,
): number {
  const { blocks } = segment
  const field = block * BLOCK_FIELDS
  const [from, file] = [blocks[field] as number, blocks[field + 1] as number]
  const to = groupEnd(segment, block, false)
  const beginsWithin = blocks[field + 3] !== block
  const endsWithin = to !== TEXT_END && blocks[field + BLOCK_FIELDS + 3] !== block + 1
  if (!all || (!beginsWithin && !endsWithin)) {
    take(Math.max(from, done), to, file, false)
    return done
  }
  if (to <= done) return done
  const begin = (): number => Math.max(done, beginsWithin ? lineStartBefore(segment, all, block) : from)
  const end = (): number => (endsWithin ? lineEndBehind(segment, all, block + 1) : to)
  if (!near.isSteady) {
    const last = end()
    take(begin(), last, file, false)
    return last
  }
  const seen = characters(all, Math.max(done, from - AROUND, 0), Math.min(to + NEAR_BYTES + AROUND, all.length))
  const part = all.subarray(seen.from, seen.to)
  let taken = done
  near.find(part, (first, last) => {
    // The lines before and after belong to other blocks.
    if (seen.from + last < from) return false
    if (seen.from + first >= to) return true
    const lineEnd = last === part.length ? end() : seen.from + last + 1
    take(first === 0 ? begin() : seen.from + first, lineEnd, file, near.isPlain)
    taken = lineEnd
    return false
  })
  return taken
}

/** Returns the start of the line that continues in this block. Skips blocks without a line feed unread. */
function lineStartBefore({ blocks }: Segment, all: Buffer, block: number): number {
  let at = block
  while (at > 0 && blocks[at * BLOCK_FIELDS + 3] !== at && isOneLine(blocks, at - 1)) at--
  const start = blocks[at * BLOCK_FIELDS] as number
  // A negative offset would count from the end.
  return start === 0 ? 0 : all.lastIndexOf(NEWLINE, start - 1) + 1
}

/** Returns the end, including the line feed, of the line that continues in this block. */
function lineEndBehind({ blocks, counts }: Segment, all: Buffer, block: number): number {
  const count = counts[1] ?? 0
  let at = block
  while (at + 1 < count && blocks[(at + 1) * BLOCK_FIELDS + 3] !== at + 1 && isOneLine(blocks, at)) at++
  return all.indexOf(NEWLINE, blocks[at * BLOCK_FIELDS]) + 1
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
