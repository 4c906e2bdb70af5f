import { readJournal } from './read.ts'
import { isCall } from './record.ts'

/** Returns the commits that the calls of a task made, the oldest first. */
export function taskCommits(journal: string, task: string): readonly string[] {
  const ids: string[] = []
  for (const record of readJournal(journal)) {
    const { undo } = record
    if (isCall(record) && record['task'] === task && typeof undo === 'string') ids.push(undo)
  }
  return ids
}
