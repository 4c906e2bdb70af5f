import { defineTool, z } from '../tool.ts'
import { effectsInput } from './effects-input.ts'

const action = () => z.enum(['begin', 'diff', 'validate', 'commit', 'rollback'])

export const stage = defineTool({
  name: 'stage',
  version: '1.4.0',
  description:
    'Group changes. After `begin`, later calls see every change, but nothing lands until `commit`, which runs the validators, asks once for all changes and is atomic. ' +
    '`diff` shows the staged changes, `validate` runs the validators now, `rollback` drops all changes.',
  input: () => z.strictObject({ action: action(), ...effectsInput() }),
  output: () =>
    z.strictObject({
      action: action(),
      transaction: z.string(),
      changed: z.array(z.string()),
      total: z.int().optional().describe('With `diff`: how many paths are staged'),
      diff: z.string().optional(),
      validators: z
        .array(z.strictObject({ name: z.string(), passed: z.boolean(), output: z.string(), durationMs: z.number() }))
        .optional(),
    }),
  effects: ['create', 'write'],
  uses: ['stage'],
  // Staging changes no file. What lands, or what validators run before that, is decided here as one question.
  claims: ({ action: asked }, { stagedClaims }) =>
    asked === 'commit' || asked === 'validate' ? [...(stagedClaims?.() ?? [])] : [],
  timeoutMs: 15 * 60_000,
  async run({ action: asked }, { stage: staged }) {
    const outcome = await staged[asked]()
    return { action: asked, ...outcome, ...(asked === 'diff' && { total: outcome.changed.length }) }
  },
  partly: (answer, landed) => ({ ...answer, changed: landed.map(({ path }) => path) }),
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
