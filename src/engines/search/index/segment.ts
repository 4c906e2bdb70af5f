/** Bytes of a block, about: it ends where a line does, so that no line lies in two. */
export const BLOCK_BYTES = 16_384
/** Bytes of the signature of a block that has no postings yet. */
export const SIGNATURE_BYTES = 2_048
/** Whole numbers for each file: where its text begins, how long it is, and what kind of file it is. */
export const FILE_FIELDS = 3
/** Whole numbers for each block: where it begins, the file that it begins in, and the lines of that file before it. */
export const BLOCK_FIELDS = 3

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
  readonly lists: Uint16Array<SharedArrayBuffer>
}

/** Contents of some files and what finds places in them, in memory that every thread of the process sees. */
export interface Segment {
  readonly id: number
  /** How many files, blocks, and files that only ripgrep reads as it does are in it; for one that still grows. */
  readonly counts: Int32Array<SharedArrayBuffer>
  /** Undefined where memory did not suffice: the files themselves are read then. */
  readonly text: Uint8Array<SharedArrayBuffer> | undefined
  readonly files: Int32Array<SharedArrayBuffer>
  /** One for each file that is as the workspace has it; others were changed or removed since. */
  readonly live: Uint8Array<SharedArrayBuffer>
  /** The number of the path of each file, as the opener of the index counts paths. */
  readonly pathIds: Int32Array<SharedArrayBuffer>
  readonly blocks: Int32Array<SharedArrayBuffer>
  /** One of the two is there. */
  readonly postings: Postings | undefined
  readonly signatures: Uint8Array<SharedArrayBuffer> | undefined
}

/** Where a trigram stands in a signature. */
export const signatureBit = (trigram: number): number => Math.imul(trigram, 0x9e_37_79_b1) >>> 18

export const shared = {
  /** A whole number of words, so that it can be read word by word. */
  bytes: (length: number) => new Uint8Array(new SharedArrayBuffer(Math.ceil(length / 4) * 4)),
  ints: (length: number) => new Int32Array(new SharedArrayBuffer(length * 4)),
  words: (length: number) => new Uint32Array(new SharedArrayBuffer(length * 4)),
  halves: (length: number) => new Uint16Array(new SharedArrayBuffer(length * 2)),
}
