import { blockPostings, dropTables } from './block-postings.ts'
import type { Intake, Packed, Taken, TextPlace } from './messages.ts'
import { openPack, type Pack } from './pack.ts'
import type { FileReader } from './read-file-text.ts'
import { writeSegment } from './segment-file.ts'
import { BLOCK_FIELDS, COUNTS, FILE_FIELDS, KIND, segmentBytes, sharedArrays, type Segment } from './segment.ts'

/** A segment for changed files has room for one file per this many bytes. */
const BYTES_OF_FILE = 4_096

interface PackHow {
  readonly textBytes: number
  /** Stores the segment here; its text is then not held. */
  readonly file: string | undefined
  /** Whether a text that is not stored is held. */
  readonly holdsText: boolean
}

/** Reads files and builds segments. Runs in a thread that runs no pattern, so that no time limit ends it. */
export interface SegmentBuilder {
  pack(id: number, intakes: readonly Intake[], how: PackHow): Packed
  /** Appends to the open segment. If it is full, opens further ones of this size with the ids that follow. */
  put(id: number, intakes: readonly Intake[], openBytes: number): readonly Packed[]
  /** Returns the same segment with postings in place of signatures. */
  seal(segment: Segment, textBytes: number): Segment
  rest(): void
}

export function segmentBuilder(reader: FileReader): SegmentBuilder {
  let open: Pack | undefined

  return {
    pack(id, intakes, { textBytes, file, holdsText }) {
      const pack = openPack({ id, textBytes, files: intakes.length, signed: false })
      const packContents = fill(pack, intakes, reader, false)
      const [end, counts] = [pack.end(), pack.counts()]
      pack.segment.counts.set(counts)
      const whole = withPostings(pack.segment, end)
      const place =
        file === undefined
          ? undefined
          : storeSegment(file, { segment: whole, taken: packContents.taken, textBytes: end })
      const segment = holdsText && !place ? whole : { ...whole, text: undefined }
      return {
        ...packContents,
        segment,
        counts,
        textBytes: end,
        bytes: segmentBytes(segment, end),
        ...(place && { place }),
      }
    },
    put(id, intakes, openBytes) {
      const packs: Packed[] = []
      let rest: readonly Intake[] = intakes
      let next = id
      let isFull = false
      while (rest.length > 0) {
        if (!open || isFull || open.end() === 0) {
          const textBytesNeeded = Math.max(openBytes, (reader.size(rest[0]?.path ?? '') + 1) * 2)
          // A file too large for an open segment gets its own.
          const isRoomy = open?.segment.text !== undefined && open.segment.text.length >= textBytesNeeded
          if (!open || isFull || !isRoomy)
            open = openPack({ id: next++, textBytes: textBytesNeeded, files: openBytes / BYTES_OF_FILE, signed: true })
        }
        const packContents = fill(open, rest, reader, open.end() === 0)
        const [{ segment }, textBytes] = [open, open.end()]
        const [counts, bytes] = [open.counts(), segmentBytes(segment, textBytes)]
        packs.push({ ...packContents, segment, counts, textBytes, bytes, left: [] })
        rest = packContents.left
        isFull = rest.length > 0
      }
      return packs
    },
    seal(segment, textBytes) {
      if (open?.segment.id === segment.id) open = undefined
      return withPostings(segment, textBytes)
    },
    rest: dropTables,
  }
}

/** A segment that cannot be stored is held. */
function storeSegment(...args: Parameters<typeof writeSegment>): TextPlace | undefined {
  try {
    return writeSegment(...args)
  } catch {
    return undefined
  }
}

function fill(pack: Pack, intakes: readonly Intake[], reader: FileReader, wasMadeForFirst: boolean) {
  const takenFiles: Taken[] = []
  const remaining: Intake[] = []
  const missing: Intake[] = []
  for (const [at, { pathId, path, stamp }] of intakes.entries()) {
    const read = reader.read(path)
    if (!read) {
      missing.push({ pathId, path, stamp })
      continue
    }
    const isTaken = pack.add(pathId, read.kind, read.text) !== undefined
    // Leaves a file that grows faster than it is read to ripgrep.
    const isTooLarge =
      !isTaken && wasMadeForFirst && at === 0 && pack.add(pathId, KIND.huge, read.text.subarray(0, 0)) !== undefined
    if (!isTaken && !isTooLarge) {
      remaining.push(...intakes.slice(at))
      break
    }
    takenFiles.push({ pathId, path, stamp, read: read.stamp, isSettled: read.isSettled, kind: read.kind })
  }
  return { taken: takenFiles, left: remaining, missing }
}

/** Trims tables to their content; the text stays in place. */
function withPostings(segment: Segment, end: number): Segment {
  const [fileCount, blockCount] = [segment.counts[0] ?? 0, segment.counts[1] ?? 0]
  const text = segment.text ?? new Uint8Array()
  const counts = sharedArrays.ints(COUNTS)
  counts.set(segment.counts)
  const blocks = sharedArrays.ints(blockCount * BLOCK_FIELDS)
  blocks.set(segment.blocks.subarray(0, blocks.length))
  const files = sharedArrays.ints(fileCount * FILE_FIELDS)
  files.set(segment.files.subarray(0, files.length))
  return {
    ...segment,
    counts,
    files,
    blocks,
    signatures: undefined,
    postings: blockPostings(text, blocks, blockCount, end),
  }
}
