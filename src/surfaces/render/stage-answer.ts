import { isFields, textAt } from './shape.ts'

/** What each action of `stage` has done to the files that its answer lists as `changed`; nothing was staged at the beginning. */
const DONE: Readonly<Record<string, string | undefined>> = {
  diff: 'staged',
  validate: 'staged',
  commit: 'changed',
  rollback: 'dropped',
}

/** An answer of `stage` for people: the action stands beside the name, and the files are under the word for what it did. */
export function stageAnswer(name: string, input: unknown, data: unknown): { name: string; data: unknown } {
  const action = isFields(input) ? textAt(input, 'action') : undefined
  if (action === undefined || !isFields(data)) return { name, data }
  const { changed, action: _said, ...more } = data
  const done = DONE[action]
  return { name: `${name} ${action}`, data: { ...more, ...(done !== undefined && { [done]: changed }) } }
}
