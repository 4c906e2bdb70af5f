import { defineTool, restores, z } from '../tool.ts'
import { effectsInput } from './effects-input.ts'

export const undo = defineTool({
  name: 'undo',
  version: '1.1.0',
  description:
    'Undo the commit `id` (the `undo` of its answer); default: the newest. ' +
    'Files changed since are a conflict. An undo can be undone.',
  input: () =>
    z.strictObject({
      id: z.string().min(1).optional().describe('The commit to undo'),
      ...effectsInput(),
    }),
  output: () => z.strictObject({ undone: z.string(), paths: z.array(z.string()) }),
  effects: ['write'],
  uses: ['undo'],
  claims({ id }, facts) {
    const claims = restores(...facts.undoPaths(id))
    const since = facts.committedSince?.(id)
    if (since === undefined) return claims
    const asks = `files of this change were committed to git since then (${since}), and undo does not change that commit`
    return claims.map(claim => ({ ...claim, asks }))
  },
  run: ({ id }, { files }) => files.undo(id),
  examples: [
    { input: {}, before: [{ tool: 'write', input: { path: 'note.md', content: 'hello\n', expect: 'absent' } }] },
  ],
})
