import { ToolError } from '../../kernel/error.ts'
import { defineTool, restores, z } from '../tool.ts'
import { effectsInput } from './effects-input.ts'

export const undo = defineTool({
  name: 'undo',
  version: '1.2.0',
  description:
    "Undo commit `id` (its answer's `undo`) or a `task`; default the newest. Files changed since are a conflict.",
  input: () =>
    z.strictObject({
      id: z.string().min(1).optional(),
      task: z.string().min(1).max(200).optional(),
      ...effectsInput(),
    }),
  output: () => z.strictObject({ undone: z.string(), paths: z.array(z.string()) }),
  effects: ['write'],
  uses: ['undo'],
  claims({ id, task }, facts) {
    const target = targetOf(id, task)
    const claims = restores(...facts.undoPaths(target))
    const since = facts.committedSince?.(target)
    if (since === undefined) return claims
    const asks = `files of this change were committed to git since then (${since}), and undo does not change that commit`
    return claims.map(claim => ({ ...claim, asks }))
  },
  run: ({ id, task }, { files }) => files.undo(targetOf(id, task)),
  examples: [
    { input: {}, before: [{ tool: 'write', input: { path: 'note.md', content: 'hello\n', expect: 'absent' } }] },
  ],
})

function targetOf(id: string | undefined, task: string | undefined): string | undefined {
  if (id !== undefined && task !== undefined)
    throw new ToolError('invalid_input', 'Undo takes an id or a task, not both', { hint: 'Leave one of them out' })
  return id ?? (task === undefined ? undefined : `task:${task}`)
}
