import { defineTool, linkCreates, linkReads, linkWrites, z } from '../tool.ts'
import { effectsInput } from './effects-input.ts'

export const move = defineTool({
  name: 'move',
  version: '1.1.0',
  description: 'Move or rename one file `from` a path `to` an unused one. Creates missing directories.',
  input: () =>
    z.strictObject({
      from: z.string().describe('The current path, relative to the workspace'),
      to: z.string().describe('The new path, relative to the workspace'),
      ...effectsInput(),
    }),
  output: () => z.strictObject({ from: z.string(), to: z.string() }),
  effects: ['read', 'create', 'write'],
  // The content becomes readable at the new path, so moving requires reading.
  claims: ({ from, to }) => [...linkReads(from), ...linkWrites(from), ...linkCreates(to)],
  run: ({ from, to }, { files }) => files.move(from, to),
  examples: [
    {
      input: { from: 'src/hello.ts', to: 'src/greet/hello.ts' },
      files: { 'src/hello.ts': 'export const hello = 1\n' },
    },
  ],
})
