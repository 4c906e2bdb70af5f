import type { Root } from '../root.ts'
import { stageOperations } from '../stage-operations.ts'
import { createStaging, type Staging } from '../staging.ts'
import type { CommitStore } from './commit-store.ts'
import { listUndo } from './list-undo.ts'
import { undoOperations } from './undo.ts'

/** Returns the changes that undo a commit (default: the newest), or undefined without one. */
export function stagedInverse(root: Root, store: CommitStore, id = listUndo(store)[0]?.id): Staging | undefined {
  if (id === undefined) return undefined
  const staging = createStaging()
  stageOperations(root, staging, undoOperations(root, store, id))
  return staging
}
