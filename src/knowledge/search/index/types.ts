import type { Tree } from '../../tree/tree.ts'
import type { IndexedGrep } from '../indexed-search.ts'
import type { PackedLines } from './packed-lines.ts'
import type { StoredPlace } from '../stored/stored-place.ts'
import type { GrepOptions } from '../types.ts'
import type { CompileGlob } from '../wanted-files.ts'
import type { HeldSegment } from './segment-store.ts'

export interface SearchIndexParts {
  /** A path that leads to this directory even if it is renamed, such as `/proc/PID/fd/N`. */
  readonly directory: string
  readonly tree: Tree
  readonly compileGlob: CompileGlob
  /**
   * Limit for contents, in memory or stored, lookup tables and pending changes. Beyond it contents are dropped, and
   * candidates are read from the files of the workspace. Lookup tables, about half the size of the contents, stay
   * even beyond the limit.
   */
  readonly memoryBytes: number
  /** A private place for segments, which hold contents, also between runs. In memory if undefined. */
  readonly cache?: StoredPlace
  /** Called when the segments are stored: after the build, and at the end. */
  readonly onStored?: (segments: Iterable<HeldSegment>) => Promise<void>
  /** Files whose contents are never stored. The result for a path may change later. */
  readonly isDenied?: (path: string) => boolean
  /** Threads that search concurrently. */
  readonly threads?: number
  /** Time limit for a pattern that may backtrack. After that a scan, which never backtracks, is the better answer. */
  readonly matchMs?: number
  /** Longest wait for other searches; after that a scan answers. */
  readonly waitMs?: number
}

export interface SearchRequest {
  readonly options: Omit<GrepOptions, 'signal'>
  /** Files that are neither searched nor counted. */
  readonly leaveOut?: readonly string[]
  /** Packs lines, for a caller in another process. */
  readonly packs?: boolean
}

/** Reasons why a scan of the files must answer. */
type ScanReason =
  /** The index is still being built. */
  | 'building'
  /** Too many changes to read within the time of an answer. */
  | 'behind'
  /** Only ripgrep can determine the lines of this pattern or of a wanted file. */
  | 'foreign'
  /** The pattern takes longer than ripgrep would. */
  | 'slow'
  /** Other requests keep all threads busy. */
  | 'busy'

/** Set with `packs`, and then instead of `matches`, unless only files or a later page are wanted. */
interface Packed {
  readonly packed?: PackedLines
}

export type IndexedAnswer = (IndexedGrep & Packed) | { readonly scan: ScanReason }

interface SearchIndexStatus {
  readonly state: 'building' | 'current' | 'behind'
  readonly files: number
  readonly segments: number
  /** Bytes of contents, stored or in memory, and all bytes that the index holds in memory. */
  readonly textBytes: number
  readonly bytes: number
  /** Files read since it was opened: few after a restart. */
  readonly filesRead: number
}

/** Searches the contents of a workspace without walking it. Every answer is as fresh as the tree reports. */
export interface SearchIndex {
  grep(request: SearchRequest, signal?: AbortSignal): Promise<IndexedAnswer>
  /** Resolves once the index can answer. */
  ready(): Promise<void>
  status(): SearchIndexStatus
  /** Stores segments not stored yet, and ends the threads. */
  close(): Promise<void>
}
