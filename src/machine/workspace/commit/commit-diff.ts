import type { Concealer } from '../../../kernel/conceal.ts'
import { sideOf } from '../changes.ts'
import { unifiedDiff } from '../diff/diff.ts'
import { isRepositoryPath } from '../path.ts'
import type { Root } from '../root.ts'
import { stageOperations } from '../stage-operations.ts'
import { createStaging } from '../staging.ts'
import { createView } from '../view.ts'
import type { CommitStore } from './commit-store.ts'
import { undoneCommits } from './list-undo.ts'
import { undoOperations } from './undo.ts'

/**
 * Returns a commit's changes as a diff for each path that may be shown. Throws `conflict` if its files changed since,
 * because only the replaced content is stored. For an undone commit, the new content comes from the undo's record.
 */
export function commitDiff(
  root: Root,
  store: CommitStore,
  id: string,
  { mayShow, conceal }: { readonly mayShow: (path: string) => boolean; readonly conceal: Concealer | undefined },
): string {
  const staging = createStaging()
  const undone = undoneCommits(store).get(id)
  stageOperations(root, staging, undoOperations(root, store, undone ?? id))
  const view = createView(root, staging)
  return staging
    .own()
    .filter(([path]) => !isRepositoryPath(path) && mayShow(path))
    .map(([path, { base, state }]) => {
      const [now, committedSide] = [sideOf(view, path, base), sideOf(view, path, state)]
      const [before, after] = undone === undefined ? [committedSide, now] : [now, committedSide]
      return unifiedDiff({ path, before, after, conceal })
    })
    .join('')
}
