import { defineTool, reads, z } from '../tool.ts'
import { answer } from './answer.ts'
import { MB } from './fields.ts'

export const readFile = defineTool({
  name: 'read_file',
  version: '1.0.0',
  description: 'Read the contents of a file, optionally specifying line range',
  input: () =>
    z
      .strictObject({
        path: z.string().describe('Relative path to the file to read'),
        start_line: z.int().positive().optional().describe('Starting line number (1-indexed, optional)'),
        end_line: z.int().positive().optional().describe('Ending line number (1-indexed, inclusive, optional)'),
      })
      .refine(({ start_line = 1, end_line = start_line }) => end_line >= start_line, {
        path: ['end_line'],
        error: 'end_line must not be before start_line',
      }),
  output: () =>
    z.strictObject({
      ...answer,
      metadata: z.strictObject({ total_lines: z.int(), lines_returned: z.int(), file_size_bytes: z.int() }),
    }),
  effects: ['read'],
  claims: ({ path }) => reads(path),
  run({ path, start_line, end_line }, { text }) {
    const file = text.read(path, {
      truncateAt: 10 * MB,
      binary: 'hex',
      guess: 'latin-1',
      ...((start_line !== undefined || end_line !== undefined) && { lines: { from: start_line, to: end_line } }),
    })
    const metadata = { total_lines: file.totalLines, lines_returned: file.lines, file_size_bytes: file.bytes }
    if (file.binary)
      return { output: `Warning: File appears to be binary, displaying first 1KB as hex\n${file.content}`, metadata }
    const warning = file.truncated ? `Warning: File is larger than 10MB, content is truncated\n` : ''
    const lines = file.lines === 0 ? '0-0' : `${file.from}-${file.to}`
    return { output: `${warning}Contents of ${path} (lines ${lines}):\n${file.content}`, metadata }
  },
  examples: [
    { input: { path: 'hello.py' }, files: { 'hello.py': "name = 'world'\nprint('hello', name)\n" } },
    {
      input: { path: 'hello.py', start_line: 2, end_line: 2 },
      files: { 'hello.py': "name = 'world'\nprint('hello', name)\n" },
    },
  ],
})
