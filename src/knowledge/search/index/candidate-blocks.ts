import type { Needs } from '../pattern/types.ts'
import { evaluateNeeds, NONE, type Blocks } from './evaluate-needs.ts'
import { narrowBlocks } from './narrow-blocks.ts'
import { keysOf, resolveNeeds } from './resolve-needs.ts'
import { BLOCK_FIELDS, type Segment } from './segment.ts'
import { signedBlocks, type Signatures } from './signatures.ts'

/**
 * Where the needs may be met: within a part of a line that lies in one block, within whole lines, or anywhere in a
 * file. For a file, at least one of its blocks is found.
 */
export type Spread = 'near' | 'line' | 'file'

/**
 * Returns the blocks of a segment that can hold the needs; may include others, never misses one. If lines were cut, the
 * block in which the first began stands for all that continue it, unless the needs are near.
 */
export function candidateBlocks(segment: Segment, needs: Needs, spread: Spread): Blocks {
  if (needs === 'anything') return 'all'
  if (needs === 'nothing') return NONE
  const { counts, blocks, postings, signatures } = segment
  const count = counts[1] ?? 0
  const ofFile = spread === 'file'
  const cuts = spread === 'line' && counts[3] !== 0 ? blocks : undefined
  if (postings) {
    const how = { lists: postings.lists, count, ofFile, cuts }
    const keys = keysOf(postings, count)
    if (typeof needs === 'object' && 'every' in needs && !ofFile && !cuts) return narrowBlocks(keys, needs.every, how)
    return evaluateNeeds(resolveNeeds(keys, needs), how)
  }
  return signatures ? blocksBySignature(signatures, cuts, needs, count, ofFile) : 'all'
}

function blocksBySignature(
  signatures: Signatures,
  cuts: Int32Array | undefined,
  needs: Needs,
  count: number,
  ofFile: boolean,
): readonly number[] {
  const bits = signedBlocks(signatures, needs, count, ofFile)
  const blocks: number[] = []
  for (let block = 0; block < count; block++) {
    // Skips a whole word of blocks without candidates.
    if (!cuts && bits && (block & 31) === 0 && bits[block >>> 5] === 0) {
      block += 31
      continue
    }
    if (cuts && cuts[block * BLOCK_FIELDS + 3] !== block) continue
    // The need may be met after the cut.
    const isCut = cuts && block + 1 < count && cuts[(block + 1) * BLOCK_FIELDS + 3] === block
    if (isCut || !bits || ((bits[block >>> 5] as number) >>> (block & 31)) & 1) blocks.push(block)
  }
  return blocks
}
