import { defineTool, reads, z } from '../tool.ts'
import { justification, MOST_LISTED, relativePath } from './fields.ts'

export const listFiles = defineTool({
  name: 'listFiles',
  version: '1.0.0',
  description:
    'List files in a specific directory (shallow, non-recursive). Explore directory structure when index queries are insufficient: ' +
    'say in `justification` what you need and why queryIndex cannot answer it.',
  input: () =>
    z.strictObject({
      directory: relativePath().describe('Relative path from repo root'),
      pattern: z.string().min(1).optional().describe('Glob pattern (e.g., "*.tsx")'),
      limit: z.int().min(1).max(MOST_LISTED).default(50).describe('Default: 50, Max: 100'),
      justification: justification(),
    }),
  output: () =>
    z.strictObject({
      directory: z.string(),
      files: z.array(
        z.strictObject({
          name: z.string(),
          path: z.string(),
          type: z.enum(['file', 'directory']),
          size_bytes: z.int().optional(),
        }),
      ),
      total: z.int(),
      truncated: z.boolean(),
    }),
  effects: ['read'],
  claims: ({ directory }) => reads(directory),
  run({ directory, pattern, limit }, { files }) {
    const entries = files.list(directory, pattern === undefined ? {} : { named: pattern })
    return {
      directory,
      files: entries.slice(0, limit).map(({ name, path, type, size, target = type }) => ({
        name,
        path,
        // Anything else is read like a file, which refuses it if it is none.
        ...(target === 'directory' ? { type: 'directory' as const } : { type: 'file' as const, size_bytes: size }),
      })),
      total: entries.length,
      truncated: entries.length > limit,
    }
  },
  budget: { calls: 10 },
  justifiedAfter: 0,
  codes: {
    budget_exceeded: 'LIST_BUDGET_EXCEEDED',
    not_found: 'DIRECTORY_NOT_FOUND',
    not_a_directory: 'DIRECTORY_NOT_FOUND',
    outside_workspace: 'INVALID_DIRECTORY',
  },
  examples: [
    {
      input: { directory: 'src/components' },
      files: { 'src/components/Button.tsx': '', 'src/components/Link.tsx': '' },
    },
    {
      input: { directory: 'src/components', pattern: '*.{ts,tsx}' },
      files: { 'src/components/Button.tsx': '', 'src/components/button.css': '' },
    },
  ],
})
