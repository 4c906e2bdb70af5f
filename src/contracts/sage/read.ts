import { defineTool, reads, z } from '../tool.ts'

export const read = defineTool({
  name: 'Read',
  version: '1.0.0',
  description: 'Read a text file of the workspace.',
  input: () => z.strictObject({ file: z.string().describe('Path relative to the workspace') }),
  output: () => z.strictObject({ content: z.string() }),
  effects: ['read'],
  claims: ({ file }) => reads(file),
  run: ({ file }, { text }) => ({ content: text.read(file, { refuseAbove: 1024 * 1024 }).content }),
  examples: [{ input: { file: 'src/hello.ts' }, files: { 'src/hello.ts': 'export const hello = 1\n' } }],
})
