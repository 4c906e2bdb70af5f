import { isFields, textAt } from './shape.ts'

/** What each action of `stage` did to the files in `changed`; `begin` has none. */
const DONE: Readonly<Record<string, string | undefined>> = {
  diff: 'staged files',
  validate: 'staged files',
  commit: 'changed',
  rollback: 'dropped',
}

/**
 * Prepares an answer of `stage` for people: the action beside the name, and the files under the word for what it did.
 */
export function stageAnswer(name: string, input: unknown, data: unknown): { name: string; data: unknown } {
  const action = isFields(input) ? textAt(input, 'action') : undefined
  if (action === undefined || !isFields(data)) return { name, data }
  const { changed, action: _said, ...more } = data
  const doneWord = DONE[action]
  return { name: `${name} ${action}`, data: { ...more, ...(doneWord !== undefined && { [doneWord]: changed }) } }
}
