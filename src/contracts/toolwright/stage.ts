import { defineTool, z } from '../tool.ts'
import { effectsInput } from './effects-input.ts'

export const stage = defineTool({
  name: 'stage',
  version: '1.1.0',
  description:
    'Group changes. After `begin` later calls see every change, but nothing lands until `commit`, which is atomic and runs the validators first. ' +
    '`diff` shows what is staged, `validate` runs the validators now, `rollback` drops it all.',
  input: () =>
    z.strictObject({ action: z.enum(['begin', 'diff', 'validate', 'commit', 'rollback']), ...effectsInput() }),
  output: () =>
    z.strictObject({
      transaction: z.string(),
      changed: z.array(z.string()),
      diff: z.string().optional(),
      validators: z
        .array(z.strictObject({ name: z.string(), passed: z.boolean(), output: z.string(), durationMs: z.number() }))
        .optional(),
    }),
  effects: ['write'],
  // What is staged was claimed and decided when it was staged.
  claims: () => [],
  timeoutMs: 15 * 60_000,
  run: ({ action }, { stage: staged }) => staged[action](),
  examples: [
    { input: { action: 'begin' } },
    {
      input: { action: 'commit' },
      before: [
        { tool: 'stage', input: { action: 'begin' } },
        { tool: 'write', input: { path: 'note.md', content: 'hello\n', expect: 'absent' } },
      ],
      sameSession: true,
    },
  ],
})
