/**
 * Approximate bytes of a block; larger in a large segment. A block ends with a line, unless the line is so long that it
 * must be cut.
 */
export const BLOCK_BYTES = 2_048
/** Text within this many bytes of a line lies in one block: at a cut, a block also knows the bytes that follow. */
export const NEAR_BYTES = 256
/** Integers per file: start of its text, length, kind, and the line feeds before it. */
export const FILE_FIELDS = 4
/**
 * Integers per block: start, the file it begins in, the line feeds before it, and the block in which its continued line
 * began (itself if a line begins here).
 */
export const BLOCK_FIELDS = 4
/** Finding a line number never counts back further than this. */
export const MARK_BYTES = 512

/** How a search treats a file. */
export const KIND = {
  text: 0,
  /** Text whose last line ends in a carriage return without a line feed; searched separately. */
  oddEnd: 4,
  /** A NUL byte near the beginning: never searched. */
  binary: 1,
  /** A NUL byte only later: ripgrep searches it if a match may cross lines. */
  lateBinary: 2,
  /** Too large to hold. */
  huge: 3,
} as const

/** The blocks that hold each trigram, in trigram order. */
export interface Postings {
  readonly keys: Uint32Array<SharedArrayBuffer>
  /** Start of each key's list, and the end of the last one. */
  readonly offsets: Uint32Array<SharedArrayBuffer>
  /** A list that would be as large as one bit for each block is stored as bits: see `bitUnits`. */
  readonly lists: Uint16Array<SharedArrayBuffer>
}

/** Number of 16-bit units for one bit per block. A list of this length is stored as bits. */
export const bitUnits = (blockCount: number): number => (blockCount + 15) >>> 4

/** A text that lies in a file of ours: the file, held open by the opener of the index, and where in it. */
export interface StoredText {
  readonly fd: number
  readonly dev: number
  readonly ino: number
  readonly start: number
  readonly bytes: number
}

/** Contents of some files with their lookup tables, in memory that all threads share. */
export interface Segment {
  readonly id: number
  /** Numbers of files, of blocks, of files that need ripgrep, and of blocks that begin within a line. */
  readonly counts: Int32Array<SharedArrayBuffer>
  /** Undefined if the text is stored, or if memory did not suffice; the files are read instead then. */
  readonly text: Uint8Array<SharedArrayBuffer> | undefined
  readonly stored: StoredText | undefined
  readonly files: Int32Array<SharedArrayBuffer>
  /** 1 for each file in the workspace's current state; other files have changed or are gone. */
  readonly live: Uint8Array<SharedArrayBuffer>
  /** Path number of each file, as assigned by the opener of the index. */
  readonly pathIds: Int32Array<SharedArrayBuffer>
  readonly blocks: Int32Array<SharedArrayBuffer>
  /** Line feeds before every `MARK_BYTES` bytes of the text. */
  readonly lineMarks: Int32Array<SharedArrayBuffer>
  /** Exactly one of the two is set. */
  readonly postings: Postings | undefined
  readonly signatures: Uint32Array<SharedArrayBuffer> | undefined
}

export const COUNTS = 4

/** Returns a segment with these tables, of which no file is in the workspace's state yet. */
export function segmentWith<Tables extends Pick<Segment, 'text' | 'files' | 'blocks' | 'lineMarks' | 'postings'>>(
  id: number,
  counts: readonly number[],
  tables: Tables,
): Omit<Segment, keyof Tables> & Tables {
  const [fileCount = 0] = counts
  const all = sharedArrays.ints(COUNTS)
  all.set(counts)
  const [live, pathIds] = [sharedArrays.bytes(fileCount), sharedArrays.ints(fileCount)]
  return { id, counts: all, stored: undefined, live, pathIds, signatures: undefined, ...tables }
}

/** Reports whether the text can be read without the files that it came from. */
export const hasText = ({ text, stored }: Segment): boolean => text !== undefined || stored !== undefined

/** Returns the memory of a segment with this many bytes of text. */
export function segmentBytes(segment: Segment, textBytes: number): number {
  const { text, files, blocks, lineMarks, postings, signatures } = segment
  const heldTextBytes = text ? textBytes : 0
  const postingBytes = postings ? postings.keys.byteLength + postings.offsets.byteLength + postings.lists.byteLength : 0
  return (
    heldTextBytes +
    postingBytes +
    (signatures?.byteLength ?? 0) +
    files.byteLength +
    blocks.byteLength +
    lineMarks.byteLength
  )
}

/** Returns the end of the text whose trigrams a block covers. */
export function knownEnd(blocks: Int32Array, blockCount: number, block: number, end: number): number {
  if (block + 1 >= blockCount) return end
  const next = (block + 1) * BLOCK_FIELDS
  const to = blocks[next] ?? 0
  return blocks[next + 3] === block + 1 ? to : Math.min(end, to + NEAR_BYTES)
}

/** Returns the end of a text that can be read, or of the room that is left behind it. */
export const textEnd = ({ text, stored }: Segment): number => text?.length ?? stored?.bytes ?? 0

export const marksFor = (textBytes: number): number => Math.floor(textBytes / MARK_BYTES) + 1

export const sharedArrays = {
  /** Rounds up to whole words, so that it can be read word by word. */
  bytes: (length: number) => new Uint8Array(new SharedArrayBuffer(Math.ceil(length / 4) * 4)),
  ints: (length: number) => new Int32Array(new SharedArrayBuffer(length * 4)),
  words: (length: number) => new Uint32Array(new SharedArrayBuffer(length * 4)),
  halves: (length: number) => new Uint16Array(new SharedArrayBuffer(length * 2)),
}
