import { defineTool, reads, z } from '../tool.ts'
import { TIMEOUT_MS } from './fields.ts'

const LARGEST = 10 * 1024 * 1024

const ENCODINGS = ['utf-8', 'utf-16', 'ascii'] as const

export const readFile = defineTool({
  name: 'read_file',
  version: '1.1.0',
  description: 'Read the complete contents of a file in the workspace, optionally specifying line range.',
  input: () =>
    z
      .object({
        filePath: z.string().describe('Relative path from workspace root (e.g., "src/utils/helper.ts")'),
        lineStart: z.int().positive().optional().describe('Starting line number (1-indexed, inclusive)'),
        lineEnd: z.int().positive().optional().describe('Ending line number (1-indexed, inclusive)'),
        encoding: z.enum(ENCODINGS).default('utf-8').describe('File encoding'),
      })
      .refine(({ lineStart = 1, lineEnd = lineStart }) => lineEnd >= lineStart, {
        path: ['lineEnd'],
        error: 'lineEnd must not be before lineStart',
      }),
  output: () =>
    z.strictObject({
      filePath: z.string(),
      content: z.string(),
      lineCount: z.int().describe('Lines of the content'),
      encoding: z.string(),
      fileSize: z.int().describe('Bytes of the whole file'),
    }),
  effects: ['read'],
  timeoutMs: TIMEOUT_MS,
  claims: ({ filePath }) => reads(filePath),
  run({ filePath, lineStart, lineEnd, encoding }, { text }) {
    const isRange = lineStart !== undefined || lineEnd !== undefined
    const file = text.read(filePath, {
      refuseAbove: LARGEST,
      encodings: ENCODINGS,
      // By default a byte order mark may select another encoding, and data that is not text counts as binary.
      ...(encoding !== 'utf-8' && { encoding }),
      ...(isRange && { lines: { from: lineStart, to: lineEnd } }),
    })
    return {
      filePath,
      content: isRange ? file.content.replace(/\r?\n$/, '') : file.content,
      lineCount: file.lines,
      encoding: file.encoding.replace(/^(utf-16).*/, '$1'),
      fileSize: file.bytes,
    }
  },
  // The document has no code for a missing line in this tool.
  codes: { out_of_range: 'INVALID_PARAMETERS' },
  examples: [
    {
      input: { filePath: 'src/api/user.ts' },
      files: { 'src/api/user.ts': 'export const fetchUserData = async (userId: string) => userId\n' },
    },
    {
      input: { filePath: 'src/api/user.ts', lineStart: 2, lineEnd: 3 },
      files: { 'src/api/user.ts': 'one\ntwo\nthree\nfour\n' },
    },
  ],
})
