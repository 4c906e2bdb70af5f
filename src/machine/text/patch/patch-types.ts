/** Form of a patch: a unified diff, `*** Begin Patch`, or SEARCH/REPLACE blocks. */
type PatchForm = 'unified' | 'envelope' | 'blocks'

/** One contiguous change. Bytes are latin-1 text, one character each, so that nothing is ever decoded. */
export interface Hunk {
  /** Line of the patch on which it begins, 1-based. */
  readonly at: number
  /**
   * `line`: near its line, like git. `bare`: without context, so at exactly its line or where its text is unique.
   * `text`: where its text is, which must be unique.
   */
  readonly place: 'line' | 'bare' | 'text'
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  /** ` `, `-` or `+`, then the bytes of the line with its line end, which may be absent at the end of the file. */
  readonly lines: readonly string[]
  /** For `text`: lines before the place, outermost first. */
  readonly anchors?: readonly string[]
  /** For `text`: the place is the end of the file. */
  readonly atEnd?: true
}

/** One direction of a binary change, as git writes it. */
export interface BinaryData {
  /** The whole new content, or a delta from the old one. */
  readonly kind: 'literal' | 'delta'
  /** Size of the inflated data. */
  readonly size: number
  readonly deflated: Buffer
}

/** A change of a binary file. Git identifies contents by hash, and applies only between the named ones. */
export interface BinaryChange {
  readonly oldId: string
  readonly newId: string
  /** Undefined for a reversed patch that lacks its reverse data. */
  readonly data: BinaryData | undefined
  readonly backward: BinaryData | undefined
}

/** A patch's change to one file; paths as in the workspace. */
export interface FilePatch {
  readonly form: PatchForm
  /** Line of the patch on which it begins, 1-based. */
  readonly at: number
  readonly kind: 'change' | 'create' | 'delete' | 'rename' | 'copy'
  /** Absent for create. */
  readonly from?: string
  /** Absent for delete. */
  readonly to?: string
  readonly oldMode?: number
  readonly newMode?: number
  readonly hunks: readonly Hunk[]
  /** In place of hunks. */
  readonly binary?: BinaryChange
  /** The header does not say whether the file existed: a section that only adds may mean "create". */
  readonly guessed?: true
  /** A delete that names a file without its content. */
  readonly wholeFile?: true
}

/** The bytes of a file after its hunks. */
export interface Applied {
  readonly bytes: Buffer
  /** Per hunk: distance in lines from the named line. */
  readonly offsets: readonly number[]
  /** Per hunk: number of dropped outer context lines. */
  readonly fuzz: readonly number[]
}
