import { defineTool, linkWrites, z } from '../tool.ts'
import { effectsInput } from './effects-input.ts'

export const undo = defineTool({
  name: 'undo',
  version: '1.1.0',
  description:
    'Take back the commit `id`, which its answer gave as `undo`; the newest unless given. ' +
    'Files changed since are a conflict and stay as they are. An undo can be undone.',
  input: () =>
    z.strictObject({
      id: z.string().min(1).optional().describe('The commit to take back'),
      ...effectsInput(),
    }),
  output: () => z.strictObject({ undone: z.string(), paths: z.array(z.string()) }),
  effects: ['write'],
  claims({ id }, facts) {
    const claims = linkWrites(...facts.undoPaths(id))
    const since = facts.committedSince?.(id)
    if (since === undefined) return claims
    const asks = `files of this change were committed to git since then (${since}), and undo leaves that commit as it is`
    return claims.map(claim => ({ ...claim, asks }))
  },
  run: ({ id }, { files }) => files.undo(id),
  examples: [
    { input: {}, before: [{ tool: 'write', input: { path: 'note.md', content: 'hello\n', expect: 'absent' } }] },
  ],
})
