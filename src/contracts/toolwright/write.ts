import { creates, defineTool, writes, z } from '../tool.ts'
import { effectsInput } from './effects-input.ts'

export const write = defineTool({
  name: 'write',
  version: '1.2.0',
  description:
    'Write `content` as the whole file. Read an existing file first, or give its hash as `expect`; `expect: "absent"` requires a new file. ' +
    'Prefer `edit` to change a file.',
  input: () =>
    z.strictObject({
      path: z.string().describe('Path relative to the workspace'),
      content: z.string().max(20_000_000).describe('The whole file'),
      expect: z.string().optional().describe('The hash that was read, or 16 or more digits of it, or "absent"'),
      ...effectsInput(),
    }),
  output: () =>
    z.strictObject({
      path: z.string(),
      bytes: z.int(),
      created: z.boolean(),
      hash: z.string(),
      unchanged: z.literal(true).optional().describe('The file had this content already'),
    }),
  trusted: true,
  effects: ['create', 'write'],
  claims: ({ path, expect }) => (expect === 'absent' ? creates(path) : writes(path)),
  run({ path, content, expect }, { text }) {
    const result = text.write(path, content, { elided: 'refuse', ...(expect !== undefined && { expect }) })
    const { bytes, created, hash, unchanged } = result
    return { path: result.path, bytes, created, hash, ...(unchanged && { unchanged }) }
  },
  partly: (answer, [{ bytes = answer.bytes, hash = answer.hash } = answer]) => ({ ...answer, bytes, hash }),
  examples: [{ input: { path: 'notes/todo.md', content: '# To do\n', expect: 'absent' } }],
})
