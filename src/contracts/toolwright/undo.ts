import { defineTool, linkWrites, z } from '../tool.ts'
import { effectsInput } from './effects-input.ts'

export const undo = defineTool({
  name: 'undo',
  version: '1.1.0',
  description:
    'Take back one commit by the id that its answer gave as `undo`, the newest one unless given. ' +
    'Files that were changed since are a conflict and stay as they are. An undo can be undone.',
  input: () =>
    z.strictObject({
      id: z.string().min(1).optional().describe('The id of the commit to take back'),
      ...effectsInput(),
    }),
  output: () => z.strictObject({ undone: z.string(), paths: z.array(z.string()) }),
  effects: ['write'],
  claims: ({ id }, facts) => linkWrites(...facts.undoPaths(id)),
  run: ({ id }, { files }) => files.undo(id),
  examples: [
    { input: {}, before: [{ tool: 'write', input: { path: 'note.md', content: 'hello\n', expect: 'absent' } }] },
  ],
})
