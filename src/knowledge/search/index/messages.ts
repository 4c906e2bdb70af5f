import type { GrepOptions } from '../types.ts'
import type { FoundLines } from './found-lines.ts'
import type { Segment, StoredText } from './segment.ts'

/** A file to be read into the index. */
export interface Intake {
  readonly pathId: number
  readonly path: string
  /** Identifies this state of the file in the file list. */
  readonly stamp: string
}

/** Result of reading an `Intake`. */
export interface Taken {
  readonly pathId: number
  readonly path: string
  readonly stamp: string
  /** The stamp of the file read, and whether it can be trusted after a restart. */
  readonly read: string
  readonly isSettled: boolean
  readonly kind: number
}

/** Where a segment was stored, and where its text begins there. */
export interface TextPlace extends Omit<StoredText, 'fd'> {
  readonly file: string
}

/** A segment with details of its files. */
export interface Packed {
  readonly segment: Segment
  readonly taken: readonly Taken[]
  /** Values for the segment's `counts` that include them. */
  readonly counts: readonly number[]
  /** Bytes of text in the segment. */
  readonly textBytes: number
  /** Bytes it holds in memory, including its lookup tables. */
  readonly bytes: number
  /** Where it was stored, without its text in memory. */
  readonly place?: TextPlace
  /** Files that outgrew the room reserved for them. */
  readonly left: readonly Intake[]
  /** Files that no longer exist. */
  readonly missing: readonly Intake[]
}

/** The part of a search that a thread needs. */
export interface SearchTask {
  readonly options: Omit<GrepOptions, 'signal'>
  readonly mask: Uint8Array<SharedArrayBuffer> | undefined
}

/** Runs found by another thread that wants help. */
export interface SharedRuns {
  readonly list: Int32Array<SharedArrayBuffer>
  readonly count: number
  readonly control: Int32Array<SharedArrayBuffer>
}

export type ToSearcher =
  | {
      readonly type: 'attach'
      readonly segments: readonly AttachedSegment[]
      readonly ranks: Float64Array<SharedArrayBuffer>
    }
  | {
      readonly type: 'search'
      readonly id: number
      readonly task: SearchTask
      readonly flag: Int32Array<SharedArrayBuffer>
    }
  | {
      readonly type: 'help'
      readonly id: number
      readonly task: SearchTask
      readonly runs: SharedRuns
      readonly flag: Int32Array<SharedArrayBuffer>
    }

/** For a segment without text: the locations of its files. */
export interface AttachedSegment {
  readonly segment: Segment
  readonly files?: readonly { readonly path: string; readonly stamp: string }[]
}

export type FromSearcher =
  /** The next attempt may take unbounded time. */
  | { readonly type: 'unsteady'; readonly id: number }
  | { readonly type: 'found'; readonly id: number; readonly found: FoundLines }
  | { readonly type: 'runs'; readonly id: number; readonly runs: SharedRuns }
  | { readonly type: 'done'; readonly id: number; readonly end: SearchEnd }

/** How a search of one thread ended. */
export type SearchEnd =
  | { readonly how: 'searched' }
  /** Only ripgrep can determine the lines. */
  | { readonly how: 'foreign' }
  /** It took longer than a scan would take. */
  | { readonly how: 'slow' }
  /** All threads were busy with other requests for too long. */
  | { readonly how: 'busy' }
  /** A file had changed since it was indexed. */
  | { readonly how: 'changed' }
  | {
      readonly how: 'failed'
      readonly code: string
      readonly message: string
      readonly hint?: string
      readonly details?: unknown
    }

export type ToBuilder =
  | {
      readonly type: 'pack'
      readonly id: number
      readonly segmentId: number
      readonly intakes: readonly Intake[]
      readonly textBytes: number
      readonly holdsText: boolean
      /** Where to store it. */
      readonly file: string | undefined
    }
  | {
      readonly type: 'put'
      readonly id: number
      readonly segmentId: number
      readonly intakes: readonly Intake[]
      readonly openBytes: number
    }
  | { readonly type: 'seal'; readonly id: number; readonly segment: Segment; readonly textBytes: number }
  | {
      readonly type: 'save'
      readonly id: number
      readonly file: string
      readonly segment: Segment
      readonly taken: readonly Taken[]
      readonly textBytes: number
    }
  | {
      readonly type: 'load'
      readonly id: number
      readonly file: string
      readonly segmentId: number
    }
  | { readonly type: 'rest'; readonly id: number }

export interface FromBuilder {
  readonly id: number
  readonly answer: unknown
  readonly failed?: string
}
