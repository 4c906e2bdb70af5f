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
      same: 'allow',
    })
    const count = occurrences[0] ?? 0
    const changedLines = applied.filter(one => one.old !== one.new)
    const metadata = {
      occurrences_found: count,
      occurrences_replaced: changedLines.length,
      lines_changed: changedLines.flatMap(linesOfNew),
    }
    if (changedLines.length === 0) return { output: `Replaced 0 occurrences in ${path}\n${SAME}`, files: [], metadata }
    const warning =
      count > 1 ? `\nWarning: Found ${count} occurrences, replaced only the first at line ${changedLines[0]?.line}` : ''
    return { output: `Replaced 1 occurrence in ${path}${warning}`, metadata }
  },
  examples: [
    {
      input: { path: 'hello.py', old_string: 'hello', new_string: 'goodbye' },
      files: { 'hello.py': "print('hello')\n" },
    },
  ],
})

const SAME = 'Warning: The old and the new string are the same, nothing was changed'

/** The lines of the new text in the file afterwards; for removed text, the line where it was. */
function linesOfNew({ line, new: text }: { readonly line: number; readonly new: string }): readonly number[] {
  const ends = text.split('\n').length - 1
  const count = text === '' || !text.endsWith('\n') ? ends + 1 : ends
  return Array.from({ length: count }, (_, at) => line + at)
}
