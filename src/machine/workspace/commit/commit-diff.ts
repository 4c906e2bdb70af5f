import { sideOf } from '../changes.ts'
import { unifiedDiff } from '../diff/diff.ts'
import type { Root } from '../root.ts'
import { stageOperations } from '../stage-operations.ts'
import { createStaging } from '../staging.ts'
import { createView } from '../view.ts'
import type { CommitStore } from './commit-store.ts'
import { undoOperations } from './undo.ts'

/**
 * What a commit changed, as a diff for each of the paths that may be shown. Only what it replaced is kept, so that this
 * throws `conflict` where its files were changed since.
 */
export function commitDiff(root: Root, store: CommitStore, id: string, mayShow: (path: string) => boolean): string {
  const staging = createStaging()
  stageOperations(root, staging, undoOperations(root, store, id))
  const view = createView(root, staging)
  return staging
    .own()
    .filter(([path]) => mayShow(path))
    .map(([path, { base, state }]) =>
      unifiedDiff({ path, before: sideOf(view, path, state), after: sideOf(view, path, base) }),
    )
    .join('')
}
