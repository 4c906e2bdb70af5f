import { creates, defineTool, z } from '../tool.ts'
import { answer } from './answer.ts'
import { contentField } from './fields.ts'

export const createFile = defineTool({
  name: 'create_file',
  version: '1.0.0',
  description: 'Create a new file with specified content',
  input: () =>
    z.strictObject({
      path: z.string().describe('Relative path to the file to create'),
      content: contentField.describe('Content to write to the file'),
    }),
  output: () => z.strictObject(answer),
  effects: ['create'],
  claims: ({ path }) => creates(path),
  run({ path, content }, { text }) {
    const { bytes } = text.write(path, content, { mode: 'create' })
    return { output: `Created file: ${path} (${bytes} bytes)`, files: [path] }
  },
  examples: [{ input: { path: 'hello.py', content: "print('hello')\n" } }],
})
