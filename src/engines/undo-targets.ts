import { ToolError } from '../kernel/error.ts'
import { taskCommits } from '../machine/journal/task-commits.ts'
import type { CommitStore } from '../machine/workspace/commit/commit-store.ts'
import { standingCommits } from '../machine/workspace/commit/undo-task.ts'

const TASK = 'task:'

/**
 * Returns the commits that undoing this takes back, the oldest first: one by its id, or all of `task:ID`. Throws
 * `not_found` if the task has none that is in force.
 */
export function undoTargets(journal: string, store: CommitStore, target: string): readonly string[] {
  if (!target.startsWith(TASK)) return [target]
  const task = target.slice(TASK.length)
  const ids = standingCommits(store, taskCommits(journal, task))
  if (ids.length > 0) return ids
  throw new ToolError('not_found', `The task '${task}' changed nothing that can be undone`, {
    hint: `toolwright log --task ${task} shows what it did`,
  })
}
