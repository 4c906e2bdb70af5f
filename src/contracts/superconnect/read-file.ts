import { defineTool, reads, z } from '../tool.ts'
import { justification, KB, LARGEST_FILE, MB, relativePath } from './fields.ts'

export const readFile = defineTool({
  name: 'readFile',
  version: '1.0.0',
  description:
    'Read the contents of a specific file from the repository. Inspect source code after identifying candidates with queryIndex.',
  input: () =>
    z.strictObject({
      path: relativePath().describe('Relative path from repo root'),
      maxBytes: z
        .int()
        .min(1)
        .max(LARGEST_FILE)
        .default(100 * KB)
        .describe('Default: 100KB, Max: 500KB'),
      justification: justification(),
    }),
  output: () =>
    z.strictObject({
      path: z.string(),
      content: z.string(),
      size_bytes: z.int(),
      truncated: z.boolean(),
      encoding: z.literal('utf-8'),
      cached: z.literal(true).optional(),
    }),
  effects: ['read'],
  claims: ({ path }) => reads(path),
  async run({ path, maxBytes }, { text }, { partOf }) {
    const file = await text.readOnce(path, { truncateAt: maxBytes, refuseAbove: LARGEST_FILE })
    partOf?.({ content: file.hash, isRemembered: file.cached })
    return {
      path: file.path,
      content: file.content,
      size_bytes: file.bytes,
      truncated: file.truncated,
      encoding: 'utf-8' as const,
      ...(file.cached && { cached: true as const }),
    }
  },
  budget: { bytes: 5 * MB, concurrent: 20 },
  weigh: ({ content }) => Buffer.byteLength(content),
  gives: ({ path }) => path,
  justifiedAfter: 5,
  codes: { budget_exceeded: 'READ_BUDGET_EXCEEDED' },
  examples: [
    {
      input: { path: 'src/components/Button.tsx' },
      files: { 'src/components/Button.tsx': 'export const Button = () => <button />\n' },
    },
    {
      input: { path: 'src/theme/tokens.ts', maxBytes: 50000 },
      files: { 'src/theme/tokens.ts': 'export const tokens = {}\n' },
    },
  ],
})
