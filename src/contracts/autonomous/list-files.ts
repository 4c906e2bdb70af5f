import { defineTool, z } from '../tool.ts'
import { cursor, limit, pageOf, path, product, REPOSITORY_MS, repositoryClaims } from './repository-tool.ts'

export const listFiles = defineTool({
  name: 'list_files',
  version: '1.2.0',
  description: "List the files of one directory of the product's repository, not of those below it.",
  input: () =>
    z.strictObject({
      path: path.default('').describe('The directory; default: the root of the repository'),
      pattern: z.string().min(1).max(1_000).optional().describe('A glob that names must match, such as *.tsx'),
      limit: limit(100),
      cursor,
      product,
    }),
  output: () =>
    z.strictObject({
      files: z.array(z.strictObject({ path: z.string(), name: z.string(), size: z.int() })),
      truncated: z.boolean(),
      nextCursor: z.string().optional().describe('The `cursor` of the next page, if there is one'),
    }),
  effects: ['net'],
  onlyReads: true,
  timeoutMs: REPOSITORY_MS,
  claims: repositoryClaims,
  async run({ path: directory, pattern, limit: most, cursor: after, product: named }, { repository }, { signal }) {
    const { skip, end } = pageOf(most, after)
    const options = { limit: end, product: named, ...(pattern !== undefined && { glob: pattern }) }
    const { files, truncated } = await repository.list(directory, options, signal)
    return { files: files.slice(skip), truncated, ...(truncated && { nextCursor: String(end) }) }
  },
  examples: [
    {
      input: { path: 'apps/webapp/src', pattern: '*.tsx', limit: 50 },
      output: { files: [{ path: 'apps/webapp/src/main.tsx', name: 'main.tsx', size: 27 }], truncated: false },
      repository: { 'apps/webapp/src/main.tsx': 'export const App = () => 1\n', 'apps/webapp/src/main.css': '' },
    },
  ],
})
