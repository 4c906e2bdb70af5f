/** How a patch was written: a unified diff, `*** Begin Patch`, or SEARCH/REPLACE blocks. */
type PatchForm = 'unified' | 'envelope' | 'blocks'

/** One contiguous change. Bytes are carried as latin-1 text, one character for each, so that nothing is ever decoded. */
export interface Hunk {
  /** Line of the patch on which it begins, from 1. */
  readonly at: number
  /**
   * `line`: near the line it names, as git does. `bare`: no context at all, so at exactly that line or where its text
   * is unique. `text`: wherever its text is, which must be unique.
   */
  readonly place: 'line' | 'bare' | 'text'
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  /** ` `, `-` or `+`, then the bytes of the line with its line end; without one where the file ends without. */
  readonly lines: readonly string[]
  /** For `text`: lines that stand before the place, outermost first. */
  readonly anchors?: readonly string[]
  /** For `text`: the place is the end of the file. */
  readonly atEnd?: true
}

/** One way of a binary change, as git writes it. */
export interface BinaryData {
  /** The whole new content, or a delta from the old one. */
  readonly kind: 'literal' | 'delta'
  /** Of the data when it is inflated. */
  readonly size: number
  readonly deflated: Buffer
}

/** A change of a binary file. Git names contents by their hash, and applies only from and to what is named. */
export interface BinaryChange {
  readonly oldId: string
  readonly newId: string
  /** Undefined if a patch is taken back that does not say how. */
  readonly data: BinaryData | undefined
  readonly backward: BinaryData | undefined
}

/** What a patch does to one file; paths as the workspace spells them. */
export interface FilePatch {
  readonly form: PatchForm
  /** Line of the patch on which it begins, from 1. */
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
  /** The header does not say whether the file was there: one that only adds may mean "create". */
  readonly guessed?: true
  /** A delete that names a file and no content. */
  readonly wholeFile?: true
}

/** The bytes of a file after its hunks. */
export interface Applied {
  readonly bytes: Buffer
  /** For each hunk, how many lines away from the line it named it was applied. */
  readonly offsets: readonly number[]
  /** For each hunk, how many outer context lines were dropped. */
  readonly fuzz: readonly number[]
}
