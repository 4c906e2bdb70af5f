import { ToolError } from '../../kernel/error.ts'
import { defineTool, restores, z } from '../tool.ts'
import { effectsInput } from './effects-input.ts'

export const undo = defineTool({
  name: 'undo',
  version: '1.2.0',
  description:
    'Undo the commit `id` (the `undo` of its answer), or all commits of `task`; default: the newest. ' +
    'Files changed since are a conflict. An undo can be undone.',
  input: () =>
    z.strictObject({
      id: z.string().min(1).optional().describe('The commit to undo'),
      task: z.string().min(1).max(200).optional().describe('All that this task did, and nothing that others did'),
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
