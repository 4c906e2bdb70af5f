import { ToolError } from '../kernel/error.ts'
import { readJournal } from '../machine/journal/read.ts'
import { isCall } from '../machine/journal/record.ts'
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
    hint: [...leftBehind(journal, target), `toolwright log --task ${task} shows what it did`].join('. '),
  })
}

/** Says what undoing a task leaves: ignored paths that its commands changed, and what its background commands wrote. */
export function leftBehind(journal: string, target: string): readonly string[] {
  if (!target.startsWith(TASK)) return []
  const task = target.slice(TASK.length)
  return [...readJournal(journal)].flatMap(record => {
    if (!isCall(record) || record['task'] !== task) return []
    const { warnings } = record
    const ignored = Array.isArray(warnings) ? warnings.map(String).filter(text => IGNORED.test(text)) : []
    const { background, command, argv }: { background?: unknown; command?: unknown; argv?: unknown } = Object(
      record['input'],
    )
    const line = command ?? (Array.isArray(argv) ? argv.join(' ') : undefined)
    const isBackground = background === true && record['ok'] === true
    return [
      ...ignored.map(text => `Not undone: ${text}`),
      ...(isBackground ? [`Not undone: what the background command '${String(line)}' wrote`] : []),
    ]
  })
}

/** The warning of a command about paths that git ignores. */
const IGNORED = /^\d+ ignored paths? changed, without undo: /
