/** Bytes of a block, about: it ends where a line does, unless that line is so long that it has to be cut. Longer in a large segment. */
export const BLOCK_BYTES = 2_048
/** What lies within so many bytes of a line lies in one block: where a line is cut, a block knows the bytes behind it. */
export const NEAR_BYTES = 256
/** Whole numbers for each file: where its text begins, how long it is, what kind of file it is, and the line feeds before it. */
export const FILE_FIELDS = 4
/**
 * Whole numbers for each block: where it begins, the file that it begins in, the line feeds before it, and the block in
 * which the line began that goes on here, or itself where a line begins here.
 */
export const BLOCK_FIELDS = 4
/** The number of a line is found without counting further back than this. */
export const MARK_BYTES = 512

/** What a file is to a search. */
export const KIND = {
  text: 0,
  /** Text whose last line ends in a carriage return and no line feed: it is searched by itself. */
  oddEnd: 4,
  /** A NUL byte near its beginning: no search looks into it. */
  binary: 1,
  /** A NUL byte only later: ripgrep looks into it where a match may go over lines. */
  lateBinary: 2,
  /** Too large to be held. */
  huge: 3,
} as const

/** Which blocks hold which trigrams, in the order of trigrams. */
export interface Postings {
  readonly keys: Uint32Array<SharedArrayBuffer>
  /** Where the list of each key begins; one more for the end of the last. */
  readonly offsets: Uint32Array<SharedArrayBuffer>
  /** A list that would take as much room as a bit for each block takes is that instead: see `bitUnits`. */
  readonly lists: Uint16Array<SharedArrayBuffer>
}

/** So many numbers of 16 bits hold a bit for each block; a list of as many numbers is these. */
export const bitUnits = (blockCount: number): number => (blockCount + 15) >>> 4

/** Contents of some files and what finds places in them, in memory that every thread of the process sees. */
export interface Segment {
  readonly id: number
  /** How many files, blocks, files that only ripgrep reads as it does, and blocks that begin within a line are in it. */
  readonly counts: Int32Array<SharedArrayBuffer>
  /** Undefined if memory did not suffice: the files themselves are read then. */
  readonly text: Uint8Array<SharedArrayBuffer> | undefined
  readonly files: Int32Array<SharedArrayBuffer>
  /** One for each file that is as the workspace has it; others were changed or removed since. */
  readonly live: Uint8Array<SharedArrayBuffer>
  /** The number of the path of each file, as the opener of the index counts paths. */
  readonly pathIds: Int32Array<SharedArrayBuffer>
  readonly blocks: Int32Array<SharedArrayBuffer>
  /** The line feeds of the text before every `MARK_BYTES` bytes of it. */
  readonly lineMarks: Int32Array<SharedArrayBuffer>
  /** One of the two is there. */
  readonly postings: Postings | undefined
  readonly signatures: Uint32Array<SharedArrayBuffer> | undefined
}

export const COUNTS = 4

/** What a segment takes in memory with so many bytes of text. */
export function segmentBytes(segment: Segment, textBytes: number): number {
  const { text, files, blocks, lineMarks, postings, signatures } = segment
  const held = text ? textBytes : 0
  const found = postings ? postings.keys.byteLength + postings.offsets.byteLength + postings.lists.byteLength : 0
  return held + found + (signatures?.byteLength ?? 0) + files.byteLength + blocks.byteLength + lineMarks.byteLength
}

/** Where the text ends whose sequences of three bytes a block knows. */
export function knownEnd(blocks: Int32Array, blockCount: number, block: number, end: number): number {
  if (block + 1 >= blockCount) return end
  const next = (block + 1) * BLOCK_FIELDS
  const to = blocks[next] ?? 0
  return blocks[next + 3] === block + 1 ? to : Math.min(end, to + NEAR_BYTES)
}

export const marksFor = (textBytes: number): number => Math.floor(textBytes / MARK_BYTES) + 1

export const shared = {
  /** A whole number of words, so that it can be read word by word. */
  bytes: (length: number) => new Uint8Array(new SharedArrayBuffer(Math.ceil(length / 4) * 4)),
  ints: (length: number) => new Int32Array(new SharedArrayBuffer(length * 4)),
  words: (length: number) => new Uint32Array(new SharedArrayBuffer(length * 4)),
  halves: (length: number) => new Uint16Array(new SharedArrayBuffer(length * 2)),
}
