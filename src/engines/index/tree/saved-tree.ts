import type { TreeFile } from './tree.ts'

/** The files of a tree as they were when it was saved. */
export interface SavedTree {
  readonly files: readonly TreeFile[]
  /** Of these the next process cannot say that they are the same. */
  readonly racy: readonly string[]
}
