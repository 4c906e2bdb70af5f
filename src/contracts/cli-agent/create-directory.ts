import { creates, defineTool, z } from '../tool.ts'
import { answer } from './answer.ts'

export const createDirectory = defineTool({
  name: 'create_directory',
  version: '1.0.0',
  description: 'Create a directory structure (equivalent to mkdir -p)',
  input: () => z.strictObject({ path: z.string().describe('Relative path to directory to create') }),
  output: () => z.strictObject({ ...answer, metadata: z.strictObject({ created_parents: z.array(z.string()) }) }),
  effects: ['create'],
  claims: ({ path }) => creates(path),
  run({ path }, { files }) {
    const directories = files.makeDirectory(path)
    if (directories.length === 0)
      return { output: `Directory already exists: ${path}`, files: [], metadata: { created_parents: [] } }
    return {
      output: `Created directory: ${path}`,
      files: [path],
      metadata: { created_parents: directories.slice(0, -1) },
    }
  },
  examples: [{ input: { path: 'src/models' } }],
})
