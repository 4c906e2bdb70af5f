import { ToolError } from '../../../kernel/error.ts'
import { capture, hashOf } from '../disk.ts'
import type { Root } from '../root.ts'
import { stageOperations } from '../stage-operations.ts'
import { createStaging, type Staging } from '../staging.ts'
import type { CommitStore } from './commit-store.ts'
import { readWhole } from './file-bytes.ts'
import { listUndo, lookUp, recordOf } from './list-undo.ts'
import { undoOperations } from './undo.ts'

/** A commit, and the workspace without it. */
export interface LandedChange {
  readonly id: string
  /** The contents from before it, over the disk. */
  readonly before: Staging
  /** Its files that changed again: their contents from before it leave out the later changes too. */
  readonly changedSince: readonly string[]
}

/**
 * Returns a commit (default: the newest), or undefined without one. Throws `conflict` if its files changed since and
 * their contents from before are not known.
 */
export function landedChange(root: Root, store: CommitStore, id = listUndo(store)[0]?.id): LandedChange | undefined {
  if (id === undefined) return undefined
  try {
    const before = createStaging()
    stageOperations(root, before, undoOperations(root, store, id))
    return { id, before, changedSince: [] }
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'conflict') throw error
    const before = contentsBefore(root, store, id)
    if (!before) throw error
    const { paths } = error.details ?? {}
    return { id, before, changedSince: Array.isArray(paths) ? paths.filter(path => typeof path === 'string') : [] }
  }
}

/** Returns undefined if the commit moved files, or an old content is no longer kept. */
function contentsBefore(root: Root, store: CommitStore, id: string): Staging | undefined {
  const { sys } = store
  const entry = lookUp(store, id)
  const { steps } = recordOf(store, entry)
  const before = createStaging()
  const commitDirectory = sys.openDirectory(entry.place.undo, entry.name)
  try {
    for (const [index, step] of steps.entries()) {
      if (step.kind === 'move') return undefined
      if (step.kind !== 'put' && step.kind !== 'delete') continue
      const now = stateNow(root, step.path)
      if (step.base === 'absent') {
        before.set(step.path, now, { type: 'absent' })
        continue
      }
      if (!sys.lstat(commitDirectory, `x${index}`)?.isFile()) return undefined
      const bytes = readWhole(sys, commitDirectory, `x${index}`)
      before.set(step.path, now, { type: 'file', bytes, hash: hashOf(bytes), mode: step.base.mode })
    }
    return before
  } finally {
    sys.close(commitDirectory)
  }
}

function stateNow(root: Root, path: string): ReturnType<typeof capture> {
  const location = root.resolve(path, { link: true })
  try {
    return capture(root, location)
  } finally {
    location.release()
  }
}
