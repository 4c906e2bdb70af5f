import type { WorkspaceState } from '../state/directory.ts'
import { openLock } from '../state/lock.ts'
import { openCommitStore } from '../workspace/commit/commit-store.ts'
import { prune, type Bounds } from '../workspace/commit/retention.ts'
import { openRoot } from '../workspace/root.ts'

/** Brings the undo records of a workspace, open or not, within limits. */
export function pruneWorkspace(state: WorkspaceState, bounds: Bounds): void {
  const root = openRoot(state.root)
  try {
    const store = openCommitStore(root, state.path)
    try {
      const lock = openLock(state.lock)
      try {
        lock.run(() => prune(store, bounds))
      } finally {
        lock.close()
      }
    } finally {
      store.close()
    }
  } finally {
    root.close()
  }
}
