import { ToolError } from '../../../kernel/error.ts'
import type { Operation } from '../operation.ts'
import { show } from '../path.ts'
import type { CommitStore, HeldRoot } from './commit-store.ts'
import { invert } from './invert.ts'
import { lookUp, recordOf, undoneCommits } from './list-undo.ts'
import { commitError, openSite } from './site.ts'

/**
 * Returns the operations that undo any one commit. Each expects what that commit left: throws `conflict` with the paths
 * that changed since, and nothing is lost. Commit them with `undoes: id`.
 */
export function undoOperations(root: HeldRoot, store: CommitStore, id: string): Operation[] {
  const entry = lookUp(store, id)
  const { steps } = recordOf(store, entry)
  const site = openSite(root.sys, root.fd, entry.place.undo, entry.name)
  try {
    const { operations, conflicts } = invert(site, steps)
    if (conflicts.length === 0) return [...operations]
    const by = undoneCommits(store).get(id)
    if (by !== undefined)
      throw new ToolError('conflict', `Commit ${id} is already undone`, {
        hint: `Commit ${by} undid it; undo that one to restore it.`,
        details: { id, by },
      })
    const list = conflicts.map(({ path, why }) => `${show(path)} ${why}`).join('; ')
    throw new ToolError('conflict', `Commit ${id} cannot be undone: ${list}.`, {
      hint: 'Undo the later commits first, or change these files by hand.',
      details: { id, paths: conflicts.map(({ path }) => path) },
    })
  } catch (error) {
    throw commitError(error, id)
  } finally {
    site.close()
  }
}
