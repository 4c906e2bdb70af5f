import { defineTool, z } from '../tool.ts'
import { cursor, limit, pageOf, product, REPOSITORY_MS, repositoryClaims } from './repository-tool.ts'

const LONGEST_LINE = 500

export const searchCode = defineTool({
  name: 'search_code',
  version: '1.2.0',
  description:
    "Search the files of the product's repository for a text: plain text regardless of case, never a pattern. " +
    'Each match is a line; files whose path contains the text follow with their first line.',
  input: () =>
    z.strictObject({
      query: z.string().trim().min(1).max(1_000).describe('The text'),
      filePattern: z
        .string()
        .min(1)
        .max(1_000)
        .optional()
        .describe('A glob of names such as *.ts (with .tsx), or of paths such as src/**/*.css'),
      limit: limit(20),
      cursor,
      product,
    }),
  output: () => z.array(z.strictObject({ path: z.string(), snippet: z.string() })),
  effects: ['net'],
  onlyReads: true,
  timeoutMs: REPOSITORY_MS,
  claims: repositoryClaims,
  async run({ query, filePattern, limit: most, cursor: after, product: named }, { repository }, { signal, next }) {
    const { skip, end } = pageOf(most, after)
    const glob = filePattern && { glob: withJsx(filePattern) }
    const matches = await repository.search({ query, ...glob, limit: end + 1, product: named }, signal)
    if (matches.length > end) next?.(String(end))
    return matches.slice(skip, end).map(({ path, text }) => ({ path, snippet: text.trim().slice(0, LONGEST_LINE) }))
  },
  examples: [
    {
      input: { query: 'auth', filePattern: '*.ts', limit: 20 },
      output: [{ path: 'src/auth/login.tsx', snippet: 'export function LoginForm() {' }],
      repository: { 'src/auth/login.tsx': 'export function LoginForm() {\n  return null\n}\n', 'src/shop.ts': '' },
    },
  ],
})

/** The document's example finds a .tsx file by *.ts, so extensions with JSX match too. */
const withJsx = (pattern: string): string => pattern.replace(/\.([tj]s)$/, '.{$1,$1x}')
