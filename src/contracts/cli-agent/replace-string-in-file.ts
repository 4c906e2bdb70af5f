import { defineTool, reads, writes, z } from '../tool.ts'
import { answer } from './answer.ts'

export const replaceStringInFile = defineTool({
  name: 'replace_string_in_file',
  version: '1.0.0',
  description: 'Replace a specific string in a file with new content',
  input: () =>
    z.strictObject({
      path: z.string().describe('Relative path to the file to modify'),
      old_string: z.string().min(1, 'old_string must not be empty').describe('Exact string to find and replace'),
      new_string: z.string().describe('String to replace with'),
    }),
  output: () =>
    z.strictObject({
      ...answer,
      metadata: z.strictObject({
        occurrences_found: z.int(),
        occurrences_replaced: z.int(),
        lines_changed: z.array(z.int()),
      }),
    }),
  effects: ['read', 'write'],
  claims: ({ path }) => [...reads(path), ...writes(path)],
  run({ path, old_string, new_string }, { text }) {
    const { applied, occurrences } = text.replace(path, [{ old: old_string, new: new_string }], {
      onAmbiguous: 'first',
      elided: 'allow',
    })
    const found = occurrences[0] ?? 0
    const lines = applied.map(({ line }) => line)
    const warning =
      found > 1 ? `\nWarning: Found ${found} occurrences, replaced only the first at line ${lines[0]}` : ''
    return {
      output: `Replaced 1 occurrence in ${path}${warning}`,
      metadata: { occurrences_found: found, occurrences_replaced: applied.length, lines_changed: lines },
    }
  },
  examples: [
    {
      input: { path: 'hello.py', old_string: 'hello', new_string: 'goodbye' },
      files: { 'hello.py': "print('hello')\n" },
    },
  ],
})
