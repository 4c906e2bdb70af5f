import type { Tree } from '../../tree/tree.ts'
import type { IndexedGrep } from '../indexed-search.ts'
import type { GrepOptions } from '../types.ts'
import type { CompileGlob } from '../wanted-files.ts'

export interface SearchIndexParts {
  /** The workspace by a path that leads to this very directory, such as `/proc/PID/fd/N`. */
  readonly directory: string
  readonly tree: Tree
  readonly compileGlob: CompileGlob
  /**
   * Contents, what finds places in them and what is being changed take no more than this: past it contents are given up,
   * and candidates are read from disk. What finds places stays, about half as much as the contents, even past the bound.
   */
  readonly memoryBytes: number
  /** Where segments are stored between two runs, a directory of its own; nothing is stored unless given. */
  readonly cacheDirectory?: string
  /** Files whose contents are never stored; may say otherwise of the same path later. */
  readonly isDenied?: (path: string) => boolean
  /** Threads that search at once. */
  readonly threads?: number
  /** How long a search may try a pattern in ever more ways before a scan, which never does, is the better answer. */
  readonly matchMs?: number
  /** How long a search waits for others to be done before it is answered by a scan. */
  readonly waitMs?: number
}

export interface SearchRequest {
  readonly options: Omit<GrepOptions, 'signal'>
  /** Files that are neither searched nor counted. */
  readonly leaveOut?: readonly string[]
}

/** Why an answer has to come from a scan of the files. */
type ScanReason =
  /** The index is still being made. */
  | 'building'
  /** More changed than could be read in the time of an answer. */
  | 'behind'
  /** Only ripgrep is sure to know the lines of this pattern, or of a file that is wanted. */
  | 'foreign'
  /** The pattern takes longer than ripgrep needs for it. */
  | 'slow'
  /** Others keep all threads busy. */
  | 'busy'

export type IndexedAnswer = IndexedGrep | { readonly scan: ScanReason }

interface SearchIndexStatus {
  readonly state: 'building' | 'current' | 'behind'
  readonly files: number
  readonly segments: number
  /** Bytes of contents, and all bytes that the index holds. */
  readonly textBytes: number
  readonly bytes: number
  /** Files that were read for it since it was opened: few after a restart. */
  readonly filesRead: number
}

/** The contents of a workspace, searched without walking it; every answer is as fresh as the tree says it is. */
export interface SearchIndex {
  grep(request: SearchRequest, signal?: AbortSignal): Promise<IndexedAnswer>
  /** Comes back once it can answer. */
  ready(): Promise<void>
  status(): SearchIndexStatus
  /** Stores what is not stored yet, and ends its threads. */
  close(): Promise<void>
}
