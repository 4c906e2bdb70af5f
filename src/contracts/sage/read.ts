import { defineTool, reads, ToolError, z } from '../tool.ts'

const MOST_BYTES = 1024 * 1024

export const read = defineTool({
  name: 'Read',
  version: '1.1.0',
  description: 'Read a text file of the workspace, or `limit` lines of it from line `offset` on.',
  input: () =>
    z.strictObject({
      file: z.string().describe('Path relative to the workspace'),
      offset: z.int().positive().optional().describe('First line, 1-based'),
      limit: z.int().positive().optional().describe('Number of lines'),
    }),
  output: () => z.strictObject({ content: z.string() }),
  effects: ['read'],
  claims: ({ file }) => reads(file),
  run({ file, offset, limit }, { text }) {
    if (offset === undefined && limit === undefined)
      return { content: text.read(file, { refuseAbove: MOST_BYTES, refuseHint: READ_PART }).content }
    const from = offset ?? 1
    const to = limit === undefined ? undefined : from + limit - 1
    const part = text.read(file, { truncateAt: MOST_BYTES, lines: { from, to }, wholeLines: true })
    if (part.truncated) throw tooLong(file, part)
    return { content: part.content }
  },
  examples: [
    { input: { file: 'src/hello.ts' }, files: { 'src/hello.ts': 'export const hello = 1\n' } },
    { input: { file: 'src/list.txt', offset: 2, limit: 2 }, files: { 'src/list.txt': 'one\ntwo\nthree\nfour\n' } },
  ],
})

const READ_PART = 'Read a part of it: offset is the first line, limit the number of lines'

const tooLong = (file: string, { from, lines }: { readonly from: number; readonly lines: number }): ToolError =>
  new ToolError('too_large', `These lines of ${file} have more than ${MOST_BYTES} bytes`, {
    hint: `From offset ${from} on, limit ${lines} fits`,
  })
