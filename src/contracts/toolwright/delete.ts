import { defineTool, linkWrites, z } from '../tool.ts'
import { effectsInput } from './effects-input.ts'

export const deleteFile = defineTool({
  name: 'delete',
  version: '1.1.0',
  description: 'Delete one file, link or empty directory. Undoable.',
  input: () => z.strictObject({ path: z.string().describe('Path relative to the workspace'), ...effectsInput() }),
  output: () => z.strictObject({ path: z.string() }),
  effects: ['write'],
  claims: ({ path }) => linkWrites(path),
  run: ({ path }, { files }) => files.remove(path),
  examples: [{ input: { path: 'src/hello.ts' }, files: { 'src/hello.ts': 'export const hello = 1\n' } }],
})
