import { defineTool, reads, writes, z } from '../tool.ts'

export const edit = defineTool({
  name: 'Edit',
  version: '1.0.0',
  description: 'Apply a unified diff to one file of the workspace; `check` only reports whether it would apply.',
  input: () =>
    z.strictObject({
      file: z.string().describe('Path relative to the workspace'),
      patch: z.string().min(1).describe('Unified diff of that file'),
      strategy: z.enum(['apply', 'check']).optional().describe('apply unless given'),
    }),
  output: () => z.strictObject({ applied: z.boolean(), diff: z.string().optional() }),
  effects: ['read', 'create', 'write'],
  claims: ({ file, strategy }) => (strategy === 'check' ? reads(file) : [...reads(file), ...writes(file)]),
  run({ file, patch, strategy }, { text }) {
    const { applied, diff } = text.patch(patch, { only: file, check: strategy === 'check' })
    return { applied, diff }
  },
  examples: [
    {
      input: { file: 'src/hello.ts', patch: '@@ -1 +1 @@\n-export const hello = 1\n+export const hello = 2\n' },
      files: { 'src/hello.ts': 'export const hello = 1\n' },
    },
  ],
})
