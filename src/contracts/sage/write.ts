import { defineTool, writes, z } from '../tool.ts'

export const write = defineTool({
  name: 'Write',
  version: '1.0.0',
  description: 'Write a whole file of the workspace, new or old.',
  input: () =>
    z.strictObject({
      file: z.string().describe('Path relative to the workspace'),
      content: z.string().describe('The whole new content'),
    }),
  output: () => z.strictObject({ written: z.boolean() }),
  effects: ['create', 'write'],
  claims: ({ file }) => writes(file),
  run({ file, content }, { text }) {
    text.write(file, content)
    return { written: true }
  },
  examples: [{ input: { file: 'src/hello.ts', content: 'export const hello = 2\n' } }],
})
